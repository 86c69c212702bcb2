import PrintModel
import Testing

@Suite struct FailureTests {
  @Test(arguments: [
    (FailureReason.unavailable, "Till does not answer: it refuses. Is it on?", "does not answer"),
    (.untrusted, "Till's certificate has changed. It may be.", "certificate has changed"),
    (.refused, "Till: the printer supports only TLS 1.0.", "the printer supports only TLS 1.0"),
    (.notNow, "Till is busy: try later. Nothing was sent.", "is busy: try later"),
  ])
  func `a list has room for few words`(_ reason: FailureReason, _ message: String, _ words: String)
  {
    #expect(Failure(reason, message).inShort(at: "Till") == words)
  }

  @Test func `a word and an exit status stand for one reason`() {
    #expect(Set(FailureReason.allCases.map(\.rawValue)).count == FailureReason.allCases.count)
    for code in ExitCode.allCases where code != .success {
      #expect(FailureReason(code)?.exitCode == code)
    }
    #expect(FailureReason(.success) == nil)
    #expect(FailureReason(.unavailable) == .unavailable && FailureReason(.document) == .document)
  }

  @Test func `the command of a hint stays by itself`() {
    let failure = Failure(
      .untrusted, "Till's certificate has changed.", hints: ["Run: airprint trust Till"],
      fix: "airprint trust Till")
    #expect(failure.of("x.pdf").fix == "airprint trust Till")
    #expect(failure.message == "Till's certificate has changed. Run: airprint trust Till")
    #expect("Till's certificate has changed".after("Till") == "its certificate has changed")
    #expect("Till: no paper".after("Till") == "no paper" && "Tills on".after("Till") == "Tills on")
  }

  @Test func `a part's failure keeps its reason, and a hint follows it`() {
    let failure = Failure(.unreadable, "No such file.", hints: ["See a."], about: "x.pdf")
    #expect(failure.message == "No such file. See a.")
    let part = failure.of("--overlay x.pdf").adding("See b.")
    #expect(part.message == "--overlay x.pdf: No such file. See a. See b.")
    #expect(part.reason == .unreadable && part.subject == "x.pdf" && part.code == .unreadable)
  }
}
