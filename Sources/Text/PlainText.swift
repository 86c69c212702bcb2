internal import DocumentBytes
internal import PrintModel

/// The characters of a text file, with the bold and colored ones of man(1) and terminals.
struct PlainText {
  /// Pages of lines; a form feed begins a page.
  let pages: [[TextLine]]
  /// What is guessed or wrong in it.
  private(set) var losses: [Loss] = []

  /// Maximum characters in a line: longer ones are broken here, so that a line of a gigabyte is not a single layout.
  private static let longestLine = 2_048
  /// Maximum size in bytes.
  ///
  /// More would be hundreds of thousands of lines, which Pango lays out one by one.
  static let longest = 8 << 20

  init(_ bytes: UnsafeRawBufferPointer) {
    let (text, loss) = DecodedText.decode(bytes)
    if let loss { losses.append(loss) }
    var pages: [[TextLine]] = [[]]
    var line = StyledLine()
    var isContinued = false
    var hasNoncharacters = false
    var length = 0
    func endLine(isBroken: Bool = false) {
      var taken = line.take()
      taken.isContinued = isContinued
      isContinued = isBroken
      pages[pages.count - 1].append(taken)
      length = 0
    }
    var previous: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      if line.takes(scalar) { continue }
      switch scalar {
      case "\n" where previous == "\r": break
      case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": endLine()
      case "\u{C}":
        if line.count > 0 { endLine(isBroken: true) }
        pages.append([])
      case "\t": line.append(scalar)
      case let control where control.properties.generalCategory == .control: break
      default:
        line.append(scalar.drawable)
        hasNoncharacters = hasNoncharacters || scalar.drawable != scalar
        length += 1
        if length >= PlainText.longestLine { endLine(isBroken: true) }
      }
      previous = scalar
    }
    if line.count > 0 { endLine() }
    if hasNoncharacters { losses.append(.noncharacters) }
    if pages.count > 1, pages.last?.isEmpty == true { pages.removeLast() }
    self.pages = pages
  }

  /// Number of lines in the file.
  var lineCount: Int { pages.joined().count { !$0.isContinued } }
}
