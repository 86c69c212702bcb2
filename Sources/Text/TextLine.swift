/// A line of a text file, with the parts that have a style of their own.
struct TextLine: Equatable {
  var text = ""
  var spans: [TextSpan] = []
  /// True for the rest of a line of the file that was broken before layout.
  var isContinued = false

  /// Creates a line that is complete in the file.
  init(_ text: String, spans: [TextSpan] = []) {
    self.text = text
    self.spans = spans
  }
}

/// Characters of a line with the same style.
struct TextSpan: Equatable {
  /// Range in UTF-8, from the line's first byte.
  var bytes: Range<Int>
  var look: TextLook
}

/// Styles that man(1) writes as overstruck characters, and other programs as escape sequences.
struct TextLook: Equatable {
  var isBold = false
  var isItalic = false
  var isUnderlined = false
  /// Red, green, blue; nil: the text's own ink.
  var color: [UInt8]?

  /// Applies `Select Graphic Rendition` (ECMA-48 §8.3.117), with xterm's extensions for colors.
  ///
  /// Background colors are ignored.
  mutating func select(_ parameters: [Int]) {
    var rest = parameters.isEmpty ? [0] : parameters[...]
    while let code = rest.popFirst() {
      switch code {
      case 0: self = TextLook()
      case 1, 22: isBold = code == 1
      case 3, 23: isItalic = code == 3
      case 4, 24: isUnderlined = code == 4
      case 30...37, 90...97: color = TextLook.inks[code % 10]
      case 38: color = TextLook.extended(&rest)
      case 39: color = nil
      case 48: _ = TextLook.extended(&rest)
      default: break
      }
    }
  }

  /// The eight colors, dark enough for white paper; a terminal's white is the default ink.
  private static let inks: [[UInt8]?] = [
    nil, [192, 0, 0], [0, 120, 0], [136, 96, 0], [0, 0, 192], [144, 0, 144], [0, 112, 128], nil,
  ]

  /// Parses `5;N` of 256 colors, or `2;R;G;B`.
  private static func extended(_ rest: inout ArraySlice<Int>) -> [UInt8]? {
    switch rest.popFirst() {
    case 5:
      guard let index = rest.popFirst() else { return nil }
      switch index {
      case 0...15: return inks[index % 8]
      case 16...231:
        let levels = [0, 95, 135, 175, 215, 255]
        let place = index - 16
        return onPaper([levels[place / 36], levels[place / 6 % 6], levels[place % 6]])
      case 232...255: return onPaper([Int](repeating: 8 + 10 * (index - 232), count: 3))
      default: return nil
      }
    case 2:
      let color = Array(rest.prefix(3))
      rest = rest.dropFirst(3)
      return color.count == 3 ? onPaper(color) : nil
    default: return nil
    }
  }

  /// The color; nil if it is not readable on white.
  private static func onPaper(_ color: [Int]) -> [UInt8]? {
    let color = color.map { min(max($0, 0), 255) }
    let luma = (299 * color[0] + 587 * color[1] + 114 * color[2]) / 1000
    return luma < 200 ? color.map { UInt8($0) } : nil
  }
}
