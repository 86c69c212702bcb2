internal import PrintModel

/// The characters of a text file: UTF-16, UTF-8, else Windows-1252, which Latin-1 is a part of.
struct PlainText {
  /// Pages, each of lines; a form feed begins a page.
  let pages: [[String]]

  /// A longer line is broken here, so that one line of a gigabyte is not one layout.
  private static let longestLine = 2_048
  /// Bytes. More is hundreds of thousands of lines, each of which Pango lays out.
  static let longest = 8 << 20

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
    if let encoding = TextEncoding.utf16(bytes.prefix(TextEncoding.lookedAt)) {
      let hasMark = encoding.hasMark(bytes)
      let units = stride(from: hasMark ? 2 : 0, to: bytes.count - 1, by: 2).map { offset in
        encoding.unit(bytes[offset], bytes[offset + 1])
      }
      return String(decoding: units, as: UTF16.self)
    }
    let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    if let text = String(validating: body, as: UTF8.self) { return text }
    return String(String.UnicodeScalarView(body.map(TextEncoding.windows1252)))
  }
}
