/// Collects the characters of a line, and interprets overstriking and terminals' escape sequences.
struct StyledLine {
  private var scalars: [(scalar: Unicode.Scalar, look: TextLook)] = []
  /// The character that the next one overstrikes.
  private var struck: (scalar: Unicode.Scalar, look: TextLook)?
  /// The style selected by escape sequences, which continues on the following lines.
  private var look = TextLook()
  private var sequence: Sequence = .none

  /// An incomplete sequence (ECMA-48 §5).
  private enum Sequence {
    case none, escape, intermediate
    case control([Unicode.Scalar])
    /// A string for the terminal's window.
    case string
  }

  var count: Int { scalars.count + (struck == nil ? 0 : 1) }

  /// True when `scalar` belongs to a sequence, or is the backspace of an overstruck character.
  mutating func takes(_ scalar: Unicode.Scalar) -> Bool {
    switch sequence {
    case .none: break
    case .escape:
      switch scalar {
      case "[": sequence = .control([])
      case "]", "P", "X", "^", "_": sequence = .string
      case "\u{20}"..."\u{2F}": sequence = .intermediate
      default: sequence = .none
      }
      return true
    case .intermediate:
      if !("\u{20}"..."\u{2F}").contains(scalar) { sequence = .none }
      return true
    case .control(let parameters):
      if ("\u{20}"..."\u{3F}").contains(scalar), parameters.count < 64 {
        sequence = .control(parameters + [scalar])
      } else {
        sequence = .none
        if scalar == "m" { select(parameters) }
      }
      return true
    case .string:
      // It ends with BEL or ST, and one without an end with the line.
      if ["\u{7}", "\n", "\r"].contains(scalar) {
        sequence = .none
        return scalar == "\u{7}"
      }
      if scalar == "\u{1B}" { sequence = .escape }
      return true
    }
    if scalar == "\u{1B}" {
      sequence = .escape
      return true
    }
    if scalar == "\u{8}" {
      struck = scalars.popLast() ?? struck
      return true
    }
    return false
  }

  private mutating func select(_ parameters: [Unicode.Scalar]) {
    let text = String(String.UnicodeScalarView(parameters))
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x3A || $0 == 0x3B }) else {
      return
    }
    look.select(
      text.split(omittingEmptySubsequences: false) { $0 == ";" || $0 == ":" }.map {
        Int($0.prefix(4)) ?? 0
      })
  }

  mutating func append(_ scalar: Unicode.Scalar) {
    guard let below = struck else {
      scalars.append((scalar, look))
      return
    }
    struck = nil
    var (seen, look) = (scalar, below.look)
    if below.scalar == scalar {
      look.isBold = true
    } else if below.scalar == "_" {
      look.isUnderlined = true
    } else if scalar == "_" {
      seen = below.scalar
      look.isUnderlined = true
    }
    scalars.append((seen, look))
  }

  /// Returns the line, and begins the next one.
  mutating func take() -> TextLine {
    if let struck { scalars.append(struck) }
    struck = nil
    var text = String.UnicodeScalarView()
    var spans: [TextSpan] = []
    var place = 0
    for (scalar, look) in scalars {
      text.append(scalar)
      let end = place + UTF8.width(scalar)
      if look != TextLook() {
        if let last = spans.last, last.look == look, last.bytes.upperBound == place {
          spans[spans.count - 1].bytes = last.bytes.lowerBound..<end
        } else {
          spans.append(TextSpan(bytes: place..<end, look: look))
        }
      }
      place = end
    }
    scalars.removeAll(keepingCapacity: true)
    return TextLine(String(text), spans: spans)
  }
}
