/// How a server asks for credentials: the field WWW-Authenticate, in its parts (RFC 9110 §11.6.1).
struct Challenge: Equatable {
  /// A scheme in lower case, and the text that it begins with.
  struct Part: Equatable {
    var scheme: String
    var text: String
  }

  var parts: [Part]

  /// Commas part both challenges and their parameters: what begins with a word and is no `name=value`
  /// begins a challenge.
  init(_ field: String) {
    parts = []
    for piece in Challenge.pieces(field) {
      let word = piece.prefix { $0 != " " && $0 != "\t" }
      if !word.isEmpty, !word.contains("=") {
        parts.append(Part(scheme: word.lowercased(), text: piece))
      } else if !parts.isEmpty {
        parts[parts.count - 1].text += ", " + piece
      }
    }
  }

  /// What may be answered: a password itself only over an encrypted connection.
  func answerable(isEncrypted: Bool) -> Challenge {
    var challenge = self
    let usable = isEncrypted ? ["negotiate", "digest", "basic"] : ["negotiate", "digest"]
    challenge.parts.removeAll { !usable.contains($0.scheme) }
    return challenge
  }

  var isEmpty: Bool { parts.isEmpty }
  var takesPasswords: Bool { parts.contains { ["basic", "digest"].contains($0.scheme) } }
  func has(_ scheme: String) -> Bool { parts.contains { $0.scheme == scheme } }
  /// The field's text again.
  var field: String { parts.map(\.text).joined(separator: ", ") }

  /// Between the commas that stand outside of quotes, without the spaces around.
  private static func pieces(_ field: String) -> [String] {
    var pieces: [String] = []
    var piece = ""
    var isQuoted = false
    var isEscaped = false
    for character in field.prefix(8192) {
      if character == ",", !isQuoted {
        pieces.append(piece)
        piece = ""
        continue
      }
      piece.append(character)
      if character == "\"", !isEscaped { isQuoted.toggle() }
      isEscaped = character == "\\" && !isEscaped
    }
    pieces.append(piece)
    return pieces.map { String($0.drop { $0 == " " || $0 == "\t" }) }.filter { !$0.isEmpty }
  }
}
