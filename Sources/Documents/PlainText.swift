internal import PrintModel

/// The characters of a text file: UTF-8, UTF-16 with a byte order mark, else Latin-1.
struct PlainText {
  /// Pages, each of lines; a form feed begins a page.
  let pages: [[String]]

  /// A longer line is broken here, so that one line of a gigabyte is not one layout.
  private static let longestLine = 4_096

  init(_ bytes: UnsafeRawBufferPointer) {
    let text = PlainText.decode(bytes)
    var pages: [[String]] = [[]]
    var line = String.UnicodeScalarView()
    func endLine() {
      pages[pages.count - 1].append(String(line))
      line = String.UnicodeScalarView()
    }
    var previous: Unicode.Scalar = " "
    var length = 0
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n" where previous == "\r": break
      case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}":
        endLine()
        length = 0
      case "\u{C}":
        if !line.isEmpty { endLine() }
        pages.append([])
        length = 0
      case "\t": line.append(scalar)
      case let control where control.properties.generalCategory == .control: break
      default:
        line.append(scalar)
        length += 1
        if length >= PlainText.longestLine {
          endLine()
          length = 0
        }
      }
      previous = scalar
    }
    if !line.isEmpty { endLine() }
    if pages.count > 1, pages.last?.isEmpty == true { pages.removeLast() }
    self.pages = pages
  }

  private static func decode(_ bytes: UnsafeRawBufferPointer) -> String {
    if bytes.starts(with: [0xFF, 0xFE]) { return utf16(bytes, low: 0, high: 1) }
    if bytes.starts(with: [0xFE, 0xFF]) { return utf16(bytes, low: 1, high: 0) }
    let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    if let text = String(validating: body, as: UTF8.self) { return text }
    return String(String.UnicodeScalarView(body.map { Unicode.Scalar($0) }))
  }

  private static func utf16(_ bytes: UnsafeRawBufferPointer, low: Int, high: Int) -> String {
    let units = stride(from: 2, to: bytes.count - 1, by: 2).map { offset in
      UInt16(bytes[offset + low]) | UInt16(bytes[offset + high]) << 8
    }
    return String(decoding: units, as: UTF16.self)
  }
}
