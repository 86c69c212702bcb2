/// A program that turns documents of one type into another: what one file of `converters/` declares.
package struct Converter: Sendable, Equatable {
  /// The file's name without `.toml`.
  ///
  /// A later folder's converter of that name takes its place.
  package var name: String
  /// The file, for messages.
  package var source: String
  /// The activation rule: the media types that it reads, each with the suffixes (`.md`) that tell it
  /// where a document's bytes don't.
  package var types: [String: [String]]
  /// The media type that it writes.
  package var output = DocumentFormat.pdf
  /// The program and its arguments, with placeholders.
  package var command: [String]
  /// Program that must be installed: the command's first word, or what a shell in it calls.
  package var program: String
  /// Files that it finds in its working folder, by name; their text has placeholders too.
  package var files: [String: String] = [:]
  /// Seconds.
  package var timeLimit = 60
  /// Bytes that it and its children may hold.
  package var memoryLimit = 1 << 30
  /// The Debian package that brings the program.
  package var package: String?
  /// It may read the document's folder: pictures and style sheets beside an HTML page.
  package var readsFolder = false
  /// More paths that it may read.
  package var reads: [String] = []
  /// Shell patterns of those lines of its messages that report what could not be loaded.
  package var notLoaded: [String] = []

  package init(
    name: String, source: String, types: [String: [String]], command: [String]
  ) {
    self.name = name
    self.source = source
    self.types = types
    self.command = command
    program = command.first ?? ""
  }

  /// `{input}`, a name that `folder` holds; `{output}`, where the result belongs; `{folder}`, its own;
  /// `{base}`, the document's folder.
  ///
  /// `{page-time}` is the processor's time that it may take, in seconds.
  private static let placeWords = ["input", "output", "folder", "base", "page-time"]
  /// In points; `{kind}` is `sheet` or `roll`.
  private static let paperWords = [
    "kind", "width", "height", "margin-top", "margin-right", "margin-bottom", "margin-left",
  ]

  /// Every word that may stand in braces.
  package static let placeholders = placeWords + paperWords

  /// Its documents take the paper that they get, so it runs when that is known.
  package var namesPaper: Bool {
    let texts = command + Array(files.values)
    return Converter.paperWords.contains { word in texts.contains { $0.contains("{\(word)}") } }
  }

  /// Suffix for a file of a type, without the dot: some programs recognize types by it.
  package static func suffix(of mediaType: String) -> String {
    switch mediaType {
    case DocumentFormat.text: "txt"
    case "image/svg+xml": "svg"
    default: mediaType.split(separator: "/").last.map { String($0.prefix { $0 != "+" }) } ?? "data"
    }
  }
}

extension String {
  /// The text with every `{word}` among `values` replaced; other braces stay.
  package func filled(with values: [String: String]) -> String {
    var result = ""
    var rest = self[...]
    while let open = rest.firstIndex(of: "{") {
      result += rest[..<open]
      rest = rest[open...]
      if let close = rest.firstIndex(of: "}"),
        let value = values[String(rest[rest.index(after: open)..<close])]
      {
        result += value
        rest = rest[rest.index(after: close)...]
      } else {
        result.append(rest.removeFirst())
      }
    }
    return result + rest
  }
}
