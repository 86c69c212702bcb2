internal import Glibc
package import PrintModel

/// quirks.toml: the package's, the administrator's and the user's.
package struct Quirks: Sendable {
  private let entries: [(pattern: String, quirk: Quirk)]

  /// Reads all files; throws exit 78 for an invalid one.
  package init(_ directories: Directories) throws(Failure) {
    let own = String(decoding: PackageResources.quirks_toml, as: UTF8.self)
    var entries = try Quirks.read(TOMLFile(text: own, path: "airprint's own quirks"))
    for folder in [directories.system, directories.configuration] {
      guard let file = try TOMLFile(path: "\(folder)/quirks.toml") else { continue }
      entries += try Quirks.read(file)
    }
    self.entries = entries
  }

  /// Corrections for a printer, in the order of the files.
  package func quirks(of makeAndModel: String?) -> [Quirk] {
    guard let model = makeAndModel?.lowercased() else { return [] }
    return entries.filter { fnmatch($0.pattern, model, 0) == 0 }.map(\.quirk)
  }

  private static let keys = ["model", "back-side", "copies", "avoid", "reason", "source"]

  private static func read(_ file: TOMLFile) throws(Failure) -> [(String, Quirk)] {
    try file.refuseUnknown(file.root, but: ["quirk"])
    guard let quirks = file.root["quirk"] else { return [] }
    guard case .list(let list) = quirks else {
      throw file.failure(at: "quirk", "quirks are written as [[quirk]].")
    }
    var entries: [(String, Quirk)] = []
    for (number, entry) in list.enumerated() {
      func failure(_ key: String, _ why: String) -> Failure {
        file.failure(at: key, in: "[quirk]", entry: number, why)
      }
      try file.refuseUnknown(entry.members, but: keys, in: "[quirk]", entry: number)
      let members = entry.members
      guard let pattern = members["model"]?.string, let reason = members["reason"]?.string else {
        throw failure("quirk", "every quirk needs a model and a reason.")
      }
      let word = members["back-side"]?.string
      let back = word.flatMap(SheetBack.init(rawValue:))
      guard word == nil || back != nil else {
        let names = SheetBack.allCases.map(\.rawValue)
        throw failure("back-side", "back-side takes \(names.inWords(joinedBy: "or")).")
      }
      let copies = members["copies"]
      guard copies == nil || copies == .text("software") else {
        throw failure("copies", "copies takes software.")
      }
      let avoided = members["avoid"]?.strings
      guard avoided.map({ !$0.isEmpty && $0.allSatisfy { $0.contains("/") } }) ?? true else {
        throw failure("avoid", "avoid takes a list of media types (image/urf).")
      }
      var quirk = Quirk(reason: reason)
      (quirk.sheetBack, quirk.makesCopiesHere) = (back, copies != nil)
      quirk.avoided = avoided ?? []
      entries.append((pattern.lowercased(), quirk))
    }
    return entries
  }
}
