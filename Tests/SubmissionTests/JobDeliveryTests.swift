import IPP
@testable import PrintModel
import Testing

@testable import Submission

/// A job on its way to the printer, as tables of events and actions.
@Suite struct JobDeliveryTests {
  /// Returns the actions after each of `events`, as words, starting with the initial ones.
  private func actions(
    _ events: [JobDelivery.Event], createsFirst: Bool = true, waits: Bool = true
  ) -> [[String]] {
    var delivery = JobDelivery(.test(createsFirst: createsFirst, waits: waits))
    return [delivery.begin().map(\.word)] + events.map { delivery.receive($0).map(\.word) }
  }

  private static let asked: [JobDelivery.Event] = [.opened, .turnCame]
  private static let sent: [JobDelivery.Event] = asked + [.created(job: 7)]

  @Test func `a job that goes well`() {
    #expect(
      actions(Self.sent + [.taken(job: 7)]) == [
        ["open"], ["turn"], ["create"], ["send 7"], ["deliver 7"],
      ])
    #expect(
      actions(Self.asked + [.taken(job: 7)], createsFirst: false) == [
        ["open"], ["turn"], ["print"], ["deliver 7"],
      ])
  }

  @Test func `what the printer insists on and the job has not is refused before anything is sent`()
  {
    var submission = JobSubmission.test()
    submission.capabilities.mandatory = ["job-account-id"]
    #expect(JobDelivery(submission).begin().map(\.word) == ["fail 76"])
  }

  @Test func `what it insists on is quoted for the shell`() throws {
    var submission = JobSubmission.test()
    submission.capabilities.mandatory = ["$(touch x)"]
    guard case .fail(let error)? = JobDelivery(submission).begin().first else {
      throw Failure(.fault, "It is sent.")
    }
    #expect(error.outcome.message?.contains("add -o '$(touch x)'=VALUE") == true)
  }

  /// Nothing of the document was sent: each strategy is tried, but only as often as it may help.
  @Test(arguments: [
    (RetryStrategy?.none, 0, ["fail 76"]),
    (.withoutCompression, 1, ["note", "open"]),
    (.without(["print-color-mode"]), 1, ["note", "open"]),
    (.without(["never-sent"]), 0, ["fail 76"]),
    (.plain, 1, ["note", "settle"]),
    (.anew, 3, ["open"]),
    (.later(why: "busy"), 9, ["wait"]),
    (.later(why: "no answer", isCleaned: true), 9, ["wait, cleaning"]),
  ])
  func `a failure before the first byte`(
    _ strategy: RetryStrategy?, _ most: Int, _ first: [String]
  ) {
    var delivery = JobDelivery(.test())
    for event in Self.asked { _ = delivery.receive(event) }
    let error = SubmitError(.refused, "No.", retryStrategy: strategy)
    for _ in 0..<most {
      let actions = delivery.receive(.failed(error, .unsent)).map(\.word)
      #expect(actions == ["retract"] + first)
      if actions.last != "open" {
        #expect(delivery.receive(.waited(goesOn: true)).map(\.word) == ["open"])
      }
      // The job keeps its turn.
      #expect(delivery.receive(.opened).map(\.word) == ["create"])
    }
    let last = delivery.receive(.failed(error, .unsent)).map(\.word)
    #expect(last == ["retract"] + (most == 9 ? first : ["fail 76"]))
    // Without proof, there is no other attempt.
    #expect(delivery.receive(.failed(error, nil)).map(\.word) == ["fail 76"])
  }

  @Test func `what another attempt does otherwise`() {
    func submission(after strategy: RetryStrategy) -> JobSubmission {
      var delivery = JobDelivery(.test())
      for event in Self.asked { _ = delivery.receive(event) }
      _ = delivery.receive(.failed(SubmitError(.refused, "No.", retryStrategy: strategy), .unsent))
      return delivery.submission
    }
    #expect(JobSubmission.test().compresses && !JobSubmission.test().usesIPP11)
    #expect(!submission(after: .withoutCompression).compresses)
    #expect(submission(after: .plain).usesIPP11)
    let left = submission(after: .without(["media-col"])).ticket.attributes
    #expect(left.map(\.name) == ["print-color-mode", "media"])
    #expect(left.last?.values.first?.string == "iso_a4_210x297mm")
    #expect(submission(after: .without(["media-col", "media"])).ticket.attributes.count == 1)
  }

  @Test func `why a busy printer is asked again`() {
    #expect(
      JobSubmission.test().refusal(Response(status: .busy)).retryStrategy == .later(why: "busy"))
  }

  /// The same paper from the same tray is nothing to tell.
  @Test func `what is left out is minor if another attribute says the same`() {
    var submission = JobSubmission.test()
    #expect(submission.change(by: .without(["media-col"]))?.isMinor == true)
    #expect(submission.change(by: .without(["print-color-mode"]))?.isMinor == false)
  }

  @Test(arguments: [
    (String?.none, ["tray-1", "tray-2"], false),
    ("tray-1", ["tray-1"], false),
    ("tray-2", ["tray-1", "tray-2"], true),
  ])
  func `a tray that is lost with media-col is reported`(
    _ tray: String?, _ trays: [String], _ isLost: Bool
  ) throws {
    var submission = JobSubmission.test()
    submission.ticket.paper.source = tray
    submission.capabilities.sources = trays
    var delivery = JobDelivery(submission)
    for event in Self.asked { _ = delivery.receive(event) }
    let error = SubmitError(.refused, "No.", retryStrategy: .without(["media-col"]))
    let report = try #require(delivery.receive(.failed(error, .unsent)).dropFirst().first)
    if case .report(.told(.note(let words))) = report {
      #expect(isLost && words.hasSuffix("from any tray."))
    } else {
      #expect(!isLost)
    }
    #expect(delivery.submission.ticket.paper.source == (isLost ? nil : tray))
  }

  @Test func `a printer that stays busy: the job ends unsent, or is not waited for at all`() throws
  {
    let busy = SubmitError(.refused, "No.", retryStrategy: .later(why: "busy with a fax"))
    var delivery = JobDelivery(.test())
    for event in Self.asked + [.failed(busy, .unsent)] { _ = delivery.receive(event) }
    let end = try #require(delivery.receive(.waited(goesOn: false)).first)
    guard case .fail(let error) = end else { return #expect(Bool(false), "\(end)") }
    #expect(error.outcome.exitCode == .notNow)
    #expect(error.outcome.message == "Lab stayed busy with a fax for 60 s (--timeout).")
    #expect(actions(Self.asked + [.failed(busy, .unsent)], waits: false).last?.last == "fail 76")
  }

  /// Refused after it was sent: another attempt only if the printer's own report supports it.
  @Test(arguments: [
    // The job waits for its document: it is canceled and sent once more.
    (
      JobAnswer.status(.empty), ["cancel 7"],
      CancelResult?.some(.over(JobStatus(id: 7, state: .canceled))), ["retract", "note", "open"]
    ),
    (.status(.empty), ["cancel 7"], .gone, ["retract", "note", "open"]),
    // It may still print.
    (.status(.empty), ["cancel 7"], .accepted, ["note", "follow 7"]),
    (.status(.empty), ["cancel 7"], .silence("no answer"), ["note", "follow 7"]),
    // It was printed in that moment.
    (
      .status(.empty), ["cancel 7"], .over(JobStatus(id: 7, state: .completed, impressions: 3)),
      ["note", "follow 7"]
    ),
    (
      .status(JobStatus.unbegun(.aborted)), ["retract", "note", "open"], nil,
      []
    ),
    (.status(JobStatus(id: 7, state: .aborted)), ["note", "follow 7"], nil, []),
    (.status(JobStatus(id: 7, state: .aborted, impressions: 1)), ["note", "follow 7"], nil, []),
    (.status(JobStatus(id: 7, state: .processing)), ["note", "follow 7"], nil, []),
    (.status(JobStatus(id: 7, state: .completed)), ["note", "follow 7"], nil, []),
    (.unknown(.notFound), ["note", "follow 7"], nil, []),
    (.silence("no answer"), ["note", "follow 7"], nil, []),
  ])
  func `a refusal of the document`(
    _ answer: JobAnswer, _ first: [String], _ canceled: CancelResult?, _ second: [String]
  ) {
    let refusal = DocumentRefusal(
      ending: SubmitError(.refused, "No.", job: 7, retryStrategy: .withoutCompression),
      status: .compressionError)
    var events = Self.sent + [.refused(refusal), .answered(answer)]
    if let canceled { events.append(.canceled(canceled)) }
    let all = actions(events)
    #expect(all[4] == ["ask 7"])
    #expect(all[5] == first)
    if canceled != nil { #expect(all[6] == second) }
  }

  @Test(arguments: [
    (JobIdentity?.some(9), ["adopt 9", "ask 9"]), (nil, ["fail 74"]),
  ])
  func `a refusal of Print-Job, whose job has to be found`(_ found: JobIdentity?, _ next: [String])
  {
    var refusal = DocumentRefusal(
      ending: SubmitError(.refused, "No.", retryStrategy: .withoutCompression),
      status: .compressionError)
    let all = actions(Self.asked + [.refused(refusal), .found(found)], createsFirst: false)
    #expect(all[3...] == [["find"], next])
    // The answer came before the first byte of the document.
    refusal.nothingSent = .unsent
    #expect(
      actions(Self.asked + [.refused(refusal)], createsFirst: false).last == [
        "retract", "note", "open",
      ])
  }

  /// Some print what they report as aborted, or canceled while it waited: 22 copies in ten seconds (measured).
  @Test(
    arguments: [
      [.answered(.status(JobStatus.unbegun(.aborted)))],
      [
        .answered(.status(.empty)),
        .canceled(.over(JobStatus.unbegun(.canceled))),
      ],
    ] as [[JobDelivery.Event]])
  func `a busy printer that refuses the document gets it three times more, not for ever`(
    _ confirmation: [JobDelivery.Event]
  ) {
    let refusal = DocumentRefusal(
      ending: SubmitError(.notNow, "Busy.", job: 7, retryStrategy: .later(why: "busy")),
      status: .busy)
    var delivery = JobDelivery(.test())
    for event in Self.asked { _ = delivery.receive(event) }
    for round in 0...3 {
      let events = [.created(job: 7), .refused(refusal)] + confirmation
      let last = events.map { delivery.receive($0).map(\.word) }.last
      #expect(last == ["retract", round < 3 ? "wait" : "fail 75"])
      for event in [.waited(goesOn: true), .opened] as [JobDelivery.Event] {
        _ = delivery.receive(event)
      }
    }
  }

  /// Its data may be insufficient because the printer had a part of it, which it may print.
  @Test func `a document that was refused in its middle is not sent again`() {
    let refusal = DocumentRefusal(
      ending: SubmitError(.notNow, "Busy.", job: 7, retryStrategy: .later(why: "busy")),
      status: .busy)
    let waiting = JobStatus(id: 7, state: .pending, reasons: ["job-data-insufficient"])
    let all = actions(
      Self.sent + [
        .refused(refusal), .answered(.status(waiting)),
        .canceled(.over(JobStatus.unbegun(.canceled))),
      ])
    #expect(all[5] == ["cancel 7"])
    #expect(all[6] == ["note", "follow 7"])
    let canceled = JobOutcome(exitCode: .canceled, jobId: 7, message: "So.")
    #expect(
      actions(
        Self.sent + [
          .refused(refusal), .answered(.status(waiting)), .canceled(.accepted),
          .ended(canceled, isDelivered: false),
        ]
      ).last == ["fail 74"])
  }

  /// The printer reports why it stopped until the timeout: the connection did not break.
  @Test func `a stopped printer's word on the job is the end of a document that it has`() throws {
    var delivery = JobDelivery(.test())
    for event in Self.sent { _ = delivery.receive(event) }
    #expect(delivery.receive(.stalled).map(\.word) == ["follow 7"])
    let given = JobOutcome(exitCode: .notNow, jobId: 7, message: "No progress on Lab for 60 s.")
    let end = delivery.receive(.ended(given, isDelivered: true))
    #expect(end == [.fail(SubmitError(given))])
  }

  @Test(arguments: [
    (JobIdentity?.some(9), ["adopt 9", "waiting", "follow 9"]), (nil, ["fail 74"]),
  ])
  func `Print-Job's answer is lost`(_ found: JobIdentity?, _ next: [String]) {
    let all = actions(Self.asked + [.lost(nil), .found(found)], createsFirst: false)
    #expect(all[3...] == [["find"], next])
  }

  /// Another till may have sent one of the same name, for the same user.
  @Test(
    arguments: [
      (JobStatus(id: 9, state: .completed, impressions: 3), 82),
      (JobStatus(id: 9, state: .completed), 74), (JobStatus(id: 9, state: .canceled), 74),
      (JobStatus.unbegun(.aborted, id: 9), 74),
    ])
  func `a job that is known by its name alone proves nothing`(_ end: JobStatus, _ code: Int) {
    var delivery = JobDelivery(.test(createsFirst: false))
    let found = JobIdentity(end, isFound: true)
    for event in Self.asked + [.lost(nil), .found(found)] { _ = delivery.receive(event) }
    let outcome = JobOutcome(end, at: "Lab", sides: 3)
    let last = delivery.receive(.ended(outcome, isDelivered: true))
    guard case .fail(let error)? = last.last else {
      Issue.record("\(last)")
      return
    }
    #expect(error.outcome.exitCode.rawValue == Int32(code))
    #expect(error.outcome.nothingPrinted == nil && error.retryStrategy == nil)
  }

  @Test func `a document that is wanted in another form is sent again in the same job`() {
    let again: [JobDelivery.Event] = [.wantedAgain, .opened]
    #expect(actions(Self.sent + again)[4...] == [["open"], ["send 7"]])
    #expect(actions(Self.asked + again, createsFirst: false)[3...] == [["open"], ["print"]])
  }

  /// An answer that is not IPP is none, but no connection broke.
  @Test func `an HTTP refusal of the whole document is stated`() {
    let refusal = IPPError(.nonsense, "answered HTTP 400 (Bad Request) instead of IPP", of: "host")
    let doubt = DeliveryDoubt.lostAnswer(refusal, of: "Lab")
    #expect(
      doubt.sentence == "Lab answered HTTP 400 (Bad Request) instead of IPP after the document was "
        + "sent; it may have printed.")
    #expect(doubt.what == "it answered HTTP 400 (Bad Request) instead of IPP")
    let broken = DeliveryDoubt.lostAnswer(IPPError(.broken, "broke"), of: "Lab")
    #expect(broken.sentence.contains("broke after the document was sent"))
  }

  /// Canceled by others while the document was being sent: never reported as printed.
  @Test(arguments: [
    (JobOutcome(exitCode: .canceled, jobId: 7, state: .canceled), "fail 81"),
    (JobOutcome(exitCode: .success, jobId: 7, state: .completed, impressions: 1), "fail 74"),
    (JobOutcome(exitCode: .forgotten, jobId: 7), "fail 74"),
  ])
  func `a job that was taken back`(_ outcome: JobOutcome, _ end: String) {
    let all = actions(Self.sent + [.withdrawn, .ended(outcome, isDelivered: false)])
    #expect(all[4] == ["note", "follow 7"] && all[5].last == end, "\(all)")
  }

  /// The job of a document whose response was lost has ended: it is never sent again, and the result claims no more
  /// than the printer's count of sheets proves.
  @Test(
    arguments: [
      (ExitCode.success, 3, true, ["note", "fail 0"]), (.success, 3, false, ["fail 74"]),
      (.success, 2, true, ["fail 74"]), (.success, nil, true, ["fail 74"]),
      (.aborted, nil, true, ["fail \(ExitCode.aborted.rawValue)"]),
      (.canceled, nil, false, ["fail \(ExitCode.canceled.rawValue)"]),
      (.notNow, 0, true, ["fail 74"]), (.forgotten, nil, true, ["fail 74"]),
    ] as [(ExitCode, Int?, Bool, [String])])
  func `a job in doubt is over`(
    _ code: ExitCode, _ impressions: Int?, _ isDelivered: Bool, _ end: [String]
  ) {
    let outcome = JobOutcome(exitCode: code, jobId: 7, impressions: impressions, message: "So.")
    let all = actions(Self.sent + [.lost(nil), .ended(outcome, isDelivered: isDelivered)])
    #expect(all[4] == ["waiting", "follow 7"])
    #expect(all[5] == end)
  }

  /// A printer that refused the document did not take it, wherever its last byte went.
  @Test func `a refused document whose job is unknown is not called printed`() {
    let refusal = DocumentRefusal(
      ending: SubmitError(.refused, "No."), status: .notFound)
    var delivery = JobDelivery(.test())
    for event in Self.sent + [.refused(refusal), .answered(.unknown(.notFound))] {
      _ = delivery.receive(event)
    }
    let outcome = JobOutcome.forgotten(by: "Office", job: 7, sides: nil)
    guard case .fail(let end)? = delivery.receive(.ended(outcome, isDelivered: true)).last else {
      Issue.record("It does not end.")
      return
    }
    #expect(end.outcome.exitCode == .inDoubt)
    #expect(end.outcome.message?.contains("probably") == false, "\(end.outcome.message ?? "")")
  }

  @Test func `Ctrl-C ends it in every phase`() {
    let interrupted = SubmitError(.interrupted, "Interrupted.")
    let refusal = DocumentRefusal(ending: SubmitError(.refused, "No."), status: nil)
    let ways: [[JobDelivery.Event]] = [
      [], [.opened], Self.asked, Self.sent, Self.sent + [.refused(refusal)],
      Self.sent + [.refused(refusal), .answered(.status(.empty))], Self.sent + [.lost(nil)],
      Self.asked + [
        .failed(SubmitError(.notNow, "No.", retryStrategy: .later(why: "busy")), .unsent)
      ],
    ]
    for way in ways {
      #expect(actions(way + [.failed(interrupted, nil)]).last == ["fail 130"], "\(way)")
    }
  }
}

/// The state of a job whose document was cut off.
@Suite struct CutDocumentTests {
  private static let printed = JobStatus(id: 7, state: .completed, impressions: 2)

  @Test(arguments: [
    (CancelResult.accepted, JobState?.none, Int?.none), (.silence("no answer"), nil, nil),
    (.over(printed), .completed, 2), (.over(JobStatus(id: 7, state: .canceled)), .canceled, nil),
    (.over(JobStatus.unbegun(.canceled)), .canceled, nil),
  ])
  func `the connection broke`(_ cancelResult: CancelResult, _ state: JobState?, _ impressions: Int?)
  {
    let end = JobSubmission.test().broken(
      IPPError(.broken, "broke"), job: 7, cancelResult: cancelResult)
    #expect(end.outcome.exitCode == .inDoubt && end.retryStrategy == nil)
    #expect(end.outcome.nothingPrinted == nil)
    #expect(end.outcome.state == state && end.outcome.impressions == impressions)
  }

  /// Printers put out pages of which they have only a part.
  @Test(
    arguments: [
      (.over(JobStatus.unbegun(.canceled)), .document, "It is damaged."),
      (.over(JobStatus(id: 7, state: .canceled)), .inDoubt, nil), (.accepted, .inDoubt, nil),
      (.silence("no answer"), .inDoubt, nil), (.gone, .inDoubt, nil),
      (
        .over(JobStatus(id: 7, state: .canceled, impressions: 1)), .inDoubt,
        "It is damaged. 1 page of it came out before that; the rest is canceled."
      ),
      (.over(printed), .inDoubt, "It is damaged. 2 pages of it came out before that."),
    ] as [(CancelResult, ExitCode, String?)])
  func `the document can't be drawn to its end`(
    _ cancelResult: CancelResult, _ code: ExitCode, _ message: String?
  ) {
    let end = SubmitError.cutShort(Failure(.document, "It is damaged."), job: 7, cancelResult)
    #expect(end.outcome.exitCode == code)
    #expect(end.outcome.message == message ?? "It is damaged. Part of it may have printed.")
    #expect((end.outcome.nothingPrinted != nil) == (code == .document))
  }
}

extension JobDelivery.Action {
  fileprivate var word: String {
    switch self {
    case .report(.waiting): "waiting"
    case .report: "note"
    case .retract: "retract"
    case .adopt(let job): "adopt \(job.number)"
    case .openDocument: "open"
    case .awaitTurn: "turn"
    case .createJob: "create"
    case .sendDocument(let job): "send \(job.number)"
    case .printJob: "print"
    case .find: "find"
    case .ask(let job): "ask \(job.number)"
    case .cancel(let job): "cancel \(job.number)"
    case .follow(let job, _): "follow \(job.number)"
    case .settleDown: "settle"
    case .wait(_, let isCleaned): isCleaned ? "wait, cleaning" : "wait"
    case .deliver(let job): "deliver \(job.number)"
    case .fail(let error): "fail \(error.outcome.exitCode.rawValue)"
    }
  }
}

extension NothingPrinted {
  /// Of a job that has not been sent.
  static let unsent = NothingPrinted(
    JobRecord(
      name: "n", file: "f", printer: "Lab", uri: "ipp://lab/", addresses: [], user: "me", created: 1
    ))
}

extension JobStatus {
  /// A job that waits for its document.
  static let empty = {
    var status = JobStatus(id: 7, state: .held, reasons: ["job-data-insufficient"])
    status.isUnprinted = true
    return status
  }()

  /// The end of a job with which the printer had not begun.
  static func unbegun(_ state: JobState, id: Int = 7) -> JobStatus {
    var status = JobStatus(id: id, state: state)
    status.isUnprinted = true
    return status
  }
}

/// A job that the printer has described only by its number.
extension JobIdentity: ExpressibleByIntegerLiteral {
  /// Takes a number as the whole identity.
  public init(integerLiteral number: Int) { self.init(JobStatus(id: number, state: .pending)) }
}

extension JobSubmission {
  /// Returns a submission of three sides to a printer called Lab.
  static func test(createsFirst: Bool = true, waits: Bool = true) -> JobSubmission {
    let paper = Paper(
      name: "iso_a4_210x297mm", size: MediaSize(width: 21_000, length: 29_700), margins: Margins(),
      isReady: true)
    var ticket = Ticket(type: .document, paper: paper, pages: [0, 1, 2])
    (ticket.format, ticket.isPassedThrough) = ("application/pdf", true)
    (ticket.color, ticket.rasterColor, ticket.colorKeyword) = (.gray, .gray, "monochrome")
    ticket.attributes = [
      Attribute("media-col", .collection([])),
      Attribute("print-color-mode", .keyword("monochrome")),
    ]
    var capabilities = Capabilities()
    capabilities.operations = createsFirst ? [2, 4, 5, 6, 8, 9, 10, 11] : [2, 4, 8, 9, 10, 11]
    capabilities.jobAttributes = ["media", "media-col"]
    var submission = JobSubmission(
      name: "report", user: "me", ticket: ticket, capabilities: capabilities, printer: "Lab")
    submission.sides = 3
    submission.handling.timeout = .seconds(60)
    submission.waitsWhileBusy = waits
    return submission
  }
}
