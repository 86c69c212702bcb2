/// Style of plain text.
package struct TextStyle: Sendable, Equatable, Codable {
  /// The font family; nil: the system's monospaced one.
  package var family: String?
  /// Font size in points; nil: 10 on sheets, 7 on rolls.
  package var size: Double?
  package var alignment = Alignment.start
  package var color = Ink(red: 0, green: 0, blue: 0)
  /// `--number-lines`: each line of the file is preceded by its number.
  package var numbersLines = false

  package init() {}

  /// Alignment of lines in their column.
  package enum Alignment: String, Sendable, Codable, CaseIterable {
    /// The side on which the script starts: left, or right for right-to-left scripts.
    case start
    case left, center, right
    /// Both edges, except for a paragraph's last line.
    case justify
  }

  /// sRGB, 0 to 255.
  package struct Ink: Sendable, Equatable, Codable {
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8

    package init(red: UInt8, green: UInt8, blue: UInt8) {
      self.red = red
      self.green = green
      self.blue = blue
    }

    /// Parses `#rrggbb`, `#rgb`, or one of CSS' basic names (CSS Color 3 §4.1) or of a few for receipts.
    package init?(_ text: String) {
      let text = text.lowercased()
      if let value = Ink.names[text] {
        self.init(value)
        return
      }
      let digits = text.dropFirst()
      guard text.hasPrefix("#"), digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
        return nil
      }
      let whole = digits.count == 3 ? digits.map { "\($0)\($0)" }.joined() : String(digits)
      guard whole.count == 6, let value = Int(whole, radix: 16) else { return nil }
      self.init(value)
    }

    private init(_ value: Int) {
      self.init(
        red: UInt8(value >> 16 & 0xFF), green: UInt8(value >> 8 & 0xFF), blue: UInt8(value & 0xFF))
    }

    package static let names: [String: Int] = [
      "black": 0, "silver": 0xC0C0C0, "gray": 0x808080, "grey": 0x808080, "white": 0xFFFFFF,
      "maroon": 0x800000, "red": 0xFF0000, "purple": 0x800080, "fuchsia": 0xFF00FF,
      "green": 0x008000, "lime": 0x00FF00, "olive": 0x808000, "yellow": 0xFFFF00, "navy": 0x000080,
      "blue": 0x0000FF, "teal": 0x008080, "aqua": 0x00FFFF, "orange": 0xFFA500, "brown": 0xA52A2A,
    ]
  }
}
