internal import PrintModel
internal import Text

/// A receipt as written (airprint-receipt(5)): plain values, independent of the paper.
package struct Receipt: Equatable {
  /// Lines of the tickets that are cut off one after the other.
  var parts: [[Line]] = []
  /// Hints at lines that are printed as text, but may be meant otherwise.
  var hints: [String] = []
  /// U+FFFD stands in place of codes that are no characters.
  var hasNoncharacters = false

  struct Line: Equatable {
    /// Line number in the file, from 1.
    var number: Int
    var content: Content
    /// As `rtl:` and `ltr:` state it; nil: by its text.
    var isRightToLeft: Bool?
  }

  enum Content: Equatable {
    case text(String, CellStyle, CellAlignment)
    /// The first column is at the left, the others are at the right.
    case columns([String], CellStyle)
    case rule(isDouble: Bool)
    case code(Code, CellAlignment)
    /// A picture by its name in the receipt; `width` in 1/100 mm, nil for its own.
    case picture(String, width: Hundredths?, CellAlignment)

    /// Its text, or that of each column.
    var texts: [String] {
      switch self {
      case .text(let text, _, _): [text]
      case .columns(let texts, _): texts
      case .rule, .code, .picture: []
      }
    }
  }

  /// A symbol for scanners.
  enum Code: Equatable {
    /// `width` of the dark part in 1/100 mm; nil for the usual module size.
    case qr(String, QRLevel, width: Hundredths?)
    case bars(String, BarcodeKind, height: Hundredths, hasText: Bool)
  }

  /// Share of a QR code that may be damaged (ISO/IEC 18004): about 7, 15, 25 and 30 %.
  enum QRLevel: String, CaseIterable { case L, M, Q, H }

  /// The names of its pictures, without duplicates, in order of first use.
  package var pictures: [String] {
    var names: [String] = []
    for line in parts.joined() {
      if case .picture(let name, _, _) = line.content, !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// True if its text has characters that fonts may draw in color.
  var hasEmoji: Bool { parts.joined().contains { $0.content.texts.contains(where: \.hasEmoji) } }
}
