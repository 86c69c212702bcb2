internal import IPP
package import PrintModel
internal import System

/// What tells a job from the others at its printer: more than its number, because a printer that was switched off may
/// count from 1 again.
///
/// It is what the printer itself calls the job over the connection on which it was made, which no restart survives; until
/// that is known, what was sent, and when. A job is followed, canceled and released only by its identity, which the
/// printer is asked for first.
package struct JobIdentity: Codable, Sendable, Equatable {
  /// job-id.
  package private(set) var number: Int
  /// job-uuid, if the printer states one.
  private var uuid: String?
  /// job-name and job-originating-user-name, as sent; once the printer has reported them, as it does.
  private var name: String?
  private var user: String?
  /// time-at-creation, by the printer's clock: this machine's may be set.
  private var created: Int?
  /// True once the printer has reported all of that.
  private var isReported: Bool
  /// True once the printer has stated the job's name: from then on, a report that hides it proves nothing.
  private var isNamed = false
  /// True once the printer has begun with it: one that waits again may be partly printed.
  private(set) var hasBegun = false
  /// The times of the request and of its answer, in seconds since 1970.
  private var asked: Double?
  private var answered: Double?
  /// The clock by which they are.
  private var clock: ClockSetting?
  /// True if it was found in the printer's lists by its name alone, which another program may use as well: such a job is
  /// reported, but not changed, and its end proves nothing of the document.
  private(set) var isFound = false

  /// Takes the identity from the answer to the request that made the job; nil if it contains no number.
  init?(_ answer: Response, to request: JobSearch) {
    guard let job = answer.jobs.first, let number = job.number("job-id"), number > 0 else {
      return nil
    }
    self.number = number
    uuid = job.string("job-uuid")
    (name, user) = (request.name, request.user)
    (asked, answered, clock) = (request.since, WallClock.seconds, ClockSetting())
    isReported = false
    if let stated = JobStatus(reading: job) { take(stated) }
  }

  /// Takes the identity from the printer's report on the job that is meant.
  ///
  /// - `isFound`: it was found by its name alone.
  package init(_ job: JobStatus, isFound: Bool = false) {
    (number, isReported, self.isFound) = (job.id, false, isFound)
    self = learning(job) ?? self
  }

  /// True once the printer has stated what shows that another job is another one.
  var isSure: Bool { isKnown || uuid != nil || isNamed }

  /// True once it has also stated what shows that a job is this one: printers make UUIDs from numbers, too.
  var isKnown: Bool { isReported || created != nil }

  /// Returns true if a printer's report with this number is about this job.
  ///
  /// Nothing that it states may contradict: its UUID, its name, its user, the time when it was created, and, of a
  /// printer that may have started since, its age, because the same second comes again. Until the printer has
  /// reported the names, which it may have changed, one of them is sufficient together with the time; with the UUID,
  /// none is, but for names that the printer has stated. Later, one may differ if the UUID and the time agree.
  ///
  /// - `isByMaker`: it came over the connection on which the job was made.
  package func isThis(
    _ job: JobStatus, isByMaker: Bool = false, now: Double? = nil
  ) -> Bool {
    guard job.id == number else { return false }
    let hasUUID = uuid != nil && job.uuid != nil
    if hasUUID, uuid != job.uuid { return false }
    if isByMaker, !isReported { return true }
    let isAsOld = created.flatMap { own in job.created.map { abs($0 - own) <= 1 } }
    // The connection on which it was made has survived no restart, and the clock may have been set.
    let isInTime = isByMaker ? nil : isInTime(job, now)
    if isAsOld == false || isInTime == false && mayBeRestarted(job, now) { return false }
    let names = [(name, job.name), (user, job.user)]
    if isReported {
      // As it was reported; some printers hide it from time to time.
      let same = names.map { $1 ?? "" == "" || $0 == $1 }
      return hasUUID && isAsOld == true ? same.contains(true) : !same.contains(false)
    }
    let mayBe = names.allSatisfy { JobSearch.mayBe($0, $1) }
    guard isInTime == true else { return mayBe || hasUUID && !isNamed }
    return hasUUID || mayBe || names.contains { $0 != nil && $0 == $1 }
  }

  /// Returns true if a report shows that an empty job's number is another one's: it contradicts what the printer itself
  /// has stated, not what was only sent.
  func isContradicted(by job: JobStatus) -> Bool {
    !isThis(job) && (isKnown || uuid != nil || isNamed && !JobSearch.mayBe(name, job.name))
  }

  /// Returns true if a report on this job also states enough to change the job, and to believe how it ended.
  ///
  /// That is the time when the job was created, or its name. From a printer that has stated neither before, the UUID is
  /// sufficient, and from one that has stated nothing at all, the number.
  func isProven(by job: JobStatus) -> Bool {
    guard !isFound else { return false }
    if created != nil && job.created != nil || isNew || isInTime(job) == true { return true }
    guard let theirs = job.name, !theirs.isEmpty else {
      return !isNamed && created == nil && (uuid == nil || job.uuid != nil)
    }
    return isReported ? name == theirs : JobSearch.mayBe(name, theirs)
  }

  /// True within the second after the printer made the job, until it reports it: it may have renamed it, and has not
  /// restarted since.
  var isNew: Bool { !isReported && (0...1).contains(now - (answered ?? 0)) }

  private var now: Double { clock?.seconds ?? WallClock.seconds }

  /// The reason why a job is not changed.
  static let unproven = "what it reports does not prove that the number is still this job's"

  /// Returns true if a job's age fits the request that made this one; nil if that is unknown, as of a job that the printer
  /// has from before it started (RFC 8011 §5.3.14.1).
  func isInTime(_ job: JobStatus, _ time: Double? = nil) -> Bool? {
    let now = time ?? now
    // A clock that was set back since then proves nothing.
    guard let age = job.age, let asked, let answered, now >= answered else { return nil }
    let created = now - Double(age)
    // Seconds, as printers count them, by clocks that differ by 0.01 %.
    let tolerance = 3 + (now - answered) / 10_000
    return created >= asked - tolerance && created <= answered + tolerance
  }

  /// True unless the printer has been up for longer than this job has existed: then its numbers are the same still, and
  /// the age of one is off because the answer was on its way for long, or because the printer's clock was set.
  private func mayBeRestarted(_ job: JobStatus, _ time: Double?) -> Bool {
    guard let age = job.age, let created = job.created, let asked else { return true }
    return Double(age) + Double(created) <= (time ?? now) - asked + 3
  }

  /// Returns the identity with what the printer reports of the job; nil if nothing of it is new.
  func learning(_ job: JobStatus) -> JobIdentity? {
    guard !isReported || uuid == nil && job.uuid != nil || !hasBegun && job.hasBegun else {
      return nil
    }
    var identity = self
    identity.take(job)
    identity.isReported = true
    return identity
  }

  /// Returns the identity with what the printer calls the job before it has its document, by which it may rename it.
  func noting(_ job: JobStatus) -> JobIdentity {
    var identity = self
    identity.take(job)
    return identity
  }

  private mutating func take(_ job: JobStatus) {
    uuid = uuid ?? job.uuid
    if let name = job.name, !name.isEmpty { (self.name, isNamed) = (name, true) }
    if let user = job.user, !user.isEmpty { self.user = user }
    created = job.created ?? created
    hasBegun = hasBegun || job.hasBegun
  }

  private enum CodingKeys: String, CodingKey {
    case number = "jobId", uuid, name = "jobName", user = "jobUser", created = "jobCreated"
    case isReported = "jobReported", asked = "jobAsked", answered = "jobAnswered"
    case clock = "jobClock"
    case isNamed = "jobNamed", isFound = "jobFound", hasBegun = "jobBegun"
  }

  /// The keys of the record that contains it: what was sent.
  private enum SentKeys: String, CodingKey { case name, user }

  package init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: CodingKeys.self)
    let sent = try decoder.container(keyedBy: SentKeys.self)
    number = try object.decode(Int.self, forKey: .number)
    uuid = try object.value(.uuid)
    name = try object.value(.name) ?? sent.value(.name)
    user = try object.value(.user) ?? sent.value(.user)
    created = try object.value(.created)
    isReported = try object.value(.isReported) ?? false
    isNamed = try object.value(.isNamed) ?? isReported
    (asked, answered) = (try object.value(.asked), try object.value(.answered))
    clock = try object.value(.clock)
    isFound = try object.value(.isFound) ?? false
    hasBegun = try object.value(.hasBegun) ?? false
  }
}

/// A job that was requested, and whose number may get lost together with the answer.
package struct JobSearch: Codable, Sendable, Equatable {
  /// job-name and requesting-user-name, as sent.
  var name: String
  var user: String
  /// Time of the request, in seconds since 1970.
  var since = WallClock.seconds
  /// The numbers of the jobs that the printer listed before that; nil if it did not.
  var before: Set<Int>?

  /// Finds the job: the only one among those `listed` that was not there before, is no older than the request, and has
  /// this name and user.
  ///
  /// That there is none proves nothing: lists lag, and printers rename and forget jobs.
  func job(among listed: [JobStatus], now: Double = WallClock.seconds) -> JobIdentity? {
    let own = listed.filter { job in
      before?.contains(job.id) == false
        && job.age.map { now - Double($0) >= since - 5 } ?? true
        && JobSearch.isStated(name, user, by: job)
    }
    guard Set(own.map(\.id)).count == 1 else { return nil }
    return JobIdentity(own[0], isFound: true)
  }

  /// Returns true if the printer reports the name of this job, at least its first 31 bytes, and no other user: a hidden
  /// name proves nothing.
  static func isStated(_ name: String, _ user: String, by job: JobStatus) -> Bool {
    [(name, job.name), (user, job.user ?? user)].allSatisfy { own, theirs in
      guard let theirs else { return false }
      return own == theirs || theirs.utf8.count >= 31 && own.hasPrefix(theirs)
    }
  }

  /// Returns true if a printer may report a name as the other one: printers truncate names, and hide them from users
  /// who did not log in.
  fileprivate static func mayBe(_ own: String?, _ theirs: String?) -> Bool {
    guard let own, let theirs, !theirs.isEmpty else { return true }
    return own.hasPrefix(theirs)
  }
}
