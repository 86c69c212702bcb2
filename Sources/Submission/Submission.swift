package import IPP
package import PrintModel
package import Threading

/// One job's way to the printer. It lives on the thread of its connection.
package final class Submission {
  let order: Order
  let connection: Connection
  let interruption: Interruption
  let journal: JournalEntry
  let report: (JobEvent) -> Void
  /// What was last said to hold the job up.
  var lastWords: [String] = []

  /// `report` is told what happens, on this thread. `journal` is written before every step on the wire.
  package init(
    _ order: Order, over connection: Connection, journal: JournalEntry,
    interruption: Interruption, report: @escaping (JobEvent) -> Void
  ) {
    self.order = order
    self.connection = connection
    self.journal = journal
    self.interruption = interruption
    self.report = report
    connection.patience = order.timeout ?? Submission.forEver
  }

  /// Prints `document` and tells how it ended. Never throws: whatever happens is an outcome, with the
  /// exit code that says what is known of the paper.
  package func run(_ document: any DocumentStream) -> JobOutcome {
    var outcome: JobOutcome
    do {
      let job = order.createsFirst ? try create() : try printJob(document)
      if order.createsFirst { try send(document, job: job) }
      try record { $0.phase = .sent }
      report(.sent)
      outcome =
        order.endsWhenSent
        ? JobOutcome(exitCode: .success, jobId: job, state: .processing) : try watch(job)
    } catch {
      outcome = error.outcome
    }
    do {
      try record { $0.end(outcome, isOver: !order.endsWhenSent || outcome.exitCode != .success) }
    } catch  where outcome.exitCode == .success {
      outcome = error.outcome
    } catch {
      // What happened to the paper weighs more than that it could not be written down.
      report(.note(error.outcome.message ?? "The job's end could not be written down."))
    }
    return outcome
  }

  /// No printer is waited for this long; a timer that never rings needs a number.
  private static let forEver = Duration.seconds(365 * 86_400)

  func record(_ change: (inout JobRecord) -> Void) throws(Ending) {
    do {
      try journal.update(change)
    } catch {
      throw Ending(error.code, error.message, job: journal.record.jobId)
    }
  }
}

// MARK: - Creating

extension Submission {
  /// Create-Job, again and again while the printer is busy with something else.
  private func create() throws(Ending) -> Int {
    var patience = Patience(order.timeout)
    while true {
      let response: Response
      do {
        response = try connection.exchange(order.createJob(at: connection.uri))
      } catch {
        throw order.failure(error, interruption: interruption)
      }
      if response.status.isSuccess { return try accepted(response) }
      guard response.status.mayPass else { throw order.refusal(response) }
      report(.waiting(["busy with something else (\(response.words))"]))
      guard patience.wait(interruption) else {
        if interruption.isRaised { throw order.interrupted(interruption) }
        throw Ending(
          .notNow,
          "\(order.printer) was busy all the time (\(response.words)). Nothing was printed.")
      }
    }
  }

  /// The job's number, once it is in the journal.
  private func accepted(_ response: Response) throws(Ending) -> Int {
    guard let job = response.jobs.first?.number("job-id"), job > 0 else {
      throw Ending(.refused, "\(order.printer) took the job but gave it no number.")
    }
    try record {
      $0.jobId = job
      $0.phase = .created
    }
    report(.created(jobId: job))
    let ignored = response.unsupported.all.map(\.name)
    if !ignored.isEmpty {
      report(.note("\(order.printer) ignored \(ignored.inWords())."))
    }
    return job
  }
}

/// Waits between attempts: Fibonacci's 1, 1, 2, 3, 5, 8 seconds and then 8 (libcups' _cupsNextDelay),
/// until nothing has gone forward for the time allowed.
struct Patience {
  private var next = (1, 1)
  private let limit: Duration?
  private var begun = ContinuousClock.now

  init(_ limit: Duration?) { self.limit = limit }

  /// Something went forward: the time starts anew.
  mutating func restart() {
    begun = .now
    next = (1, 1)
  }

  var isOver: Bool {
    limit.map { begun.duration(to: .now) >= $0 } ?? false
  }

  /// Sleeps the next pause; false when the time is over or the interruption came.
  mutating func wait(_ interruption: Interruption) -> Bool {
    let pause = Duration.seconds(next.0)
    next = (next.1, min(8, next.0 + next.1))
    return interruption.sleep(pause, until: limit.map { begun + $0 })
  }
}
