internal import FoundationEssentials
internal import Glibc
package import PrintModel
internal import System

/// The file with the credentials that were given for a printer, by whoever named that.
package struct GivenPassword: Codable, Sendable, Equatable {
  package let path: String
  /// `secretMark` of its first line: what is in the file later may be for another printer.
  package let mark: Int
  /// The printer: by the certificate over which it got them first, or by which it was known.
  ///
  /// nil: by its URI, and by its UUID, if that was known.
  package var certificate: Fingerprint?
  package let uri: String
  package let uuid: String?

  package init(path: String, mark: Int, uri: String, uuid: String?) {
    (self.path, self.mark, self.uri, self.uuid) = (path, mark, uri, uuid)
  }
}

/// One job in the journal: the content of `job.json`, which `jobs`, `cancel`, `wait`, `reprint` and the queue use.
package struct JobRecord: Codable, Sendable, Equatable {
  /// Phase of the job; written before the step that it names.
  package enum Phase: String, Codable, Sendable {
    /// Waiting in the queue (print later).
    case queued
    /// In the journal; nothing has been sent.
    case accepted
    /// Create-Job is being sent: the printer may have an empty job with an unknown number.
    case creating
    /// The printer has an empty job with a number.
    case created
    /// Bytes of the document may have been sent.
    case sending
    /// The last byte has been sent; the printer has not answered.
    ///
    /// Written after the fact, and only if the answer takes a while.
    case delivered
    /// The printer has confirmed that it has the whole document.
    case sent
    /// The job has ended, or the printer is no longer asked about it.
    case ended
  }

  /// A file that was copied into the job's folder.
  package struct Copy: Codable, Sendable, Equatable {
    /// Path as the user typed it; `-` for standard input.
    package var path: String
    /// The copy's name in the folder.
    package var copy: String
    package var mediaType: String?

    /// Returns true if a name is a path below the job's folder, and not one of the journal's own files.
    static func isInside(_ name: String) -> Bool {
      let parts = name.split(separator: "/", omittingEmptySubsequences: false)
      return !parts.contains { $0.isEmpty || $0.hasPrefix(".") }
        && !["job.json", "job.json.new", "secret"].contains(parts[0])
        && CancelRequest(rawValue: String(parts[0])) == nil
    }
  }

  /// An empty job that may have been left at a printer.
  ///
  /// It blocks some printers permanently, so it is canceled as soon as the printer answers.
  package struct Orphan: Codable, Sendable, Equatable {
    package var name: String
    package var user: String
    package var printer: String
    package var uri: String
    package var addresses: [String]
    /// nil if its number is unknown.
    var identity: JobIdentity?
    /// Time of the request that made it, in seconds since 1970.
    package var since: Double
    /// As in `JobRecord`.
    package var service: ServiceName?
    package var printerUUID: String?
    package var certificate: Fingerprint?

    private enum CodingKeys: String, CodingKey {
      case name, user, printer, uri, addresses, identity, since, printerUUID = "printerUuid"
      case certificate, service
    }
  }

  package var id = ""
  package var name: String
  /// The document, as named on the command line.
  package var file: String
  package var printer: String
  package var uri: String
  package var addresses: [String]
  /// The name on the network under which it was found; nil if its address was typed or saved.
  package var service: ServiceName?
  /// printer-uuid, by which the printer is found again at another address; nil if it states none.
  package var printerUUID: String?
  /// Certificate that the printer presented when it received the job: any printer that answers for it later must
  /// present the same.
  ///
  /// nil if the printer did not encrypt.
  package var certificate: Fingerprint?
  /// What was given for the printers of the job: none is for another one.
  package var givenPasswords: [GivenPassword] = []
  package var user: String
  /// Time in seconds since 1970.
  package var created: Double
  package var phase = Phase.accepted
  /// True if someone relies on the job (`--detach`, the queue): if it can't have been printed, any process that finds
  /// it prints it.
  package var isKept = false
  /// True if the job was queued for later: as long as nothing can have been printed, it returns to the queue.
  package var isForLater = false
  /// Facts determined since it was queued: its number of pages, and its type if none was given.
  ///
  /// nil if the pages are made for their paper.
  package var pages: Int?
  package var type: String?
  /// The document's type, if it chooses the printer.
  package var sureType: String?
  package var request = JobRequest()
  package var document: Copy?
  package var attachments: [Copy] = []

  /// The printer's job; nil if it has none, or its number is unknown.
  package var identity: JobIdentity?
  /// True if a server that had refused the document by HTTP got it again.
  var isRepeated = false
  /// The request that makes the printer's job, whose number comes only with the answer: Create-Job, or Print-Job with
  /// the document.
  var search: JobSearch?
  /// Sheet sides sent; nil if they were not counted.
  package var sides: Int?
  /// The job-state keyword.
  package var state: String?
  package var reasons: [String] = []
  package var impressions: Int?
  /// `JobOutcome.isShort` of a job that has ended.
  var isShort = false
  /// When the printer stopped (`PrinterStatus.stoppedSince`), if it was stopped before it had the job, and has not been
  /// seen working since: some never change printer-state-change-time.
  package var stoppedSince: Int?
  /// What delays a job that has not ended, as its process last told it.
  package var trouble: String?
  /// What its end proved of a job that has ended.
  package var nothingPrinted: NothingPrinted?
  package var exitCode: Int32?
  /// The reason of `exitCode`; nil in the record of an older version.
  package var reason: FailureReason?
  package var message: String?
  /// Time when it ended, in seconds since 1970; nil if it has not ended, or if an older version wrote the record.
  package var ended: Double?
  /// Its plan: the sentences of `print --dry-run`.
  package var plan: [String] = []
  package var orphans: [Orphan] = []

  package init(
    name: String, file: String, printer: String, uri: String, addresses: [String],
    user: String, created: Double
  ) {
    self.name = name
    self.file = file
    self.printer = printer
    self.uri = uri
    self.addresses = addresses
    self.user = user
    self.created = created
  }

  /// Records an outcome; `isOver` if the printer will not be asked again.
  ///
  /// A queued job that can be printed later without printing twice returns to the queue.
  package mutating func end(_ outcome: JobOutcome, isOver: Bool) {
    if isOver, isForLater, let proof = outcome.reasonToWait { return wait(outcome, proof) }
    phase = isOver ? .ended : outcome.isLeft ? phase : .sent
    nothingPrinted = isOver ? outcome.nothingPrinted : nil
    trouble = nil
    state = outcome.state?.keyword
    reasons = outcome.reasons
    (impressions, isShort) = (outcome.impressions, outcome.isShort)
    exitCode = isOver ? outcome.exitCode.rawValue : nil
    reason = isOver ? outcome.reason : nil
    message = outcome.message
    let now = WallClock.seconds
    ended = isOver ? outcome.end(ofJobOf: created, now: now) ?? max(created, now) : nil
  }

  /// Records the end that the printer reports of the job.
  package mutating func end(by status: JobStatus) {
    note(status)
    end(JobRecovery.outcome(of: self, status), isOver: true)
  }

  /// Records what the printer reports of a job that has not ended.
  mutating func take(_ status: JobStatus) {
    identity = identity?.learning(status) ?? identity
    state = status.state.keyword
    reasons = status.reasons
    note(status)
    message = status.message
  }

  /// Records the printer's count, which does not fall, and that it works on the job, as stopped as it says that it is.
  mutating func note(_ status: JobStatus) {
    if status.state == .processing { stoppedSince = nil }
    impressions = status.counted(atLeast: impressions).impressions ?? impressions
  }

  /// Records that Create-Job is sent next: from now on, the printer may make an empty job.
  package mutating func create() {
    phase = .creating
    search = JobSearch(name: name, user: user)
  }

  /// Returns the job to its initial state, without the printer's data.
  package mutating func retract(_: NothingPrinted) {
    phase = .accepted
    identity = nil
    search = nil
    sides = nil
    state = nil
    impressions = nil
    trouble = nil
    nothingPrinted = nil
  }

  /// Returns the job to its initial state; it is sent even if the process that requested that ends.
  package mutating func sendAnew(_ proof: NothingPrinted) {
    retract(proof)
    reasons = []
    isRepeated = false
    isKept = true
    exitCode = nil
    reason = nil
    message = nil
    ended = nil
    plan = []
  }

  /// Returns the job to the queue, with the code and the message of the attempt.
  package mutating func wait(_ outcome: JobOutcome, _ proof: NothingPrinted) {
    retract(proof)
    phase = .queued
    reasons = outcome.reasons
    exitCode = outcome.exitCode.rawValue
    reason = outcome.reason
    message = outcome.message
  }
}

extension JobRecord {
  /// Makes the record of an empty job that this one may have left at the printer; nil: with an unknown number.
  func orphan(_ job: JobIdentity?) -> Orphan {
    Orphan(
      name: name, user: user, printer: printer, uri: uri, addresses: addresses, identity: job,
      since: search?.since ?? created, service: service, printerUUID: printerUUID,
      certificate: certificate)
  }
}

extension JobOutcome {
  /// Proof for a queued job that has to wait again; nil for one that has ended.
  ///
  /// A job that was canceled by someone stays canceled, and one that the printer refused or aborted is not sent again.
  /// SIGTERM cancels nobody's job: it stops the service, or the session.
  fileprivate var reasonToWait: NothingPrinted? {
    switch exitCode {
    case .success, .canceled: nil
    case .notNow, .terminated: nothingPrinted
    default: nothingPrinted?.isUnsent == true ? nothingPrinted : nil
    }
  }
}

extension JobRecord {
  package var isOver: Bool { phase == .ended }

  /// job-id; nil if unknown.
  package var jobId: Int? { identity?.number }

  /// The result as `print` reported it; nil if the job has not ended.
  package var outcome: JobOutcome? { isOver ? standing : nil }

  /// The result as `print` reported it; of a job that has not ended, that of its last attempt, and what is on paper.
  ///
  /// A record of another version with an unknown exit code is in doubt.
  package var standing: JobOutcome {
    let known = exitCode.flatMap(ExitCode.init) ?? (isOver ? nil : .success)
    let unknown =
      "The job's record does not say how it ended, or another version of airprint wrote it; the job may have "
      + "printed."
    var outcome = JobOutcome(
      exitCode: known ?? .inDoubt, jobId: jobId, state: state.flatMap(JobState.init(keyword:)),
      reasons: reasons, impressions: impressions, isShort: isShort,
      message: known == nil ? unknown : message)
    outcome.nothingPrinted = NothingPrinted(self)
    outcome.refusal = reason
    return outcome
  }

  /// What is known of a job at a printer that can't be asked about it until a person has done something: `failure`.
  package func standing(barredBy failure: Failure) -> JobOutcome {
    var outcome = standing
    (outcome.exitCode, outcome.refusal) = (failure.code, failure.reason)
    outcome.message = "\(printer) has the job and may still print it. \(failure.message)"
    outcome.isLeft = true
    return outcome
  }

  /// Returns true if a record's file is that of a job that has ended and left nothing at a printer, without decoding
  /// it.
  ///
  /// Within strings, the quotes around these words would be escaped. A record written in any other form is decoded.
  static func isSettled(_ file: Data) -> Bool {
    (Array(file) + [0]).withUnsafeBytes { bytes in
      let text = bytes.bindMemory(to: CChar.self)
      guard let start = text.baseAddress, strstr(start, "\"orphans\"") == nil,
        let key = strstr(start, "\"phase\"")
      else { return false }
      let behind = key + "\"phase\"".utf8.count
      let value = behind + strspn(behind, " :")
      return strncmp(value, "\"ended\"", 7) == 0
    }
  }

  private enum Key: String, CodingKey {
    case id, name, file, printer, uri, addresses, user, created, phase, request, document
    case attachments, jobId, search, sides, state, reasons, impressions, stoppedSince, trouble
    case nothingPrinted, exitCode, reason, message, orphans
    case isKept = "kept"
    case isForLater = "later"
    case isRepeated = "repeated"
    case isShort = "short"
    case pages, type, sureType, service, certificate, givenPasswords, ended, plan
    case printerUUID = "printerUuid"
  }

  /// Decodes a record; keys that are newer than it may be missing.
  package init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    self.init(
      name: try object.decode(String.self, forKey: .name),
      file: try object.decode(String.self, forKey: .file),
      printer: try object.decode(String.self, forKey: .printer),
      uri: try object.decode(String.self, forKey: .uri),
      addresses: try object.decodeIfPresent([String].self, forKey: .addresses) ?? [],
      user: try object.decode(String.self, forKey: .user),
      created: try object.decode(Double.self, forKey: .created))
    id = try object.decode(String.self, forKey: .id)
    phase = try object.decode(Phase.self, forKey: .phase)
    service = try object.value(.service)
    (printerUUID, certificate) = (try object.value(.printerUUID), try object.value(.certificate))
    givenPasswords = try object.value(.givenPasswords) ?? []
    isKept = try object.value(.isKept) ?? false
    isForLater = try object.value(.isForLater) ?? false
    isRepeated = try object.value(.isRepeated) ?? false
    (pages, sides) = (try object.value(.pages), try object.value(.sides))
    (type, sureType) = (try object.value(.type), try object.value(.sureType))
    request = try object.value(.request) ?? JobRequest()
    document = try object.value(.document)
    attachments = try object.value(.attachments) ?? []
    identity = object.contains(.jobId) ? try JobIdentity(from: decoder) : nil
    (search, impressions) = (try object.value(.search), try object.value(.impressions))
    (state, reasons) = (try object.value(.state), try object.value(.reasons) ?? [])
    isShort = try object.value(.isShort) ?? false
    (stoppedSince, trouble) = (try object.value(.stoppedSince), try object.value(.trouble))
    (nothingPrinted, exitCode) = (try object.value(.nothingPrinted), try object.value(.exitCode))
    reason = try? object.value(.reason)
    (message, ended) = (try object.value(.message), try object.value(.ended))
    (plan, orphans) = (try object.value(.plan) ?? [], try object.value(.orphans) ?? [])
    let times = [created] + [ended].compactMap { $0 } + orphans.map(\.since)
    // A copy's name must be a file in the folder, never a path out of it.
    guard times.allSatisfy(WallClock.dates.contains),
      (attachments + [document].compactMap { $0 }).allSatisfy({ Copy.isInside($0.copy) })
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .id, in: object, debugDescription: "an invalid time, or a copy outside its folder")
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encodePresent([
      .id: id, .name: name, .file: file, .printer: printer, .uri: uri, .addresses: addresses,
      .service: service, .printerUUID: printerUUID, .certificate: certificate,
      .givenPasswords: givenPasswords.isEmpty ? nil : givenPasswords, .user: user,
      .created: created,
      .phase: phase, .isKept: isKept, .isForLater: isForLater ? true : nil,
      .isRepeated: isRepeated ? true : nil, .pages: pages, .type: type, .sureType: sureType,
      .request: request, .document: document,
      .attachments: attachments.isEmpty ? nil : attachments, .search: search, .sides: sides,
      .state: state, .reasons: reasons, .impressions: impressions,
      .isShort: isShort ? true : nil,
      .stoppedSince: stoppedSince, .trouble: trouble,
      .nothingPrinted: nothingPrinted, .exitCode: exitCode, .reason: reason, .message: message,
      .ended: ended,
      .plan: plan.isEmpty ? nil : plan, .orphans: orphans.isEmpty ? nil : orphans,
    ])
    try identity?.encode(to: encoder)
  }
}
