/// A program that converts documents of one type into another, as declared by one file of `converters/`.
package struct Converter: Sendable, Equatable {
  /// The file's name without `.toml`.
  ///
  /// A converter of the same name in a later folder replaces it.
  package var name: String
  /// The file, for messages.
  package var source: String
  /// The activation rule: the media types that it reads, each with the suffixes (`.md`) that identify it if a
  /// document's bytes don't.
  package var types: [String: [String]]
  /// The media type that it writes.
  package var output = DocumentFormat.pdf
  /// The program and its arguments, with placeholders.
  package var command: [String]
  /// Program that must be installed: the command's first word, or the one that a shell in it calls.
  package var program: String
  /// Files that are put into its working folder, by name; their text has placeholders, too.
  package var files: [String: String] = [:]
  /// Time limit in seconds.
  package var timeLimit = 60
  /// Largest memory of it and its children, in bytes.
  package var memoryLimit = 1 << 30
  /// The Debian package that contains the program.
  package var package: String?
  /// True if it may read the document's folder: pictures and style sheets beside an HTML page.
  package var readsFolder = false
  /// Further paths that it may read.
  package var reads: [String] = []
  /// Shell patterns for lines of its messages that report files that could not be loaded.
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

  /// Placeholders for files: `{input}`, a name in `folder`; `{output}`, the path of the result; `{folder}`, its own;
  /// `{base}`, the document's folder.
  ///
  /// `{page-time}` is the processor time that it may use, in seconds.
  private static let placeWords = ["input", "output", "folder", "base", "page-time"]
  /// Placeholders for the paper, in points; `{kind}` is `sheet` or `roll`.
  private static let paperWords = [
    "kind", "width", "height", "margin-top", "margin-right", "margin-bottom", "margin-left",
  ]

  /// All placeholders.
  package static let placeholders = placeWords + paperWords

  /// True if the converter needs the paper's size, so that it runs when that is known.
  package var namesPaper: Bool {
    let texts = command + Array(files.values)
    return Converter.paperWords.contains { word in texts.contains { $0.contains("{\(word)}") } }
  }

  /// Returns the suffix for a file of a type, without the dot: some programs recognize types by it.
  package static func suffix(of mediaType: String) -> String {
    switch mediaType {
    case DocumentFormat.text: "txt"
    case "image/svg+xml": "svg"
    default: mediaType.split(separator: "/").last.map { String($0.prefix { $0 != "+" }) } ?? "data"
    }
  }
}

extension String {
  /// Returns the text with every `{word}` among `values` replaced; other braces are kept.
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
