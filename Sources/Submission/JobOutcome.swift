package import PrintModel

/// What of a job is on paper: at least a side is `some`, and the printer may not tell.
package enum Printed: String, Sendable, Encodable {
  case no, some, all, unknown
}

/// Result of a job, or the state in which it was left.
package struct JobOutcome: Sendable, Equatable {
  package var exitCode: ExitCode
  package var jobId: Int?
  package var state: JobState?
  /// job-state-reasons, as stated.
  package var reasons: [String] = []
  package var impressions: Int?
  /// True if that falls short of the job's sides.
  var isShort = false
  /// Message for the user if it did not succeed: complete sentences.
  package var message: String?
  /// The reason why nothing of it could be sent; nil: the printer's state and the exit code are the reason.
  package var refusal: FailureReason?
  /// True if the printer could not read the format.
  var isFormatProblem = false
  /// nil: some of it was printed, or that is unknown.
  package var nothingPrinted: NothingPrinted?
  /// True if airprint gave it up, but the printer still has it.
  package var isLeft = false
  /// Seconds since the printer ended it, if reported.
  package var age: Int?
  /// Time when the printer ended it, by its own clock, in seconds since 1970.
  package var completedAt: Int?

  /// Returns the time when the printer ended it, in seconds since 1970; nil if not reported, or if its clock must be
  /// wrong.
  package func end(ofJobOf created: Double, now: Double) -> Double? {
    if let age { return max(created, now - Double(age)) }
    guard let completedAt = completedAt.map(Double.init), completedAt <= now,
      completedAt >= created - 1
    else { return nil }
    return max(created, completedAt)
  }

  /// The reason why it did not succeed; nil if it did.
  package var reason: FailureReason? {
    if let refusal, refusal.exitCode == exitCode { return refusal }
    let needsPaper =
      exitCode == .notNow && reasons.map(StateReason.init).contains(where: \.needsPaper)
    return needsPaper ? .mediaEmpty : FailureReason(exitCode)
  }

  /// What of it is on paper.
  package var printed: Printed {
    if exitCode == .success, state == .completed { return isShort ? .some : .all }
    if nothingPrinted != nil { return .no }
    return (impressions ?? 0) > 0 ? .some : .unknown
  }

  /// False if it is known that nothing more of it will be printed.
  package var mayStillPrint: Bool {
    nothingPrinted == nil && state?.isOver != true && ![.canceled, .aborted].contains(exitCode)
  }

  /// True if another printer may be able to print it now.
  package var mayTryNextPrinter: Bool {
    nothingPrinted?.isUnsent == true
      && (reason == .notSupported || [.unavailable, .notNow].contains(exitCode))
  }

  /// The outcome with the sentence for what is proven.
  package var saidInFull: JobOutcome {
    guard let sentence = nothingPrinted?.sentence else { return self }
    var outcome = self
    outcome.message = message.map { $0.saying(sentence) }
    return outcome
  }

  /// True if another format may work.
  package var mayTryOtherFormat: Bool { isFormatProblem && nothingPrinted != nil }
}

extension JobOutcome {
  package init(exitCode: ExitCode) { self.init(exitCode: exitCode, jobId: nil) }

  /// Makes the outcome of a job that could not be sent.
  package init(_ failure: Failure) {
    self.init(exitCode: failure.code, message: failure.message)
    refusal = failure.reason
  }

  /// Makes the outcome of a job that has ended: success only if it is completed and no reason contradicts that.
  ///
  /// If one does, the count decides; `sides` is the number of sheet sides of the whole job, nil if unknown. A count of 0
  /// is none: some printers count no sheet of what they complete (ipp-client-kotlin#20).
  package init(_ status: JobStatus, at printer: String, sides: Int? = nil) {
    self.init(
      exitCode: .success, jobId: status.id, state: status.state, reasons: status.reasons,
      impressions: status.impressions, isShort: status.isPart(of: sides))
    (age, completedAt) = (status.ended, status.completedAt)
    nothingPrinted = NothingPrinted(status)
    // The sentence itself states this.
    let words = status.trouble.filter { $0 != "aborted-by-system" }
      .compactMap { StateReason($0).words }
    let said = (words + [status.message].compactMap { $0 }).first
    // The sentence has its own full stop.
    let why = said.map { ": \($0.hasSuffix(".") ? $0.dropLast() : $0[...])" } ?? ""
    switch status.state {
    case .canceled:
      exitCode = .canceled
      let isSaid = why.lowercased().filter(\.isLetter) == "canceled"
      let isThere = status.trouble.contains("job-canceled-at-device")
      message =
        isThere
        ? "The job was canceled at \(printer) itself."
        : "The job was canceled on \(printer)\(isSaid ? "" : why)."
    case .completed where status.isSuccess: break
    case .completed where status.isWhole(of: sides) && status.hasOnlyErrors: break
    case .completed where status.isPart(of: sides):
      exitCode = .aborted
      message =
        "\(printer) did not print the whole job\(why). It counts \(status.counted(of: sides))."
    case .completed:
      exitCode = .inDoubt
      message =
        "\(printer) reports that it completed the job, but with a problem\(why). It may have printed."
    default:
      // "The printer aborted the job." adds nothing.
      let isSaid = why.isEmpty || why.lowercased().contains("abort")
      exitCode = .aborted
      message =
        isSaid || status.impressions ?? 0 > 0
        ? "\(printer) aborted the job\(isSaid ? "" : why)."
        : "\(printer) did not print the job\(why)."
    }
    if status.state != .completed, status.impressions ?? 0 > 0 {
      message? += " It counts \(status.counted(of: sides))."
      if !status.isPart(of: sides) {
        exitCode = .inDoubt
        message? += " It may have printed."
      }
    }
    isFormatProblem = status.hasFormatProblem
  }
}

extension String {
  /// Returns the message with another sentence; a command that ends it stays at its end.
  func saying(_ sentence: String) -> String {
    hasSuffix(".") ? "\(self) \(sentence)" : "\(sentence) \(self)"
  }
}

extension JobStatus {
  /// True if the printer counts every side of the job.
  fileprivate func isWhole(of sides: Int?) -> Bool {
    guard let impressions, let sides, sides > 0 else { return false }
    return impressions >= sides
  }

  /// Its count: `2 of 3 pages`, `2 pages`, `2 sheets`.
  func counted(of sides: Int?) -> String {
    let sides = countsSheets ? nil : sides
    return sides.map { "\(impressions ?? 0) of \($0.counted("page"))" } ?? pagesInWords ?? ""
  }

  /// True if it counts some sides, but not every one.
  func isPart(of sides: Int?) -> Bool {
    guard let impressions, let sides else { return false }
    // A sheet has two sides at most.
    return impressions > 0 && impressions * (countsSheets ? 2 : 1) < sides
  }

  /// The same with a count that has not fallen: a printer that puts a job back counts it anew (power, a jam).
  func counted(atLeast count: Int?) -> JobStatus {
    var status = self
    status.impressions = impressions.map { max($0, count ?? 0) }
    return status
  }

  /// True if it states that the printer could not read the document (cups#1703).
  var hasFormatProblem: Bool { reasons.contains { StateReason($0).objection == .unread } }

  /// True if nothing contradicts that it was printed, unless something is missing.
  fileprivate var hasOnlyErrors: Bool {
    trouble.allSatisfy { StateReason($0).objection == .flawed }
  }
}

extension JobOutcome {
  /// Makes the outcome of a job that the printer has forgotten: exit 82.
  ///
  /// - `sides`: sheet sides of the whole job; nil if unknown.
  /// - `printed`: those printed when the printer was last asked, if it was before `last`.
  package static func forgotten(
    by printer: String, job: Int?, last: JobStatus? = nil, sides: Int?, printed: Int? = nil
  ) -> JobOutcome {
    let printed = last?.impressions ?? printed
    var ending = "it was probably printed."
    // It may have lost power in the middle.
    if let printed, let sides, printed < sides {
      ending =
        "\(printed) of \(sides.counted("page")) had been printed when it was last asked. Check the paper."
    }
    return JobOutcome(
      exitCode: .forgotten, jobId: job, state: last?.state, reasons: last?.reasons ?? [],
      impressions: printed,
      message:
        "\(printer) received the whole document but does not report what became of it; \(ending)")
  }
}
