import PrintModel
import Testing

@Suite struct FailureTests {
  @Test(arguments: [
    (ExitCode.unavailable, "Till does not answer: it refuses. Is it on?", "does not answer"),
    (.notAllowed, "Till's certificate has changed. It may\n  before", "certificate has changed"),
    (.refused, "Till: the printer supports only TLS 1.0.", "the printer supports only TLS 1.0"),
    (.notNow, "Till is busy: try later. Nothing was sent.", "is busy: try later"),
  ])
  func `a list has room for few words`(_ code: ExitCode, _ message: String, _ words: String) {
    #expect(Failure(code, message).inShort(at: "Till") == words)
  }
}
