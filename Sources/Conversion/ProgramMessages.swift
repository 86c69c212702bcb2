internal import Glibc
internal import PrintModel

/// The end of a program's output on standard error, as readable lines.
struct ProgramMessages {
  private(set) var all: [String] = []

  /// Limits of one line, in characters, and of the part of a file that is read, in bytes.
  private static let longestLine = 300
  private static let most = 1 << 20

  /// Reads the file behind `descriptor`.
  ///
  /// Removes `prefixes` from paths: these folders no longer exist when the message is read.
  init(_ descriptor: Int32, hiding prefixes: [String]) {
    let end = lseek(descriptor, 0, SEEK_END)
    var bytes = [UInt8](repeating: 0, count: ProgramMessages.most)
    let start = max(0, end - off_t(bytes.count))
    let count = bytes.withUnsafeMutableBytes {
      pread(descriptor, $0.baseAddress, $0.count, start)
    }
    let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    for line in text.split(whereSeparator: \.isNewline) {
      let plain = ProgramMessages.plain(line, prefixes)
      if !plain.isEmpty { all.append(plain) }
    }
  }

  /// What lines of the form `airprint: WORD: text` say, without duplicates.
  var stated: [(word: String, text: String)] {
    matching(["airprint: *: *"]).map { line in
      let parts = line.split(separator: ":", maxSplits: 2).map { String($0.drop { $0 == " " }) }
      return (parts[1], parts[2])
    }
  }

  /// Lines that match one of these shell patterns, without duplicates.
  func matching(_ patterns: [String]) -> [String] {
    all.filter { line in patterns.contains { fnmatch($0, line, 0) == 0 } }.unique
  }

  /// A line without control characters, the run's folders, and spaces at both ends.
  private static func plain(_ line: Substring, _ prefixes: [String]) -> String {
    var text = String(
      String.UnicodeScalarView(
        line.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }
          .prefix(longestLine)))
    for prefix in prefixes where !prefix.isEmpty {
      text = text.replacing("file://\(prefix)", with: "").replacing(prefix, with: "")
    }
    return String(text.trimming { $0 == " " })
  }
}
