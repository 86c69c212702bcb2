internal import IPP
package import PrintModel
package import System

/// One job's way to the printer. It lives on the thread of its connection.
package final class JobSubmitter {
  var order: JobSubmission
  let connection: any PrinterLine
  let clock: WaitingClock
  let cancellation: Cancellation
  let journal: JournalEntry
  private let all: Journal
  private let begun = WallClock.seconds
  let report: (JobEvent) -> Void
  /// Conditions last said to hold the job up, and what was said once and for all.
  var lastWords: [String] = []
  var notes: Set<String> = []
  /// The printer's last word on itself.
  var printerStatus: PrinterStatus?
  /// Number by which the printer called the job when it first spoke of it.
  var uuid: String?
  /// Every byte of the document was acknowledged at the other end when its answer came, or did not.
  var isDelivered = false
  /// It is not known whether the printer has the document.
  var isInDoubt = false
  /// Bytes of the document may have left.
  private(set) var hasBegun = false
  private var turn: SpoolTicket?
  private var keeper: OrphanedJobCleanup
  /// An empty job that may be left of a Create-Job whose answer was lost.
  private var lost: JobRecord.Orphan?
  private var remedies = RetryStrategies()

  /// `report` is told what happens, on this thread. `journal` is written before every step on the wire.
  package init(
    _ order: JobSubmission, over connection: any PrinterLine, journal: JournalEntry,
    of all: Journal,
    cancellation: Cancellation, clock: WaitingClock = .machine, report: @escaping (JobEvent) -> Void
  ) {
    self.order = order
    self.connection = connection
    self.journal = journal
    self.all = all
    self.clock = clock
    keeper = OrphanedJobCleanup(all, at: journal.record.uri, user: order.user, clock: clock)
    self.cancellation = cancellation
    self.report = report
  }

  /// Prints a document and tells how it ended. Never throws: whatever happens is an outcome, with the
  /// exit code that says what is known of the paper.
  ///
  /// `open` gives the document from its beginning, and is called again when a printer has refused it in
  /// a way that another attempt mends.
  package func run(_ open: () throws(Failure) -> any DocumentStream) -> JobOutcome {
    var outcome: JobOutcome
    do {
      let job = try deliver(open)
      outcome =
        order.endsWhenSent
        ? JobOutcome(exitCode: .success, jobId: job, state: order.isHeld ? .held : .processing)
        : try watch(job)
    } catch {
      outcome = error.outcome
    }
    turn = nil
    outcome.isUnsent = !hasBegun
    if outcome.mayTryOtherFormat || order.isTriedElsewhere && outcome.isElsewhere { return outcome }
    do {
      try record { $0.end(outcome, isOver: !order.endsWhenSent || outcome.exitCode != .success) }
    } catch {
      // The fate of the paper weighs more than that it could not be written down.
      report(.note(error.outcome.message ?? "The job's end could not be written down."))
    }
    return outcome
  }

  func record(_ change: (inout JobRecord) -> Void) throws(SubmitError) {
    do {
      try journal.update(change)
    } catch {
      throw SubmitError(error.code, error.message, job: journal.record.jobId)
    }
  }
}

// MARK: - Delivering

/// A document with its first piece drawn, so that one that can't be drawn becomes no job, and no job
/// waits empty at the printer.
final class OpenedDocument {
  let stream: any DocumentStream
  var first: [UInt8]?
  /// Something was taken of it.
  var isUsed = false

  init(_ stream: any DocumentStream) throws(Failure) {
    self.stream = stream
    first = try stream.next()
  }

  func next() throws(Failure) -> [UInt8]? {
    isUsed = true
    if let first {
      self.first = nil
      return first
    }
    return try stream.next()
  }
}

extension JobSubmitter {
  /// The document at the printer, and the job's number; whatever may be tried again, is.
  private func deliver(_ open: () throws(Failure) -> any DocumentStream) throws(SubmitError) -> Int
  {
    let missing = order.missing
    if !missing.isEmpty {
      throw SubmitError(
        .refused,
        "\(order.printer) takes no job without \(missing.inWords()): give it with "
          + "-o \(missing[0])=VALUE. Nothing was sent.")
    }
    var patience = RetryTimer(order.timeout, clock)
    var document: OpenedDocument?
    while true {
      let whole = try opened(&document, open)
      do throws(SubmitError) {
        if turn == nil { try awaitTurn() }
        try checkCancelled()
        let job = try attempt(whole, patience)
        turn = nil
        return job
      } catch {
        guard try apply(error, &patience) else { throw error }
      }
    }
  }

  private func opened(
    _ document: inout OpenedDocument?, _ open: () throws(Failure) -> any DocumentStream
  ) throws(SubmitError) -> OpenedDocument {
    if let document, !document.isUsed { return document }
    do {
      let new = try OpenedDocument(try open())
      document = new
      return new
    } catch {
      if cancellation.isRaised { throw order.interrupted(cancellation) }
      throw SubmitError(error.code, error.message)
    }
  }

  private func attempt(_ document: OpenedDocument, _ patience: RetryTimer) throws(SubmitError)
    -> Int
  {
    connection.patience = patience.left ?? JobSubmitter.forEver
    let job: Int
    if order.createsFirst {
      job = try create(patience)
      try send(document, job: job)
    } else {
      job = try printJob(document)
    }
    do { try record { $0.phase = .sent } } catch {
      report(.note(error.outcome.message ?? "The journal can't be written."))
    }
    report(.sent)
    return job
  }

  /// Time after Ctrl-C in which the printer may still tell a new job's number: without it the job
  /// can't be canceled.
  static let grace = Duration.seconds(2)

  /// No printer is waited for this long; a timer that never rings needs a number.
  private static let forEver = Duration.seconds(365 * 86_400)

  /// Create-Job, and the job's number once it is in the journal.
  private func create(_ patience: RetryTimer) throws(SubmitError) -> Int {
    if cancellation.isRaised { throw order.interrupted(cancellation) }
    if journal.record.phase != .creating { try record { $0.phase = .creating } }
    let response: Response
    do {
      connection.patience = min(patience.left ?? .seconds(60), .seconds(60))
      defer { connection.patience = patience.left ?? JobSubmitter.forEver }
      response = try connection.exchange(
        order.createJob(at: connection.uri), grace: JobSubmitter.grace)
    } catch {
      guard case .interrupted = error.kind else {
        throw order.failure(error, cancellation: cancellation)
      }
      throw try unnumbered()
    }
    guard response.status.isSuccess else { throw order.refusal(response) }
    guard let job = response.jobs.first?.number("job-id"), job > 0 else {
      throw SubmitError(.refused, "\(order.printer) took the job but gave it no number.")
    }
    uuid = response.jobs.first?.string("job-uuid")
    do throws(SubmitError) {
      try record {
        $0.jobId = job
        $0.uuid = uuid
        $0.phase = .created
      }
    } catch {
      cancel(job)
      throw error
    }
    report(.created(jobId: job))
    try cancelIfInterrupted(job)
    let ignored = response.unsupported.all.map(\.name)
    if !ignored.isEmpty { report(.note("\(order.printer) ignored \(ignored.inWords()).")) }
    return job
  }

  /// Ctrl-C came before the number did; nothing of the document has left.
  private func cancelIfInterrupted(_ job: Int) throws(SubmitError) {
    guard cancellation.isRaised else { return }
    let fate = cancel(job)
    wasRefused(job, fate)
    var ending = order.interrupted(cancellation, job: job, fate: fate)
    if fate == .unknown { ending.outcome.message = leftEmpty }
    throw ending
  }

  private var leftEmpty: String {
    "Interrupted; no document was sent. If an empty job remains on \(order.printer), the next print cancels "
      + "it."
  }

  /// Ctrl-C, and the printer does not say whether it has made the job.
  private func unnumbered() throws(SubmitError) -> SubmitError {
    guard connection.mayHaveAsked else { return order.interrupted(cancellation) }
    let orphan = orphan()
    try record { $0.orphans.append(orphan) }
    var ending = order.interrupted(cancellation)
    ending.outcome.message = leftEmpty
    return ending
  }

  /// `airprint cancel` while the printer has no job yet.
  private func checkCancelled() throws(SubmitError) {
    guard journal.isCancelRequested else { return }
    var ending = SubmitError(.canceled, "The job was canceled; nothing was printed.")
    ending.outcome.state = .canceled
    throw ending
  }

  /// From here on the printer may print.
  func beginSending() throws(SubmitError) {
    try record {
      $0.phase = .sending
      $0.sides = order.sides
    }
    hasBegun = true
  }

  /// The printer prints nothing of what it was sent, and `fate` is what became of its job.
  func wasRefused(_ job: Int?, _ fate: CancelResult?) {
    hasBegun = false
    if let job, fate == .unknown {
      // It may be empty, and in the way.
      let orphan = orphan(job)
      try? record { $0.orphans.append(orphan) }
    }
    try? record {
      $0.phase = .accepted
      $0.jobId = nil
      $0.uuid = nil
    }
  }

  func orphan(_ job: Int? = nil) -> JobRecord.Orphan {
    JobRecord.Orphan(
      name: order.sentName, user: order.user, printer: order.printer, uri: journal.record.uri,
      addresses: journal.record.addresses, jobId: job, since: begun,
      printerUUID: journal.record.printerUUID, certificate: journal.record.certificate)
  }
}

// MARK: - Trying again

/// Retry strategies already tried; each helps once.
private struct RetryStrategies {
  var isPlain = false
  var isUnpacked = false
  var reductions = 0
  var renewals = 0
}

extension JobSubmitter {
  /// Prepares another attempt; false when there is none that could do better.
  private func apply(_ ending: SubmitError, _ patience: inout RetryTimer) throws(SubmitError)
    -> Bool
  {
    switch ending.remedy {
    case nil: return false
    case .withoutCompression:
      guard !remedies.isUnpacked else { return false }
      remedies.isUnpacked = true
      order.packs = false
      report(.note("\(order.printer) could not decompress the document; sending it uncompressed."))
    case .without(let names):
      guard remedies.reductions < 3 else { return false }
      remedies.reductions += 1
      return leaveOut(names)
    case .plain:
      guard !remedies.isPlain else { return false }
      remedies.isPlain = true
      order.isPlain = true
      // One of the two was lost to what the other end could not read.
      guard clock.sleep(.milliseconds(250), cancellation) else {
        throw order.interrupted(cancellation)
      }
    case .anew:
      remedies.renewals += 1
      guard remedies.renewals <= 3 else { return false }
    case .later where !order.waitsWhileBusy, .afterCleaning where !order.waitsWhileBusy:
      return false
    case .later(let why): try wait(ending, why, &patience)
    case .afterCleaning(let why):
      if journal.record.phase == .creating, connection.mayHaveAsked { lost = orphan() }
      try wait(ending, why, &patience)
    }
    return true
  }

  /// Takes attributes out that the printer refused; false when none of them was sent. In the place of media-col
  /// the paper that was agreed on goes by its name: without either the printer takes what it likes.
  private func leaveOut(_ names: [String]) -> Bool {
    let before = order.ticket.attributes
    order.ticket.attributes.removeAll { names.contains($0.name) }
    guard order.ticket.attributes.count < before.count else { return false }
    let hadColumn = before.contains { $0.name == "media-col" } && names.contains("media-col")
    let paper = order.ticket.paper.name
    var instead = "printing without it"
    if hadColumn, !names.contains("media"), order.capabilities.accepts("media") {
      order.ticket.attributes.append(Attribute("media", .keyword(paper)))
      instead = "asking for its paper by name (\(paper))"
    }
    report(.note("\(order.printer) does not take \(names.inWords()); \(instead)."))
    return true
  }

  /// Waits as long as the printer is busy. What it is busy with may be an empty job of ours, whose number
  /// got lost with an answer, and for which it would wait for ever.
  private func wait(
    _ ending: SubmitError, _ why: String, _ patience: inout RetryTimer
  ) throws(SubmitError) {
    report(.waiting([why]))
    lastWords = [why]
    var isClean = lost == nil
    let goesOn = patience.wait(cancellation) {
      if journal.isCancelRequested { return true }
      guard let line = try? another(patience: .seconds(2), cancellation: cancellation) else {
        return false
      }
      isClean = keeper.clean(own: lost, over: line)
      return isClean && isIdle(over: line)
    }
    if isClean {
      lost = nil
    } else if let own = lost, !journal.record.orphans.contains(own) {
      try record { $0.orphans.append(own) }
    }
    try checkCancelled()
    if goesOn { return }
    if cancellation.isRaised { throw order.interrupted(cancellation) }
    var last = SubmitError(ending.outcome)
    last.outcome.exitCode = .notNow
    if case .later = ending.remedy {
      last.outcome.message =
        "\(order.printer) was \(why) all the time. Nothing was printed."
    }
    throw last
  }

  private func isIdle(over line: any PrinterLine) -> Bool {
    guard let status = try? status(over: line) else { return false }
    return status.state == .idle
  }

  /// Waits until the jobs that came before are at the printer.
  private func awaitTurn() throws(SubmitError) {
    guard let folder = order.line else { return }
    do throws(Failure) {
      let turn = try SpoolTicket(in: folder)
      self.turn = turn
      var patience = RetryTimer(order.timeout, clock)
      var before = Int.max
      while case let others = try turn.others(), others > 0 {
        if others < before { patience.restart() }
        if before == .max {
          report(.waiting(["waiting for your earlier jobs"]))
          lastWords = ["waiting for your earlier jobs"]
        }
        before = others
        guard !patience.isOver else {
          throw Failure(
            .notNow,
            "Other jobs for \(order.printer) came first, and nothing went forward. "
              + "Nothing was sent.")
        }
        guard clock.sleep(.milliseconds(50), cancellation), !journal.isCancelRequested else {
          break
        }
      }
    } catch {
      if cancellation.isRaised { throw order.interrupted(cancellation) }
      throw SubmitError(error.code, error.message)
    }
    if cancellation.isRaised { throw order.interrupted(cancellation) }
    if !lastWords.isEmpty { report(.waiting([])) }
    lastWords = []
  }
}
