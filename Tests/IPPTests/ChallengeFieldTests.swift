import Testing

@testable import IPP

/// WWW-Authenticate in the form that libcups gets: one scheme, whatever surrounded it.
@Suite struct ChallengeFieldTests {
  private static let digest = "Digest realm=\"r\", nonce=\"n\""

  @Test(
    arguments: [
      ("", [], []),
      ("Basic realm=\"a, b\"", [], ["Basic realm=\"a, b\""]),
      ("Basic", [], ["Basic"]),
      ("Negotiate", ["Negotiate"], ["Negotiate"]),
      ("Negotiate YWJj==, Basic realm=x", ["Negotiate"], ["Negotiate", "Basic realm=\"x\""]),
      (
        "basic realm=x,DIGEST nonce=n , qop=\"auth-int, auth\",realm=\"r\", stale=true",
        ["\(digest), algorithm=MD5, qop=\"auth\""],
        ["\(digest), algorithm=MD5, qop=\"auth\"", "Basic realm=\"x\""]
      ),
      // The strongest scheme comes first.
      (
        "\(digest), opaque=\"\", \(digest), algorithm=sha-256, opaque=o",
        ["\(digest), algorithm=SHA-256, opaque=\"o\"", "\(digest), algorithm=MD5"],
        ["\(digest), algorithm=SHA-256, opaque=\"o\"", "\(digest), algorithm=MD5"]
      ),
      // Schemes that libcups does not support, or parses differently, are not passed to it.
      ("\(digest), algorithm=SHA-512-256 Basic realm=\"r\"", [], ["Basic realm=\"r\""]),
      ("\(digest), algorithm=MD5-sess", [], []),
      ("\(digest), qop=\"auth-int\"", [], []),
      ("Digest realm=\"a\\\" Basic realm=\\\"b\", nonce=n", [], []),
      ("Digest realm=\"a\u{301}\", nonce=\"n\"", [], []),
      ("Digest realm=\"a\", nonce=\"n\u{301}, Basic realm=\"b\"", [], []),
      ("Digest realm=\"endless, Basic realm=b", [], []),
      ("Bearer realm=x, PeerCred, Local trc=\"y\"", [], []),
      ("realm=x", [], []),
    ] as [(String, [String], [String])])
  func `each scheme by itself`(_ field: String, _ plain: [String], _ encrypted: [String]) {
    let challenge = Challenge(field)
    #expect(
      challenge.answerable(tellsPasswords: false, hasTicket: true).parts.map(\.field) == plain)
    #expect(
      challenge.answerable(tellsPasswords: true, hasTicket: true).parts.map(\.field) == encrypted)
  }
}
