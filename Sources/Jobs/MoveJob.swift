package import AirprintContext
internal import ForeignText
internal import IPP
package import PrintModel
internal import Printers
internal import Printing
internal import Submission
internal import System

/// Moves a job that has not started printing to another printer (or to the first of several that is ready), named as
/// for `NamedJob`, and returns its report there.
///
/// A job of the queue then waits for the other printer. A job at a printer is first planned for the other one, then
/// canceled, and sent again by a separate process once the printer has reported that it is canceled and that nothing
/// was printed: there are never two copies. A job that another program sent can only be moved by a CUPS server, between
/// its own queues.
///
/// Exit 64 for the printer where it already is, 69 for an unknown job, or if a printer does not answer, 75 if the
/// cancellation was not confirmed, 76 for a job that has ended or started to print. In these cases the job stays where
/// it is. 81 if it was canceled, but part of it may have been printed.
package func moveJob(
  _ text: String, to printer: String, _ context: Context
) async throws(Failure) -> JobReport {
  let names = try printerNames(printer, context)
  let job = try await NamedJob(text, context)
  if case .own(let record) = job { try record.refuseOver() }
  let targets = try await findPrinters(names, for: nil, context)
  return try await onThread { () throws(Failure) in
    switch job {
    case .own(let record):
      try JobMove(id: record.id, targets: targets, context: record.sender(in: context)).move()
    case .atPrinter(let source, let number):
      try ServerJob(number: number, source: source).move(to: targets, context)
    }
  }
}

/// The move of a journal's job to another printer.
private struct JobMove {
  let id: String
  let targets: [PrinterReference]
  let context: Context

  private var journal: Journal { context.journal }
  private var destination: String { targets.map(\.name).joined(separator: ", ") }
  /// The command that prints it there again.
  private var reprint: String {
    "airprint reprint \(id) -d \(targets.map(\.commandWord).joined(separator: ","))"
  }

  func move() throws(Failure) -> JobReport {
    let record = try journal.existing(id)
    try record.refuseOver()
    try refuseSame(record)
    if record.isInQueue { return try requeue(record) }
    try refuseFleetingPassword(context)
    // It is deleted when the record ends.
    let secret = try journal.look(id)?.secret
    try tryOut(record)
    // For a job that someone waits for, this may not have been done.
    try before(record) { () throws(Failure) in try journal.look(id)?.makeDurable() }
    let entry: JournalEntry
    let proof: NothingPrinted
    if let claimed = try journal.claim(id) {
      (entry, proof) = (claimed, try takeBack(claimed))
    } else {
      // Planning may have taken minutes.
      (entry, proof) = try takeFromWorker(try journal.existing(id))
    }
    try entry.refuseCanceled()
    // After a crash here, the job stays canceled: a canceled job must not be sent twice.
    journal.withdrawCancel(id, by: .move)
    do { try entry.redirect(to: targets, proof, secret, context) } catch {
      throw error.adding(
        "Job \(id) was canceled on \(record.printer), and is not sent to \(destination). To "
          + "print it there, run: \(reprint)")
    }
    let report = JobReport(entry.record)
    try startJob(entry, context)
    return report
  }

  private func refuseSame(_ record: JobRecord) throws(Failure) {
    let isSame =
      record.isInQueue
      ? record.request.printers == targets.map(\.words)
      : targets.contains { target in
        target.uri == record.uri
          || record.printerUUID != nil
            && record.printerUUID == target.saved?.uuid ?? target.found?.uuid
      }
    guard isSame else { return }
    let place = record.isInQueue ? "for \(destination)" : "on \(record.printer)"
    throw .usage("Job \(id) is already \(place).")
  }

  /// Moves a job that waits here: nothing of it was sent.
  private func requeue(_ record: JobRecord) throws(Failure) -> JobReport {
    guard let entry = try journal.claim(id), entry.record.isInQueue else {
      throw .beingPrinted(record)
    }
    guard case .unprinted = try entry.settle(in: context), !entry.isCancelRequested else {
      throw .refused("Job \(id) is no longer in the queue; see airprint jobs.")
    }
    let words = targets.map(\.words)
    try entry.update {
      $0.request.printers = words
      $0.give(context, to: targets)
      $0.printer = targets.first?.name ?? $0.printer
      // The reason for the wait concerned the previous printer.
      $0.message = nil
      $0.exitCode = nil
    }
    journal.touch()
    return JobReport(entry.record)
  }

  /// Plans the job for the new printer, and asks that whether it would take it: if it can't print it, or wants a password,
  /// this is known before the job is canceled.
  private func tryOut(_ record: JobRecord) throws(Failure) {
    guard let kept = try journal.look(id) else { return }
    var arguments = try PrintArguments(kept)
    guard !arguments.needsPIN else {
      throw .usage(
        "Job \(id) had a PIN, which is not kept: cancel it, and print it again with airprint reprint \(id) "
          + "-d \(ShellWord.quoted(targets.map(\.words.safeName).joined(separator: ","))) --pin-file FILE."
      )
    }
    (arguments.isDryRun, arguments.asks) = (true, true)
    let run = PrintRun(
      arguments, targets, context.inLocale(record.request.locale), Cancellation()
    ) { _ in }
    let result = run.printFile(arguments.files[0])
    guard result.exitCode != .success else { return }
    throw Failure(
      result.reason ?? .fault,
      result.message ?? "\(destination) does not take it.",
      hints: [stays(record)])
  }

  /// Does what comes before the cancellation; a failure says that the job stays.
  private func before<Result>(
    _ record: JobRecord, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    do { return try body() } catch { throw error.adding(stays(record)) }
  }

  private func stays(_ record: JobRecord) -> String { "Job \(id) stays on \(record.printer)." }

  /// Cancels a job that no other process works on.
  private func takeBack(_ entry: JournalEntry) throws(Failure) -> NothingPrinted {
    try entry.refuseCanceled()
    switch try entry.settle(in: context, timeout: PrinterConnection.awakeTimeout) {
    case .unprinted: break
    case .over: try entry.record.refuseOver()
    case .underWay(nil):
      throw .unavailable("\(entry.record.printer) does not answer. \(stays(entry.record))")
    case .underWay(let status?):
      let connection = try reach(entry.record)
      try refuseUnmovable(status, entry.record, connection)
      let job = entry.record.identity ?? JobIdentity(status)
      try entry.end(try cancel(job, entry.record, connection), over: connection.ipp)
    }
    return try proof(of: entry.record)
  }

  private func reach(_ record: JobRecord) throws(Failure) -> PrinterConnection {
    try before(record) { () throws(Failure) in
      try Jobs.reach(record, context)
    }
  }

  /// Cancels the job at its printer, and returns how it ended there: a printer may need seconds to stop.
  private func cancel(
    _ job: JobIdentity, _ record: JobRecord, _ connection: PrinterConnection
  ) throws(Failure) -> JobStatus {
    let result: CancelResult
    do {
      result = try connection.ask { (line) throws(IPPError) in
        try line.cancel(job, user: context.user, timeout: JobMove.timeout, Cancellation())
      }
    } catch {
      throw error.code == .unavailable ? unconfirmed(record) : error
    }
    switch result {
    case .over(let end): return end
    case .refused(let words):
      throw .refused("\(connection.name) did not cancel the job: \(words). Job \(id) stays there.")
    case .gone, .accepted, .silence: throw unconfirmed(record)
    }
  }

  /// Longest wait for the cancellation of a job.
  private static let timeout = Duration.seconds(60)

  /// Makes the process that works on the job cancel it.
  private func takeFromWorker(
    _ record: JobRecord
  ) throws(Failure) -> (JournalEntry, NothingPrinted) {
    try record.refuseOver()
    let isBeforeSending = record.identity == nil && [.queued, .accepted].contains(record.phase)
    guard record.phase == .sent || isBeforeSending else {
      throw .notNow("\(record.name) (job \(id)) is being sent right now to \(record.printer).")
    }
    if let job = record.identity {
      let connection = try reach(record)
      let answer = try connection.ask { (line) throws(IPPError) in
        try line.answer(about: job, user: context.user)
      }
      if case .status(let status) = answer { try refuseUnmovable(status, record, connection) }
    }
    try journal.requestCancel(id, by: .move)
    let end = ContinuousClock.now + JobMove.timeout
    while ContinuousClock.now < end {
      if let entry = try journal.claim(id) {
        if entry.record.isOver { return (entry, try proof(of: entry.record)) }
        // The process that worked on it ended before it saw the request.
        journal.withdrawCancel(id, by: .move)
        return (entry, try takeBack(entry))
      }
      _ = Cancellation().sleep(.milliseconds(100))
    }
    journal.withdrawCancel(id, by: .move)
    throw unconfirmed(record)
  }

  /// Throws exit 76 for a job that prints or has ended, and for one that could not be sent elsewhere once it is canceled,
  /// because its end would not prove that nothing of it was printed.
  private func refuseUnmovable(
    _ status: JobStatus, _ record: JobRecord, _ connection: PrinterConnection
  ) throws(Failure) {
    try status.refusePrinting("Job \(id)", on: record.printer)
    guard !record.canProveNothing(of: status, over: connection.ipp) else { return }
    let command = "airprint cancel \(id) && \(reprint)"
    throw Failure(
      .refused,
      "\(record.printer) does not report whether a page was printed of a job that it cancels.",
      hints: [stays(record), "To print it on \(destination) all the same, run: \(command)"],
      fix: command)
  }

  /// Makes the failure of exit 75: a job that may still print there is not sent elsewhere.
  private func unconfirmed(_ record: JobRecord) -> Failure {
    Failure.notNow(
      "\(record.printer) has not confirmed that job \(id) is canceled; it is not sent to "
        + "\(destination). See airprint jobs \(id).")
  }

  /// Throws exit 76 for a job that has been printed, 81 for one that was canceled and may have started to print.
  private func proof(of record: JobRecord) throws(Failure) -> NothingPrinted {
    let isCanceled =
      record.exitCode == ExitCode.canceled.rawValue || record.state == JobState.canceled.keyword
    guard !record.isOver || isCanceled else {
      throw .refused(
        "Job \(id) ended on \(record.printer) before it could be moved: \(record.state ?? "not sent")."
      )
    }
    if let proof = NothingPrinted(record) { return proof }
    let what = record.impressions.flatMap { $0 > 0 ? $0.counted("page") : nil } ?? "perhaps a page"
    throw Failure(
      .canceled,
      "\(record.printer) canceled job \(id) after \(what), so it is not sent to \(destination). To print it "
        + "there, run: \(reprint)")
  }
}

extension JobStatus {
  /// Throws exit 76 for a job that has ended, or that may have printed something: it must be waiting at its printer, or
  /// have stopped before its first page.
  func refusePrinting(_ job: String, on printer: String) throws(Failure) {
    let isWaiting = [.pending, .held].contains(state) && (impressions ?? 0) == 0
    guard !isWaiting, !(state == .stopped && impressions == 0) else { return }
    guard !state.isOver else {
      throw .refused("\(job) has already ended on \(printer): \(state.keyword).")
    }
    throw .refused("\(job) is already printing on \(printer); only a job that waits can be moved.")
  }
}

extension JournalEntry {
  /// Throws exit 76 for a job that its user cancels meanwhile.
  ///
  /// Whoever sends it later looks as well.
  fileprivate func refuseCanceled() throws(Failure) {
    guard isCanceled(by: .cancel) else { return }
    throw .refused("Job \(record.id) is being canceled.")
  }

  /// Prepares a job that has printed nothing for sending to other printers.
  fileprivate func redirect(
    to targets: [PrinterReference], _ proof: NothingPrinted, _ secret: String?,
    _ context: Context
  ) throws(Failure) {
    try update {
      $0.sendAnew(proof)
      $0.request.printers = targets.map(\.words)
      guard let first = targets.first else { return }
      $0.aim(at: first)
      $0.give(context, to: targets)
    }
    if let secret { try keep(secret: secret) }
  }
}

/// A job that another program sent.
private struct ServerJob {
  let number: Int
  let source: PrinterReference

  /// Moves the job from one queue to another of the same server by CUPS-Move-Job (cups.org, "CUPS Implementation of
  /// IPP").
  func move(to targets: [PrinterReference], _ context: Context) throws(Failure) -> JobReport {
    let connection = try reach(source, context)
    let uri = connection.ipp.uri
    let status = try connection.job(numbered: number, context)
    try status.refusePrinting("Job \(number)", on: connection.name)
    guard status.isWaiting else {
      throw .refused(
        "\(connection.name) has begun job \(number), and may have printed a page of it: cancel it, and print it again."
      )
    }
    guard let target = targets.first, let place = PrinterURI(target.uri),
      place.host.lowercased() == uri.host.lowercased(), place.port == uri.port,
      connection.capabilities.does(.cupsMoveJob)
    else {
      throw .refused(
        "Another program sent job \(number), and has its document: cancel it, and print it there again. "
          + "Only a CUPS server moves such a job, from one of its queues to another.")
    }
    guard place.resource != uri.resource else {
      throw .usage("Job \(number) is already on \(target.name).")
    }
    let moved = try connection.ask(
      .cupsMoveJob(status, at: uri, to: place, user: context.user))
    guard moved.status.isSuccess else {
      throw .refused("\(connection.name) did not move job \(number): \(moved.words).")
    }
    var report = JobReport(status, at: connection)
    report.printer = target.name
    report.uri = target.uri
    return report
  }
}
