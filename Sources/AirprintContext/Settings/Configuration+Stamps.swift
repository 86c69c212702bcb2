package import PrintModel
internal import PrintOptions

extension Configuration {
  /// The stamp for a request: if it names a `[stamps.NAME]`, that stamp, with the typed options overriding its own.
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

  /// Adds `[stamps.NAME]`: a file or a text, and the options of `--overlay`.
  ///
  /// A file's path is relative to the folder of the settings file, or with `~/` to the user's home.
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
  /// Resolves a path written in this file.
  fileprivate func resolved(_ text: String, _ home: String) -> String {
    if text.hasPrefix("/") { return text }
    if text.hasPrefix("~/") { return home + text.dropFirst(1) }
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    return folder + text
  }
}
