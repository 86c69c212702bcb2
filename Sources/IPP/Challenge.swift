/// A server's challenge for credentials: the parts of the WWW-Authenticate field (RFC 9110 §11.6.1).
///
/// Compare bytes, never Characters: a quote followed by a combining mark is still a quote.
package struct Challenge: Equatable {
  /// One challenge: its scheme and its parameters, with names in lower case.
  ///
  /// If a name repeats, the first one counts.
  package struct SchemeChallenge: Equatable {
    package var scheme: String
    var parameters: [String: [UInt8]] = [:]
  }

  package var parts: [SchemeChallenge]

  /// Parses the field: a word before `=` is a parameter's name, every other word is a scheme, whether blanks or commas
  /// separate them.
  ///
  /// Parsing stops at the first syntax error.
  package init(_ field: String) {
    var reader = Reader(field)
    parts = []
    while let word = reader.word() {
      if reader.takesEquals() {
        // A token68, as in Negotiate, is not a parameter, and neither is a value before the first scheme.
        guard let value = reader.value() else { break }
        guard !parts.isEmpty else { continue }
        let last = parts.count - 1
        parts[last].parameters[word] = parts[last].parameters[word] ?? value
      } else {
        parts.append(SchemeChallenge(scheme: word))
      }
    }
  }

  /// Returns the challenges that may be answered, strongest first.
  ///
  /// The password itself is sent only over a connection that was agreed for it.
  ///
  /// - `hasTicket`: true if a Kerberos ticket may be sent, and there may be one.
  package func answerable(tellsPasswords: Bool, hasTicket: Bool) -> Challenge {
    var challenge = self
    challenge.parts = SchemeChallenge.strengths.flatMap { strength in
      parts.filter { $0.field != nil && $0.strength == strength }
    }.filter {
      (tellsPasswords || $0.scheme != "basic") && (hasTicket || $0.scheme != "negotiate")
    }
    return challenge
  }

  var isEmpty: Bool { parts.isEmpty }
  var takesPasswords: Bool { parts.contains { ["basic", "digest"].contains($0.scheme) } }
  package func has(_ scheme: String) -> Bool { parts.contains { $0.scheme == scheme } }
}

extension Challenge.SchemeChallenge {
  /// Supported Digest algorithms; none stated is MD5.
  private static let algorithms = ["SHA-256", "MD5"]

  fileprivate static let strengths = ["negotiate", "SHA-256", "MD5", "basic"]

  fileprivate var strength: String { scheme == "digest" ? algorithm ?? "" : scheme }

  var algorithm: String? {
    guard let stated = parameters["algorithm"] else { return "MD5" }
    let name = String(decoding: stated, as: UTF8.self).uppercased()
    return Challenge.SchemeChallenge.algorithms.first { $0.utf8.elementsEqual(name.utf8) }
  }

  /// The field for this scheme alone; nil if it can't be answered, or if others could parse it differently, as with
  /// escapes within quotes.
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

/// Parses the field from left to right.
private struct Reader {
  private var rest: ArraySlice<UInt8>

  /// Longest field read; no real one is longer.
  private static let longest = 8192

  init(_ field: String) { rest = Array(field.utf8.prefix(Reader.longest))[...] }

  /// Reads the next token in lower case, after commas and blanks; nil at the end, or if there is none.
  mutating func word() -> String? {
    rest = rest.drop { $0 == 0x2C || Reader.isBlank($0) }
    let token = rest.prefix(while: Reader.isOfToken)
    guard !token.isEmpty else { return nil }
    rest = rest.dropFirst(token.count)
    return String(decoding: token, as: UTF8.self).lowercased()
  }

  /// Consumes `=`; returns true if it was there.
  mutating func takesEquals() -> Bool {
    let behind = rest.drop(while: Reader.isBlank)
    guard behind.first == 0x3D else { return false }
    rest = behind.dropFirst().drop(while: Reader.isBlank)
    return true
  }

  /// Reads a token, or a quoted string with its escapes unchanged; nil if the closing quote is missing.
  mutating func value() -> [UInt8]? {
    guard rest.first == 0x22 else {
      // This includes the padding of a token68.
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

  /// Matches token characters (RFC 9110 §5.6.2), and the slash of a token68.
  private static func isOfToken(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
      || "!#$%&'*+-.^_`|~/".utf8.contains(byte)
  }
}
