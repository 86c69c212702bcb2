package import PrintModel
internal import PrintOptions

extension Configuration {
  /// A stamp as it was asked for; one that has the name of a `[stamps.NAME]` is that, with what was
  /// typed over it.
  package func stamp(_ asked: Stamp) -> Stamp {
    guard case .file(let name) = asked.source,
      let known = layers.compactMap({ $0.stamps[name] }).last
    else { return asked }
    var stamp = known
    stamp.isBelow = asked.isBelow
    stamp.options = asked.options.over(known.options)
    return stamp
  }
}

extension Configuration.Layer {
  private static let stampKeys = ["file", "text"] + StampOptions.Key.allCases.map(\.rawValue)

  /// `[stamps.NAME]`: a file or a text, and the options of `--overlay`.
  ///
  /// A file's path begins at the folder that the settings are in, or with `~/` at the user's
  /// home.
  mutating func addStamp(
    _ name: String, _ table: TOMLFile.Value, _ file: TOMLFile, home: String
  ) throws(Failure) {
    let place = "stamps.\(name)"
    guard case .table(let members) = table else {
      throw file.failure(at: name, in: "stamps", "stamps are written below [\(place)].")
    }
    try file.refuseUnknown(members, but: Self.stampKeys, in: place)
    var source: Stamp.Source?
    var options = StampOptions()
    for (key, value) in members.sorted(by: { $0.key < $1.key }) {
      guard let text = value.typed else {
        throw file.failure(at: key, in: place, "\(key) takes a plain value.")
      }
      if key == "text" {
        source = .text(text)
      } else if key == "file" {
        source = .file(file.resolved(text, home))
      } else if let option = StampOptions.Key(rawValue: key) {
        do {
          try options.set(option, text)
        } catch {
          throw file.failure(at: key, in: place, "\(error.description).")
        }
      }
    }
    guard let source, !(members["file"] != nil && members["text"] != nil) else {
      throw file.failure(at: name, in: place, "a stamp has either a file or a text.")
    }
    stamps[name] = Stamp(source: source, isBelow: false, options: options)
  }
}

extension TOMLFile {
  /// A path that stands in this file.
  fileprivate func resolved(_ text: String, _ home: String) -> String {
    if text.hasPrefix("/") { return text }
    if text.hasPrefix("~/") { return home + text.dropFirst(1) }
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    return folder + text
  }
}
