internal import IPP
package import PrintModel
internal import System

/// Removes airprint's empty jobs from one printer, as recorded in the journal: their number was lost with the answer to
/// Create-Job, or their airprint was killed before it sent the document.
///
/// Some printers stay busy with such a job forever (measured).
///
/// A job is recognized by its name, its user and its time, if it is empty and no process works on it. If its number is
/// unknown, two checks a second apart must match: a job that another client is just creating gets its document by then.
package struct OrphanedJobCleanup {
  private let journal: Journal
  private let uri: String
  private let user: String
  private let clock: WaitingClock
  private var seen: [Int: ContinuousClock.Instant] = [:]
  /// True once the jobs of killed processes have been settled.
  private var hasSettled = false

  package init(
    _ journal: Journal, at uri: String, user: String, clock: WaitingClock = .machine
  ) {
    self.journal = journal
    self.uri = uri
    self.user = user
    self.clock = clock
  }

  /// Checks once, cancels the jobs that are certain, and records those that are no longer orphans.
  ///
  /// `own` is a job that the caller has lost. Returns true if no orphan is left, false if another check is needed.
  @discardableResult
  package mutating func clean(own: JobRecord.Orphan? = nil, over line: any JobConnection) -> Bool {
    // The printer's lists of empty jobs by user: jobs are printed in other names, too (--user).
    var listed: [String: [JobStatus]] = [:]
    func list(_ user: String) -> Bool {
      if listed[user] != nil { return true }
      // Without a list, which some refuse to give of another user, there is nothing that could be canceled.
      guard let response = try? line.exchange(.getJobs(mine: true, at: line.uri, user: user)),
        !response.status.mayPass
      else { return false }
      listed[user] = response.jobs.compactMap(JobStatus.init(reading:)).filter(\.isEmpty)
      return true
    }
    guard list(user) else { return false }
    settle(line.security)
    let records = ((try? journal.unsettledRecords()) ?? []).filter {
      $0.uri == uri || $0.hasOrphan(at: uri)
    }
    let worked = Set(records.filter { !$0.isOver && journal.isHeld($0.id) }.compactMap(\.jobId))
    func clean(_ orphan: JobRecord.Orphan) -> Bool {
      list(orphan.user)
        && listed[orphan.user, default: []].filter {
          !worked.contains($0.id) && orphan.isThis($0)
        }.allSatisfy { isGone($0, orphan, over: line) }
    }
    var isClean = own.map(clean) ?? true
    for record in records where record.hasOrphan(at: uri) {
      let gone = record.orphans.filter { $0.uri == uri && clean($0) }
      if gone.count < record.orphans.filter({ $0.uri == uri }).count { isClean = false }
      guard !gone.isEmpty, let entry = try? journal.claim(record.id) else { continue }
      try? entry.update { $0.orphans.removeAll { gone.contains($0) } }
    }
    return isClean
  }

  /// True if the journal has anything that could remain at this printer.
  package var hasWork: Bool {
    ((try? journal.unsettledRecords()) ?? []).contains { record in
      record.hasOrphan(at: uri)
        || isCutOff(record) && !journal.isHeld(record.id)
    }
  }

  /// Checks once, and again if one check is not enough.
  package mutating func sweep(over line: any JobConnection) {
    guard hasWork, !clean(over: line) else { return }
    guard clock.sleep(.milliseconds(750), Cancellation()) else { return }
    clean(over: line)
  }

  /// Returns the printers at which something may remain, each with a record of how to reach it.
  ///
  /// Exit 73 for a journal that belongs to another user.
  package static func places(in journal: Journal) throws(Failure) -> [JobRecord.Orphan] {
    var seen: Set<String> = []
    return try journal.unsettledRecords().flatMap(\.orphans).filter { seen.insert($0.uri).inserted }
  }

  /// True for a job that its airprint has begun and not completed at this printer.
  ///
  /// With phase `sending` the printer's job may be as empty as before: the phase is recorded before the first byte
  /// leaves.
  private func isCutOff(_ record: JobRecord) -> Bool {
    record.uri == uri && [.creating, .created, .sending].contains(record.phase)
  }

  /// Settles jobs that a killed airprint left at this printer before it had sent all of a document: such a job is
  /// canceled by its number, or becomes an orphan.
  private mutating func settle(_ security: Security) {
    guard !hasSettled else { return }
    hasSettled = true
    for record in (try? journal.unsettledRecords()) ?? []
    where isCutOff(record) {
      guard !journal.isHeld(record.id), let entry = try? journal.claim(record.id) else { continue }
      _ = try? entry.settle(security: security)
    }
  }

  private mutating func isGone(
    _ job: JobStatus, _ orphan: JobRecord.Orphan, over line: any JobConnection
  ) -> Bool {
    if orphan.identity == nil {
      let now = clock.now()
      let first = seen[job.id] ?? now
      seen[job.id] = first
      guard first.duration(to: now) >= .milliseconds(700) else { return false }
    }
    let cancelResult = try? line.cancel(
      JobIdentity(job), user: orphan.user, timeout: .zero, clock: clock, Cancellation())
    return cancelResult?.isSure == true
  }
}

extension JobRecord {
  fileprivate func hasOrphan(at uri: String) -> Bool { orphans.contains { $0.uri == uri } }
}

extension JobRecord.Orphan {
  /// Seconds in which a printer makes a job that was requested.
  private static let longestRequest = 60.0

  /// Returns true if a printer's empty job can be this one.
  func isThis(_ job: JobStatus) -> Bool {
    if let identity { return identity.isThis(job) && identity.isProven(by: job) }
    guard JobSearch.isStated(name, user, by: job), job.reasons.contains("job-data-insufficient")
    else { return false }
    // A clock that was set back since then proves nothing.
    let seconds = WallClock.seconds - since
    guard let age = job.age, seconds >= 0 else { return true }
    // Created by the request: another machine's till may make one of the same name at any other time.
    return (seconds - Self.longestRequest...seconds + 1).contains(Double(age))
  }
}
