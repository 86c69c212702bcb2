internal import CCups
internal import FoundationEssentials
package import PrintModel

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
      parts.filter { $0.isAnswerable && $0.strength == strength }
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

  /// False if it can't be answered, or if another program could parse it differently, as with escapes within quotes.
  var isAnswerable: Bool {
    switch scheme {
    case "negotiate": return true
    case "basic": return parameters["realm"] == nil || text("realm") != nil
    case "digest":
      guard algorithm != nil, text("realm") != nil, text("nonce") != nil,
        parameters["opaque"] == nil || text("opaque") != nil
      else { return false }
      let qualities = parameters["qop"]?.split { $0 == 0x2C || $0 == 0x20 }
      return qualities?.contains { $0.elementsEqual("auth".utf8) } ?? true
    default: return false
    }
  }

  /// A parameter in printable ASCII, without quotation marks and backslashes; nil for any other.
  private func text(_ name: String) -> String? {
    parameters[name].flatMap { value in
      value.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
        ? String(decoding: value, as: UTF8.self) : nil
    }
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

/// Returns a hash; nil for a method that libcups does not support, or that this machine's policy forbids.
///
/// - `method`: in libcups' terms, such as `md5` or `sha2-256`.
func hashed(_ bytes: [UInt8], by method: String) -> [UInt8]? {
  var hash = [UInt8](repeating: 0, count: 64)
  let count = cupsHashData(method, bytes, bytes.count, &hash, hash.count)
  return count > 0 ? Array(hash[..<Int(count)]) : nil
}

/// Answers to a challenge for a name and a password, as Authorization fields (RFC 9110 §11.6.2).
///
/// libcups has a function for this (cupsDoAuthentication), but it leaves the connection in a state in which libcups
/// replaces it by one that nobody has checked.
extension Challenge.SchemeChallenge {
  /// Returns the answer to Basic (RFC 7617) or Digest (RFC 7616); nil for any other scheme, and for a challenge that
  /// can't be answered.
  ///
  /// - `resource`: the request's path.
  /// - `count`: number of requests with this challenge, from 1.
  package func answer(
    _ credentials: Credentials, method: String, resource: String, count: Int,
    clientNonce: String = Challenge.clientNonce()
  ) -> String? {
    guard isAnswerable else { return nil }
    switch scheme {
    case "basic":
      return "Basic "
        + Data("\(credentials.user):\(credentials.password)".utf8).base64EncodedString()
    case "digest":
      return digest(credentials, method, resource, count, clientNonce)
    default: return nil
    }
  }

  private func digest(
    _ credentials: Credentials, _ method: String, _ resource: String, _ count: Int,
    _ clientNonce: String
  ) -> String? {
    guard let algorithm, let realm = text("realm"), let nonce = text("nonce") else { return nil }
    func hash(_ parts: String...) -> String? {
      hashed(
        Array(parts.joined(separator: ":").utf8), by: algorithm == "MD5" ? "md5" : "sha2-256"
      )?.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
    let isProtected = parameters["qop"] != nil
    let number = String(count, radix: 16)
    let nonceCount = String(repeating: "0", count: max(0, 8 - number.count)) + number
    guard let secret = hash(credentials.user, realm, credentials.password),
      let request = hash(method, resource),
      let response = isProtected
        ? hash(secret, nonce, nonceCount, clientNonce, "auth", request)
        : hash(secret, nonce, request)
    else { return nil }
    let user = credentials.user.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    var field =
      "Digest username=\"\(user)\", realm=\"\(realm)\", nonce=\"\(nonce)\", uri=\"\(resource)\", "
      + "algorithm=\(algorithm), response=\"\(response)\""
    if let opaque = text("opaque"), !opaque.isEmpty { field += ", opaque=\"\(opaque)\"" }
    if isProtected { field += ", qop=auth, nc=\(nonceCount), cnonce=\"\(clientNonce)\"" }
    return field
  }
}

extension Challenge {
  /// Makes a nonce of 128 random bits.
  package static func clientNonce() -> String {
    let words = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))
    return String(words.0, radix: 16) + String(words.1, radix: 16)
  }
}
