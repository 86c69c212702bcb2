internal import PrintModel

/// A receipt as it was written (airprint-receipt(5)): plain values, before anybody knows its paper.
struct Receipt: Equatable {
  /// Tickets cut off one after the other; each has lines.
  var parts: [[Line]] = []

  struct Line: Equatable {
    /// In the file, from 1.
    var number: Int
    var content: Content
  }

  enum Content: Equatable {
    case text(String, Style, Alignment)
    /// The first at the left, the others at the right.
    case columns([String], Style)
    case rule(isDouble: Bool)
    case code(Code, Alignment)
    /// A picture by the name that it has in the receipt; `width` in 1/100 mm, nil for its own.
    case picture(String, width: Hundredths?, Alignment)
  }

  struct Style: Hashable {
    var isBold = false
    /// Magnification over the usual letters, across and along the paper: 1 or 2.
    var across = 1
    var along = 1
  }

  enum Alignment: Equatable {
    /// Text on the side where its script begins, codes and pictures in the middle.
    case natural
    case left, center, right
  }

  /// The symbol that a scanner reads.
  enum Code: Equatable {
    /// `width` of the dark part in 1/100 mm, nil for the usual size of a module.
    case qr(String, QRLevel, width: Hundredths?)
    case bars(String, BarcodeKind, height: Hundredths, hasText: Bool)
  }

  /// Share of a QR code that may be lost (ISO/IEC 18004): about 7, 15, 25 and 30 %.
  enum QRLevel: String, CaseIterable { case L, M, Q, H }

  /// The pictures that it names, each once, in the order of their first lines.
  var pictures: [String] {
    var names: [String] = []
    for line in parts.joined() {
      if case .picture(let name, _, _) = line.content, !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// Its text has characters that fonts may have in colors.
  var hasEmoji: Bool {
    parts.joined().contains { line in
      switch line.content {
      case .text(let text, _, _): text.hasEmoji
      case .columns(let texts, _): texts.contains { $0.hasEmoji }
      case .rule, .code, .picture: false
      }
    }
  }
}
