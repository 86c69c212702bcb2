internal import Glibc
internal import IPP
internal import Logging
internal import Negotiation
internal import PrintModel
internal import Rendering
internal import Settings
internal import Submission
package import Threading

/// Prints files, one job each, one after the other over one connection. The reports come as things
/// happen; the last of each file is `.finished`. Every file is tried, whatever became of the others,
/// unless `stopsOnError`.
package func printing(
  _ wish: PrintWish, at target: Target, _ context: Context, interruption: Interruption
) -> AsyncStream<PrintReport> {
  let (reports, continuation) = AsyncStream<PrintReport>.makeStream()
  detachThread {
    var run = PrintRun(wish, target, context, interruption) { continuation.yield($0) }
    run.printAll()
    continuation.finish()
  }
  return reports
}

/// Why a job is printed as it is, for `--verbose`.
private let log = Logger(label: "plan")

/// One `print` command at work, on its own thread.
private struct PrintRun {
  let wish: PrintWish
  let target: Target
  let context: Context
  let interruption: Interruption
  let report: (PrintReport) -> Void
  /// Made when the first document has proved printable.
  var session: Session?

  init(
    _ wish: PrintWish, _ target: Target, _ context: Context, _ interruption: Interruption,
    report: @escaping (PrintReport) -> Void
  ) {
    self.wish = wish
    self.target = target
    self.context = context
    self.interruption = interruption
    self.report = report
  }

  mutating func printAll() {
    for file in wish.files {
      var result = PrintResult(
        file: file, printer: target.saved?.name, uri: target.uri, reasons: [], exitCode: .success)
      do {
        try printOne(file, &result)
      } catch {
        result.exitCode = error.code
        result.message = error.message
      }
      report(.finished(result))
      // Whatever went wrong may have cost the connection: the next file makes its own.
      if result.exitCode != .success { session = nil }
      if result.exitCode == .interrupted || result.exitCode == .terminated { return }
      if wish.stopsOnError && result.exitCode != .success { return }
    }
  }

  private mutating func printOne(_ file: String, _ result: inout PrintResult) throws(Failure) {
    let configuration = try Configuration(context.places)
    let document = try OpenDocument(
      file, password: wish.password, context, interruption: interruption)
    let session = try contacted(file, configuration)
    result.printer = session.name
    result.uri = session.target.uri
    let ticket = try plan(document, on: session, configuration)
    result.ticket = ticket
    for reason in ticket.reasons { log.debug("\(reason)") }
    for warning in ticket.warnings { report(.event(file: file, .note(warning))) }
    if wish.isDryRun {
      report(
        .plan(
          PrintPlan(
            printer: session.name, uri: session.target.uri, file: file,
            mediaType: document.info.mediaType, pages: document.info.pages.count, ticket: ticket)))
      return
    }
    try submit(document, ticket, on: session, configuration, &result)
  }

  /// The printer, contacted once for all files.
  private mutating func contacted(
    _ file: String, _ configuration: Configuration
  ) throws(Failure) -> Session {
    if let session { return session }
    report(.event(file: file, .contacting(printer: target.name)))
    // 30 s for a printer that sleeps; less when the person said so.
    let patience = min(wish.timeout ?? .seconds(30), .seconds(30))
    let made = try Session.reach(
      target, context, patience: patience, interruption: interruption)
    session = made
    report(.event(file: file, .reached(printer: made.name)))
    return made
  }

  /// The ticket; where the paper tells something new of the document, negotiated again with it.
  private func plan(
    _ document: OpenDocument, on session: Session, _ configuration: Configuration
  ) throws(Failure) -> Ticket {
    let type = wish.type ?? document.info.guessedType
    let request = try wish.request(type: type, on: target.saved, configuration)
    let ticket = try negotiate(
      request, document: document.info, with: session.capabilities, region: context.region)
    guard try document.refine(for: ticket) else { return ticket }
    return try negotiate(
      request, document: document.info, with: session.capabilities, region: context.region)
  }

  private func submit(
    _ document: OpenDocument, _ ticket: Ticket, on session: Session,
    _ configuration: Configuration, _ result: inout PrintResult
  ) throws(Failure) {
    let name =
      wish.title.map(JobName.clean)
      ?? document.jobName(host: Clock.hostName, time: Clock.now)
    var order = Order(
      name: name, user: context.user, ticket: ticket, capabilities: session.capabilities,
      printer: session.name)
    order.endsWhenSent = wish.endsWhenSent
    order.isStrict = wish.strict
    order.leavesOnTimeout = wish.leavesOnTimeout ?? configuration.leavesOnTimeout
    order.timeout =
      wish.timeout ?? configuration.timeout.map { .seconds($0) }
      ?? (context.isInteractive ? nil : .seconds(300))
    var record = JobRecord(
      name: name, file: document.file.path, printer: session.name,
      uri: session.target.uri, addresses: [session.connection.address].compactMap { $0 },
      user: context.user, created: Clock.seconds)
    record.request = JobRequest(wish)
    let journal = try context.journal.begin(
      record,
      copying: [
        Journal.Source(
          descriptor: document.file.descriptor, path: document.file.path,
          mediaType: document.file.mediaType)
      ])
    result.job = journal.record.id
    let file = document.file.path
    let submission = Submission(
      order, over: session.connection, journal: journal, interruption: interruption
    ) { event in report(.event(file: file, event)) }
    let stream = try document.renderer.stream(for: ticket, document: document.info)
    result.sides = stream.progress.allSides
    let outcome = submission.run(stream)
    result.take(outcome)
  }
}

extension PrintResult {
  fileprivate mutating func take(_ outcome: JobOutcome) {
    jobId = outcome.jobId
    state = outcome.state?.keyword
    reasons = outcome.reasons
    impressions = outcome.impressions
    exitCode = outcome.exitCode
    message = outcome.message
  }
}

/// The time and place of a job.
enum Clock {
  /// Seconds since 1970.
  static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// `14:03`, local time.
  static var now: String {
    var seconds = time(nil)
    var parts = tm()
    localtime_r(&seconds, &parts)
    let minute = parts.tm_min < 10 ? "0\(parts.tm_min)" : "\(parts.tm_min)"
    return "\(parts.tm_hour):\(minute)"
  }

  static var hostName: String {
    var buffer = [CChar](repeating: 0, count: 256)
    gethostname(&buffer, buffer.count - 1)
    return String(
      decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
