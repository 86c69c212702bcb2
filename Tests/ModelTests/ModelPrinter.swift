import FuzzTargets
import IPP
import PrintModel
import System

/// A printer by the book (RFC 8011), on a network and beside people for which it can't be blamed: requests and answers
/// get lost, it is busy, it loses its power and counts its jobs from 1 again, its paper runs out.
///
/// It never lies: what it reports is what is on its paper, which only this model knows.
final class ModelPrinter {
  /// What kind of printer it is.
  struct Kind: Sendable, CaseIterable, CustomStringConvertible {
    /// Create-Job and Send-Document; else Print-Job.
    var createsJobs = true
    /// What it reports as job-impressions-completed: the sides of every job, only those of jobs that it has completed
    /// (else 0), or nothing.
    enum Counting: String { case along, completed, nothing }
    var counting = Counting.along
    /// It reports job-uuid.
    var hasUUIDs = true

    /// It has paper at first; else somebody may load a sheet at any time.
    var hasPaper = true

    /// True for what most printers are; some have no Create-Job.
    var isUsual: Bool { counting == .along && hasUUIDs }

    static let allCases =
      [true, false].flatMap { creates in
        [Counting.along, .completed, .nothing].flatMap { counting in
          [true, false].map { Kind(createsJobs: creates, counting: counting, hasUUIDs: $0) }
        }
      } + [Kind(counting: .completed, hasPaper: false)]

    var description: String {
      (createsJobs ? "Create-Job" : "Print-Job") + ", counts \(counting)"
        + (hasUUIDs ? ", UUIDs" : "") + (hasPaper ? "" : ", no paper")
    }
  }

  /// Whose job it is, or who asks.
  enum Owner {
    case us
    /// Another airprint of the same user, with the same journal.
    case another
    case stranger
  }

  struct Job {
    var name = "report"
    var uuid: Int
    var owner: Owner
    var isOurs: Bool { owner == .us }
    var state = JobState.pending { didSet { hasBegun = hasBegun || state == .processing } }
    var hasBegun = false
    var reasons = ["none"]
    /// Index in `paper`; nil as long as none of its document has arrived.
    var attempt: Int?
    /// Pages that it prints, if it is not stopped.
    var left = 0
  }

  /// More requests than any job needs.
  private static let mostRequests = 500
  /// Sides of the document.
  static let sides = 3

  let kind: Kind
  private let choices: Choices
  let clock: FastClock
  /// That of the process which is alive.
  private var cancellation: Cancellation
  /// Who asks now.
  private(set) var client = Owner.us
  private var attempts: [(owner: Owner, pages: Int)] = []
  /// What was done to it that never may be.
  private(set) var violations: [String] = []
  /// True once `airprint cancel` was called.
  private var isCancelCalled = false
  /// Number of reports on the job since then that this process has got; nil once it cancels the job.
  private var reportsSinceCancel: Int?
  private(set) var requests = 0
  /// True if it has refused a request for no reason: asked about a job, some printers mean that they have forgotten it.
  private(set) var hasFailed = false
  private(set) var restarts = 0
  /// Seconds since it started, which no job keeps over a restart: none is older than a second.
  private var upTime: Int { restarts == 0 ? 100 : restarts }
  /// True once the process of this run is dead: nothing that it does reaches the printer.
  private(set) var isCrashed = false
  /// Does what another airprint does between two of our requests.
  var whenAnother: () -> Void = {}
  /// Returns true for the job on which our process works.
  var isWorkedOn: (Int) -> Bool = { _ in false }
  /// Called when the process dies.
  var whenCrashed: () -> Void = {}
  /// Called when somebody cancels the job.
  var whenCanceled: () -> Void = {}
  /// What happened, for people.
  private(set) var story: [String] = []
  private var jobs: [Int: Job] = [:]
  private var next = 1
  private var uuids = 0
  private var isOutOfPaper = false { didSet { if isOutOfPaper != oldValue { changes += 1 } } }
  /// Number of times that it stopped or went on.
  private var changes = 1

  init(_ kind: Kind, _ choices: Choices, clock: FastClock, cancellation: Cancellation) {
    self.kind = kind
    self.choices = choices
    self.clock = clock
    self.cancellation = cancellation
    isOutOfPaper = !kind.hasPaper
  }

  /// Its status, as it reports it.
  var status: AttributeSet {
    let isBusy = jobs.values.contains { $0.state == .processing }
    return AttributeSet([
      Attribute("printer-state", .enumeration(isOutOfPaper ? 5 : isBusy ? 4 : 3)),
      Attribute("printer-state-reasons", .keyword(isOutOfPaper ? "media-empty" : "none")),
      Attribute("printer-state-change-time", .integer(changes)),
    ])
  }

  /// Pages on paper of each attempt to send a document.
  func paper(of owner: Owner) -> [Int] { attempts.filter { $0.owner == owner }.map { $0.pages } }

  /// Another airprint's course is the ordinary one.
  func choose(_ count: Int) -> Int { client == .us ? choices.choose(count) : 0 }

  func tell(_ words: String) { story.append(words) }

  func violate(_ words: String) { violations.append(words) }

  /// Lets go of what has it.
  func end() {
    (whenCrashed, whenCanceled, whenAnother) = ({}, {}, {})
    isWorkedOn = { _ in false }
  }

  /// A new process does the next requests.
  func revive(_ cancellation: Cancellation) {
    isCrashed = false
    reportsSinceCancel = nil
    self.cancellation = cancellation
  }

  /// What can happen to a request; the ordinary course first.
  enum Course: CaseIterable {
    case answered, requestLost, answerLost, silent, busy, failing, restarts, crashes, interrupted
    /// `airprint cancel` was called.
    case canceled
    /// Another airprint prints.
    case another
  }

  /// Chooses what happens to a request, as far as that is before the printer acts on it.
  ///
  /// Returns a refusal, or nil if it acts; `answerLost` is left to the caller.
  func begin(
    _ name: String, _ courses: [Course] = Course.allCases
  ) throws(IPPError) -> (course: Course, refusal: Status?) {
    guard client == .us else {
      clock.pass(.milliseconds(50))
      work()
      return (.answered, nil)
    }
    guard !isCrashed else { throw IPPError(.broken, "dead") }
    guard !cancellation.isRaised else { throw IPPError(.interrupted, "interrupted") }
    requests += 1
    guard requests <= Self.mostRequests else {
      if requests == Self.mostRequests + 1 { violate("more than \(requests - 1) requests") }
      cancellation.raise()
      throw IPPError(.interrupted, "interrupted")
    }
    clock.pass(.milliseconds(50))
    work()
    if isOutOfPaper, !kind.hasPaper, choose(2) == 1 {
      tell("somebody loads a sheet")
      isOutOfPaper = false
      work()
      isOutOfPaper = true
    }
    let course = courses[choose(courses.count)]
    switch course {
    case .answered, .answerLost: tell(name + (course == .answered ? "" : ": its answer gets lost"))
    case .requestLost:
      tell("\(name) gets lost")
      throw IPPError(.broken, "broke")
    case .silent:
      tell("\(name): silence")
      clock.pass(.seconds(4))
      throw IPPError(.silent, "is silent")
    case .busy:
      tell("\(name): the printer is busy")
      return (course, .busy)
    case .failing:
      tell("\(name): the printer has an internal error")
      hasFailed = true
      return (course, .internalError)
    case .restarts:
      restart()
      tell(name)
    case .canceled:
      tell("airprint cancel")
      whenCanceled()
      if !isCancelCalled { reportsSinceCancel = 0 }
      isCancelCalled = true
      tell(name)
    case .another:
      tell("another airprint prints, and looks for jobs that were left")
      client = .another
      whenAnother()
      client = .us
      tell(name)
    case .crashes:
      tell("airprint is killed before \(name)")
      crash()
      throw IPPError(.broken, "dead")
    case .interrupted:
      tell("Ctrl-C before \(name)")
      cancellation.raise()
      throw IPPError(.interrupted, "interrupted")
    }
    return (course, nil)
  }

  func crash() {
    isCrashed = true
    whenCrashed()
  }

  /// It loses its power, its jobs and their numbers, and somebody else prints.
  private func restart() {
    tell("the printer restarts, and job 1 is another one now")
    restarts += 1
    jobs = [1: Job(name: "other", uuid: newUUID(), owner: .stranger)]
    next = 2
  }

  private func change(_ number: Int, _ change: (inout Job) -> Void) {
    if var job = jobs[number] {
      change(&job)
      jobs[number] = job
    }
  }

  private func newUUID() -> Int {
    uuids += 1
    return uuids
  }

  /// Prints a page of the first job that has one.
  private func work() {
    guard !isOutOfPaper,
      let number = jobs.keys.sorted().first(where: { jobs[$0]?.state == .processing })
    else { return }
    printPage(of: number)
  }

  private func printPage(of number: Int) {
    guard var job = jobs[number], let attempt = job.attempt else { return }
    if job.left > 0 {
      attempts[attempt].pages += 1
      job.left -= 1
    }
    if job.left == 0 {
      job.state = job.reasons == ["processing-to-stop-point"] ? .canceled : .completed
      job.reasons = [
        job.state == .canceled ? "job-canceled-by-user" : "job-completed-successfully"
      ]
    }
    jobs[number] = job
  }

  /// Our jobs that wait for a document.
  var emptyJobs: [Int] {
    jobs.keys.filter { jobs[$0]?.isOurs == true && jobs[$0]?.state == .pending }.sorted()
  }

  func hasOurs(_ number: Int) -> Bool { jobs[number]?.isOurs == true }

  /// Everything comes out that may: the paper after an hour.
  func endOfDay() {
    isOutOfPaper = false
    for number in jobs.keys { while jobs[number]?.state == .processing { printPage(of: number) } }
  }
}

// MARK: - Requests

extension ModelPrinter {
  func answer(_ request: Request) throws(IPPError) -> Response {
    let number = request.operationAttributes.first { $0.name == "job-id" }?.values.first?.number
    let operation = Capabilities.Operation(rawValue: request.operation)
    if isCancelCalled, client == .us, [.createJob, .validateJob].contains(operation) {
      violate("a job is begun after it was canceled")
    }
    if operation == .cancelJob { reportsSinceCancel = nil }
    let (course, refusal) = try begin(
      operation.map { "\($0)" } ?? "\(request.operation)",
      // IPP can't cancel a job by more than its number: between the question about it and its end, no printer restarts.
      Course.allCases.filter { $0 != .restarts || operation != .cancelJob })
    if let refusal { return Response(status: refusal) }
    let reports = reportsSinceCancel
    let response = act(request, on: number ?? 0)
    guard course == .answerLost else { return response }
    reportsSinceCancel = reports
    throw IPPError(.broken, "broke")
  }

  private func act(_ request: Request, on number: Int) -> Response {
    switch Capabilities.Operation(rawValue: request.operation) {
    case .createJob:
      return Response(status: .ok, jobs: [set(create())])
    case .cancelJob: return cancel(number)
    case .getJobAttributes:
      guard let job = jobs[number] else { return Response(status: .notFound) }
      if let reports = reportsSinceCancel, job.isOurs, client == .us, !job.state.isOver {
        // What a new job is called, how it is, and, before it is canceled, if it is still the same.
        if reports == 3 { violate("airprint cancel was called, and the job is not canceled") }
        reportsSinceCancel = reports + 1
      }
      // While it prints, its paper may run out.
      if jobs[number]?.state == .processing, choose(2) == 1 {
        tell("the paper runs out")
        isOutOfPaper = true
      }
      return Response(status: .ok, jobs: [set(number)])
    case .getJobs:
      let which = request.operationAttributes.first { $0.name == "which-jobs" }?.values.first
      let listed = jobs.keys.sorted().filter {
        jobs[$0]?.state.isOver == (which?.string == "completed")
      }
      return Response(status: .ok, jobs: listed.map(set))
    case .getPrinterAttributes:
      return Response(status: .ok, printer: status)
    default: return Response(status: .ok)
    }
  }

  private func create() -> Int {
    jobs[next] = Job(uuid: newUUID(), owner: client, reasons: ["job-data-insufficient"])
    next += 1
    tell("the printer makes job \(next - 1)")
    return next - 1
  }

  private func cancel(_ number: Int) -> Response {
    guard var job = jobs[number] else { return Response(status: .notFound) }
    guard !job.state.isOver else { return Response(status: .notPossible) }
    // A lost empty job of this user is anybody's to clean away.
    if job.owner != client, !job.isOurs || job.attempt != nil || isWorkedOn(number) {
      violate("somebody else's job was canceled")
    }
    let stopsLater = job.left > 1 && choose(2) == 1
    if stopsLater {
      tell("the printer accepts that job \(number) is canceled, and prints another page of it")
      (job.left, job.reasons) = (1, ["processing-to-stop-point"])
      isOutOfPaper = false
    } else {
      tell("the printer cancels job \(number)")
      (job.state, job.reasons, job.left) = (.canceled, ["job-canceled-by-user"], 0)
    }
    jobs[number] = job
    return Response(status: .ok)
  }

  /// The job's attributes, as it reports them.
  private func set(_ number: Int) -> AttributeSet {
    guard let job = jobs[number] else { return AttributeSet() }
    var attributes = [
      Attribute("job-id", .integer(number)),
      Attribute("job-state", .enumeration(job.state.rawValue)),
      Attribute("job-state-reasons", job.reasons.map { .keyword($0) }),
      Attribute("job-name", .name(job.name)),
      Attribute("job-originating-user-name", .name("me")),
    ]
    if kind.hasUUIDs { attributes.append(Attribute("job-uuid", .uri("urn:uuid:\(job.uuid)"))) }
    if kind.counting != .nothing {
      let isCounted = kind.counting == .along || job.state == .completed
      let pages = isCounted ? job.attempt.map { attempts[$0].pages } ?? 0 : 0
      attributes.append(Attribute("job-impressions-completed", .integer(pages)))
    }
    if kind.counting != .completed {
      attributes.append(Attribute("time-at-creation", .integer(upTime)))
      attributes.append(Attribute("job-printer-up-time", .integer(upTime)))
      attributes.append(Attribute("time-at-processing", job.hasBegun ? .integer(1) : .none))
    }
    return AttributeSet(attributes)
  }
}

// MARK: - Documents

extension ModelPrinter {
  /// The head of Send-Document or Print-Job: returns the job that gets the document, or a refusal.
  func beginDocument(_ request: Request) throws(IPPError) -> Int {
    let number = request.operationAttributes.first { $0.name == "job-id" }?.values.first?.number
    let (_, refusal) = try begin(
      number.map { "the document for job \($0)" } ?? "Print-Job",
      Course.allCases.filter { $0 != .answerLost })
    if let refusal { throw IPPError(.status(refusal), "\(refusal)") }
    guard let number else { return create() }
    guard let job = jobs[number], job.owner == client, job.state == .pending, job.attempt == nil
    else {
      throw IPPError(.status(jobs[number] == nil ? .notFound : .notPossible), "no")
    }
    return number
  }

  func takePiece(of number: Int) throws(IPPError) {
    guard !isCrashed else { throw IPPError(.broken, "dead") }
    if jobs[number]?.attempt == nil {
      attempts.append((client, 0))
      change(number) { $0.attempt = attempts.count - 1 }
      change(number) { $0.reasons = ["job-incoming"] }
    }
    switch choose(3) {
    case 0: return
    case 1:
      tell("the connection breaks in the middle of the document")
      cutOff(number)
      throw IPPError(.broken, "broke")
    default:
      tell("airprint is killed in the middle of the document")
      cutOff(number)
      crash()
      throw IPPError(.broken, "dead")
    }
  }

  /// The document ended in its middle: the printer drops it, or prints what it has.
  private func cutOff(_ number: Int) {
    if choose(2) == 1 {
      tell("the printer prints the page that it has")
      change(number) { ($0.state, $0.left) = (.processing, 1) }
    } else {
      change(number) { ($0.state, $0.reasons) = (.aborted, ["aborted-by-system"]) }
    }
  }

  /// The document's end; nil if its server asks for a password.
  ///
  /// `whenUnanswered` is called if the answer takes a moment.
  func endDocument(
    of number: Int, isRepeated: Bool, _ whenUnanswered: () -> Void
  ) throws(IPPError) -> Response? {
    guard !isCrashed else { throw IPPError(.broken, "dead") }
    // A document without a piece.
    if jobs[number]?.attempt == nil { attempts.append((client, 0)) }
    let course = choose(isRepeated ? 8 : 9)
    if [1, 4, 6, 7].contains(course) { whenUnanswered() }
    switch course {
    case 0: break
    case 1:
      take(number)
      tell("its answer gets lost")
      throw IPPError(.broken, "broke")
    case 2:
      tell("the printer refuses the document, and keeps its job waiting")
      waitForDocument(number)
      return Response(status: .busy)
    case 3:
      tell("the printer refuses the document, and aborts its job")
      change(number) { ($0.state, $0.reasons) = (.aborted, ["aborted-by-system"]) }
      return Response(status: .internalError)
    case 4:
      tell("the connection breaks before the last byte")
      cutOff(number)
      throw IPPError(.broken, "broke")
    case 6:
      take(number)
      tell("no answer comes")
      throw IPPError(.silent, "is silent")
    case 8:
      tell("the printer's server asks for a password, and hands nothing of the document on")
      waitForDocument(number)
      return nil
    // 5: at once; 7: a moment later.
    default:
      tell("airprint is killed after the last byte")
      take(number)
      crash()
      throw IPPError(.broken, "dead")
    }
    take(number)
    return Response(status: .ok, jobs: [set(number)])
  }

  /// The job has no document; a Print-Job made none.
  private func waitForDocument(_ number: Int) {
    guard kind.createsJobs else { return jobs[number] = nil }
    change(number) { ($0.attempt, $0.reasons) = (nil, ["job-data-insufficient"]) }
  }

  private func take(_ number: Int) {
    tell("the printer has the document, and prints job \(number)")
    change(number) { ($0.state, $0.left) = (.processing, Self.sides) }
    change(number) { $0.reasons = ["job-printing"] }
  }
}
