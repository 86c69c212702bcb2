/// A server's challenge for credentials: the field WWW-Authenticate in its parts (RFC 9110
/// §11.6.1).
///
/// The challenge for libcups is written anew from these parts, one scheme at a time: it parts the field at blanks
/// where others see commas, and answers whichever word it knows (cups_auth_scheme in cups/auth.c). Bytes
/// are compared, never Characters: a combining mark behind a quote is still a quote.
package struct Challenge: Equatable {
  /// One challenge: its scheme and its parameters, names in lower case.
  ///
  /// The first of a name counts.
  package struct SchemeChallenge: Equatable {
    package var scheme: String
    var parameters: [String: [UInt8]] = [:]
  }

  package var parts: [SchemeChallenge]

  /// A word before `=` is a parameter's name, every other word is a scheme, whether blanks or commas stand between
  /// them.
  ///
  /// What can't be read ends the field.
  package init(_ field: String) {
    var reader = Reader(field)
    parts = []
    while let word = reader.word() {
      if reader.takesEquals() {
        // A token68 as Negotiate has it is no parameter, nor is one before any scheme.
        guard let value = reader.value() else { break }
        guard !parts.isEmpty else { continue }
        let last = parts.count - 1
        parts[last].parameters[word] = parts[last].parameters[word] ?? value
      } else {
        parts.append(SchemeChallenge(scheme: word))
      }
    }
  }

  /// The challenges that may be answered, the strongest first: a password itself only over a
  /// connection that was agreed for it.
  package func answerable(tellsPasswords: Bool) -> Challenge {
    var challenge = self
    challenge.parts = SchemeChallenge.strengths.flatMap { strength in
      parts.filter { $0.field != nil && $0.strength == strength }
    }.filter { tellsPasswords || $0.scheme != "basic" }
    return challenge
  }

  var isEmpty: Bool { parts.isEmpty }
  var takesPasswords: Bool { parts.contains { ["basic", "digest"].contains($0.scheme) } }
  package func has(_ scheme: String) -> Bool { parts.contains { $0.scheme == scheme } }
}

extension Challenge.SchemeChallenge {
  /// Algorithms that libcups 2.4 computes (_httpSetDigestAuthString in cups/http-support.c); no
  /// algorithm is MD5.
  private static let algorithms = ["SHA-256", "MD5"]

  fileprivate static let strengths = ["negotiate", "SHA-256", "MD5", "basic"]

  fileprivate var strength: String { scheme == "digest" ? algorithm ?? "" : scheme }

  private var algorithm: String? {
    guard let stated = parameters["algorithm"] else { return "MD5" }
    let name = String(decoding: stated, as: UTF8.self).uppercased()
    return Challenge.SchemeChallenge.algorithms.first { $0.utf8.elementsEqual(name.utf8) }
  }

  /// The field for this scheme alone; nil for one that libcups can't answer, or could read differently: it
  /// knows no escapes within quotes.
  package var field: String? {
    switch scheme {
    case "negotiate": return "Negotiate"
    case "basic":
      return parameters["realm"] == nil ? "Basic" : quoted("realm").map { "Basic \($0)" }
    case "digest":
      guard let algorithm, let realm = quoted("realm"), let nonce = quoted("nonce") else {
        return nil
      }
      var field = "Digest \(realm), \(nonce), algorithm=\(algorithm)"
      if let opaque = parameters["opaque"] {
        guard !opaque.isEmpty else { return field }
        guard let opaque = quoted("opaque") else { return nil }
        field += ", \(opaque)"
      }
      guard let stated = parameters["qop"] else { return field }
      let qualities = stated.split { $0 == 0x2C || $0 == 0x20 }
      guard qualities.contains(where: { $0.elementsEqual("auth".utf8) }) else { return nil }
      return field + ", qop=\"auth\""
    default: return nil
    }
  }

  private func quoted(_ name: String) -> String? {
    guard let value = parameters[name],
      value.allSatisfy({ (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C })
    else { return nil }
    return "\(name)=\"\(String(decoding: value, as: UTF8.self))\""
  }
}

/// Reads the field from its front.
private struct Reader {
  private var rest: ArraySlice<UInt8>

  /// No honest field is longer.
  private static let longest = 8192

  init(_ field: String) { rest = Array(field.utf8.prefix(Reader.longest))[...] }

  /// The next token in lower case, behind commas and blanks; nil at the end, or where there is none.
  mutating func word() -> String? {
    rest = rest.drop { $0 == 0x2C || Reader.isBlank($0) }
    let token = rest.prefix(while: Reader.isOfToken)
    guard !token.isEmpty else { return nil }
    rest = rest.dropFirst(token.count)
    return String(decoding: token, as: UTF8.self).lowercased()
  }

  /// True when `=` and a value follow.
  mutating func takesEquals() -> Bool {
    let behind = rest.drop(while: Reader.isBlank)
    guard behind.first == 0x3D else { return false }
    rest = behind.dropFirst().drop(while: Reader.isBlank)
    return true
  }

  /// A token, or what is between quotes, escapes as they are; nil where the quotes have no end.
  mutating func value() -> [UInt8]? {
    guard rest.first == 0x22 else {
      // Padding of a token68 too.
      let token = rest.prefix { !Reader.isBlank($0) && $0 != 0x2C && $0 != 0x22 }
      rest = rest.dropFirst(token.count)
      return Array(token)
    }
    var value: [UInt8] = []
    var isEscaped = false
    for (index, byte) in zip(rest.indices, rest).dropFirst() {
      if byte == 0x22, !isEscaped {
        rest = rest[(index + 1)...]
        return value
      }
      value.append(byte)
      isEscaped = byte == 0x5C && !isEscaped
    }
    return nil
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// RFC 9110 §5.6.2, and the slash of a token68.
  private static func isOfToken(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
      || "!#$%&'*+-.^_`|~/".utf8.contains(byte)
  }
}
