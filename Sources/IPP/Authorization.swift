internal import FoundationEssentials
package import PrintModel

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
    guard field != nil else { return nil }
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

  private func text(_ name: String) -> String? {
    parameters[name].map { String(decoding: $0, as: UTF8.self) }
  }
}

extension Challenge {
  /// Makes a nonce of 128 random bits.
  package static func clientNonce() -> String {
    let words = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))
    return String(words.0, radix: 16) + String(words.1, radix: 16)
  }
}
