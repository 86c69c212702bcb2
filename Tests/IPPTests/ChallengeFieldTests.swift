import PrintModel
import Testing

@testable import IPP

/// WWW-Authenticate: which challenges are answered, whatever surrounds them, and in which order.
@Suite struct ChallengeFieldTests {
  private static let digest = "Digest realm=\"r\", nonce=\"n\""
  /// What an answer repeats of it.
  private static let again = "realm=\"r\", nonce=\"n\""

  @Test(
    arguments: [
      ("", [], []),
      ("Basic realm=\"a, b\"", [], ["basic"]),
      ("Basic", [], ["basic"]),
      ("Negotiate", ["negotiate"], ["negotiate"]),
      ("Negotiate YWJj==, Basic realm=x", ["negotiate"], ["negotiate", "basic"]),
      (
        "basic realm=x,DIGEST nonce=n , qop=\"auth-int, auth\",realm=\"r\", stale=true",
        ["\(again), algorithm=MD5, qop=auth"], ["\(again), algorithm=MD5, qop=auth", "basic"]
      ),
      // The strongest scheme comes first.
      (
        "\(digest), opaque=\"\", \(digest), algorithm=sha-256, opaque=o",
        ["\(again), algorithm=SHA-256, opaque=\"o\"", "\(again), algorithm=MD5"],
        ["\(again), algorithm=SHA-256, opaque=\"o\"", "\(again), algorithm=MD5"]
      ),
      // Schemes that are not supported, or that others could parse differently.
      ("\(digest), algorithm=SHA-512-256 Basic realm=\"r\"", [], ["basic"]),
      ("\(digest), algorithm=MD5-sess", [], []),
      ("\(digest), qop=\"auth-int\"", [], []),
      ("\(digest), opaque=\"\", qop=\"auth-int\"", [], []),
      ("Digest realm=\"a\\\" Basic realm=\\\"b\", nonce=n", [], []),
      ("Digest realm=\"a\u{301}\", nonce=\"n\"", [], []),
      ("Digest realm=\"a\", nonce=\"n\u{301}, Basic realm=\"b\"", [], []),
      ("Digest realm=\"endless, Basic realm=b", [], []),
      ("Bearer realm=x, PeerCred, Local trc=\"y\"", [], []),
      ("realm=x", [], []),
    ] as [(String, [String], [String])])
  func `each scheme by itself`(_ field: String, _ plain: [String], _ encrypted: [String]) {
    let challenge = Challenge(field)
    func answers(tellingPasswords: Bool) -> [String] {
      challenge.answerable(tellsPasswords: tellingPasswords, hasTicket: true).parts.map(Self.answer)
    }
    #expect(answers(tellingPasswords: false) == plain)
    #expect(answers(tellingPasswords: true) == encrypted)
  }

  /// Returns the scheme, or what an answer to Digest repeats of the challenge.
  private static func answer(to part: Challenge.SchemeChallenge) -> String {
    guard part.scheme == "digest" else { return part.scheme }
    let answer = part.answer(
      Credentials(user: "u", password: "p"), method: "POST", resource: "/", count: 1,
      clientNonce: "c")
    let own = ["Digest username", "uri", "response", "nc", "cnonce"]
    return (answer ?? "").replacing(", ", with: "\n").split(separator: "\n").filter { field in
      !own.contains { field.hasPrefix("\($0)=") }
    }.joined(separator: ", ")
  }
}
