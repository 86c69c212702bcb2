import PrintModel
import ForeignText
import PrintOptions

extension FuzzTarget {
  /// An option's number and its value on the command line: page ranges, papers, lengths, stamps and others.
  static let options = FuzzTarget("options") { bytes in
    guard let first = bytes.first else { return }
    let option = PrintOption.allCases[Int(first) % PrintOption.allCases.count]
    let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
    var request = PrintRequest()
    do throws(Failure) {
      try option.apply(text, to: &request)
    } catch {
      promise(error.code == .usage, "\(error)")
    }
    _ = MediaName.size(of: text)
    promise(!JobName.clean(text).isEmpty && JobName.clean(text).utf8.count <= 255, "job-name")
    guard let ranges = try? PageRanges(text) else { return }
    for count in [1, 7, 10_000] {
      guard let indices = try? ranges.indices(of: count, labels: ["i", "ii", "A-1", "1", "i"])
      else { continue }
      promise(!indices.isEmpty && indices.allSatisfy { (0..<count).contains($0) }, text)
      promise(zip(indices, indices.dropFirst()).allSatisfy { $0 < $1 }, text)
    }
  }

  /// Any text on its way to a terminal.
  static let text = FuzzTarget("text") { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    promiseClean(cleaned(text))
    promiseClean(cleaned(text, keepingLines: true).split(separator: "\n").joined())
  }

  /// Checks that nothing moves the cursor, or changes colors or the text direction.
  static func promiseClean(_ text: String) {
    for scalar in text.unicodeScalars {
      let value = scalar.value
      promise(
        value >= 0x20 && !(0x7F...0x9F).contains(value) && !(0x202A...0x202E).contains(value)
          && !(0x2066...0x2069).contains(value) && value != 0x200E && value != 0x200F
          && value != 0x2028 && value != 0x2029,
        "U+\(String(value, radix: 16)) gets through")
    }
  }
}
