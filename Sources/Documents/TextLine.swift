/// A line of a text file, and the parts of it that look different from the rest.
struct TextLine: Equatable {
  var text = ""
  var spans: [TextSpan] = []
  /// The rest of a line of the file that was broken before it was laid out.
  var isContinued = false

  /// In a line of its own: the text as it stands.
  init(_ text: String, spans: [TextSpan] = []) {
    self.text = text
    self.spans = spans
  }
}

/// Some of a line's characters that look alike.
struct TextSpan: Equatable {
  /// In UTF-8, from the line's first byte.
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

  /// Obeys `Select Graphic Rendition` (ECMA-48 §8.3.117), with what xterm added for colors.
  ///
  /// Backgrounds stay those of the paper.
  mutating func select(_ parameters: [Int]) {
    var rest = parameters.isEmpty ? [0] : parameters[...]
    while let code = rest.popFirst() {
      switch code {
      case 0: self = TextLook()
      case 1: isBold = true
      case 3: isItalic = true
      case 4: isUnderlined = true
      case 22: isBold = false
      case 23: isItalic = false
      case 24: isUnderlined = false
      case 30...37: color = TextLook.inks[code - 30]
      case 90...97: color = TextLook.inks[code - 90]
      case 38: color = TextLook.extended(&rest)
      case 39: color = nil
      case 48: _ = TextLook.extended(&rest)
      default: break
      }
    }
  }

  /// The eight colors, dark enough for white paper; a terminal's white is ink.
  private static let inks: [[UInt8]?] = [
    nil, [192, 0, 0], [0, 120, 0], [136, 96, 0], [0, 0, 192], [144, 0, 144], [0, 112, 128], nil,
  ]

  /// `5;N` of 256 colors, or `2;R;G;B`.
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

  /// nil for a color that can't be read on white.
  private static func onPaper(_ color: [Int]) -> [UInt8]? {
    let color = color.map { min(max($0, 0), 255) }
    let luma = (299 * color[0] + 587 * color[1] + 114 * color[2]) / 1000
    return luma < 200 ? color.map { UInt8($0) } : nil
  }
}
