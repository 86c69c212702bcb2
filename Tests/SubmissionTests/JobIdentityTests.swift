import FoundationEssentials
import Glibc
import IPP
@testable import PrintModel
import System
import Testing

@testable import Submission

/// Whether a printer's report is about the job that is meant.
@Suite struct JobIdentityTests {
  private static let then = 1_800_000_000.0

  private static func job(
    _ id: Int = 1, _ name: String? = "d.pdf", of user: String? = "kay", uuid: String? = nil,
    created: Int? = nil, age: Int? = nil
  ) -> JobStatus {
    var status = JobStatus(id: id, state: .completed)
    (status.name, status.user, status.uuid) = (name, user, uuid)
    (status.created, status.age) = (created, age)
    return status
  }

  /// After the printer reported a job of its 70th second: with its UUID, without it, and without any time.
  @Test(
    arguments: [
      (job(uuid: "urn:uuid:1", created: 70), true, true, true),
      // Printers make UUIDs of numbers, too, and rename jobs.
      (job(uuid: "urn:uuid:1", created: 900), false, false, true),
      (job(1, "Payroll.pdf", of: "mallory", uuid: "urn:uuid:1", created: 70), false, false, false),
      (job(1, "Annual report", uuid: "urn:uuid:1", created: 70), true, false, false),
      (job(1, "Payroll.pdf", uuid: "urn:uuid:1"), false, false, false),
      (job(created: 71), true, true, true),
      // It may report less than before.
      (job(1, nil, of: nil), true, true, true),
      (job(1, "d", created: 70), false, false, false),
      // The printer was switched off: another one has this number now.
      (job(uuid: "urn:uuid:2", created: 70), false, true, true),
      (job(1, "Payroll.pdf", of: "mallory"), false, false, false),
      (job(1, "Payroll.pdf", created: 70), false, false, false),
      (job(of: "mallory", created: 70), false, false, false),
      // The same name and user; created later or earlier after a start.
      (job(created: 900), false, false, true),
      (job(created: 30), false, false, true),
      (job(2, uuid: "urn:uuid:1", created: 70), false, false, false),
    ] as [(JobStatus, Bool, Bool, Bool)])
  func `a job that the printer has reported`(
    _ report: JobStatus, _ isThis: Bool, _ withoutUUID: Bool, _ withoutTime: Bool
  ) {
    func isOurs(_ uuid: String?, _ created: Int?) -> Bool {
      JobIdentity(Self.job(uuid: uuid, created: created)).isThis(report)
    }
    #expect(isOurs("urn:uuid:1", 70) == isThis)
    #expect(isOurs(nil, 70) == withoutUUID)
    #expect(isOurs(nil, nil) == withoutTime)
  }

  /// With the UUID and the time that the printer has stated, without the UUID, and without both.
  @Test(
    arguments: [
      (job(uuid: "urn:uuid:1"), true, true, true), (job(), true, true, true),
      (job(created: 70), true, true, true), (job(1, nil), false, false, false),
      (job(1, ""), false, false, false), (job(1, nil, created: 70), true, true, false),
      // Printers make UUIDs of numbers.
      (job(1, nil, uuid: "urn:uuid:1"), false, false, false),
    ] as [(JobStatus, Bool, Bool, Bool)])
  func `a job whose name is hidden is not changed`(
    _ report: JobStatus, _ isProven: Bool, _ withoutUUID: Bool, _ withoutTime: Bool
  ) {
    func isOurs(_ uuid: String?, _ created: Int?) -> Bool {
      let job = JobIdentity(Self.job(uuid: uuid, created: created))
      #expect(job.isThis(report))
      return job.isProven(by: report)
    }
    #expect(isOurs("urn:uuid:1", 70) == isProven)
    #expect(isOurs(nil, 70) == withoutUUID)
    #expect(isOurs(nil, nil) == withoutTime)
    // From a printer that never states more.
    let uuid = Self.job(1, nil, uuid: "urn:uuid:1")
    #expect(JobIdentity(uuid).isProven(by: uuid))
    #expect(!JobIdentity(uuid).isProven(by: Self.job(1, nil)))
    // A user named it by its number.
    #expect(JobIdentity(Self.job(1, nil)).isProven(by: Self.job(1, nil)))
    #expect(!JobIdentity(report, isFound: true).isProven(by: report))
  }

  /// A job of which the printer has only stated the number: its names are those that were sent.
  ///
  /// Over the connection on which it was made, no other job can have this number.
  @Test(
    arguments: [
      (job(age: 5), true), (job(age: 25), true), (job(1, nil, of: nil), true), (job(1, ""), true),
      // Printers rename jobs, so one name is sufficient together with the time.
      (job(1, "Document", age: 10), true), (job(1, of: "anonymous", age: 10), true),
      (job(1, "Document"), false), (job(1, of: "CORP\\kay"), false),
      // Somebody else's, just after the printer was switched on again.
      (job(1, "Payroll.pdf", of: "mallory", age: 10), false),
      (job(1, "Payroll.pdf", of: nil, age: 10), false),
      // It came before the request, or the printer was switched off since.
      (job(age: 60), false), (job(1, "Payroll.pdf", of: "mallory"), false),
    ] as [(JobStatus, Bool)])
  func `a job that was just created`(_ report: JobStatus, _ isThis: Bool) throws {
    let answer = Response(status: .ok, jobs: [AttributeSet([Attribute("job-id", .integer(1))])])
    let now = WallClock.seconds
    let request = JobSearch(name: "d.pdf", user: "kay", since: now - 20)
    let job = try #require(JobIdentity(answer, to: request))
    #expect(job.isThis(report, now: now + 5) == isThis)
    #expect(job.isThis(report, isByMaker: true, now: now + 5))
    #expect(!job.isThis(Self.job(2), isByMaker: true))
    #expect(!job.isThis(Self.job(age: 2), now: now + 600))
    // A clock that was set back since then proves nothing.
    #expect(job.isThis(Self.job(age: 5), now: now - 600))
    #expect(!job.isThis(Self.job(1, "Document", age: 5), now: now - 600))
  }

  /// A machine without a clock of its own prints when it starts; then it learns the time.
  @Test func `a clock that is set ahead changes no job's age`() throws {
    let sent = WallClock.seconds - 1e6
    func job(on boot: String) throws -> JobIdentity {
      let start = sent - WallClock.seconds(of: CLOCK_BOOTTIME)
      let text = """
        {"jobId": 1, "jobName": "d.pdf", "jobUser": "kay", "jobAsked": \(sent), "jobAnswered": \(sent),
         "jobClock": {"boot": "\(boot)", "start": \(start)}}
        """
      return try JSONDecoder().decode(JobIdentity.self, from: Data(text.utf8))
    }
    #expect(try job(on: ClockSetting.bootID).isThis(Self.job(age: 1)))
    #expect(try !job(on: "another").isThis(Self.job(age: 1)))
  }

  /// It states more than the number in the answer to the request.
  @Test func `what the printer calls a job when it makes it`() throws {
    let answer = Response(
      status: .ok,
      jobs: [
        AttributeSet([
          Attribute("job-id", .integer(1)), Attribute("job-state", .enumeration(3)),
          Attribute("job-originating-user-name", .name("anonymous")),
          Attribute("time-at-creation", .integer(70)),
        ])
      ])
    let job = try #require(JobIdentity(answer, to: JobSearch(name: "d.pdf", user: "kay")))
    #expect(job.isThis(Self.job(of: "anonymous", created: 71)))
    #expect(!job.isThis(Self.job(of: "anonymous", created: 30)))
    #expect(!job.isThis(Self.job(of: "kay", created: 70)))
    // What it reports over the same connection then counts instead, but for another UUID.
    let other = Self.job(1, "Document", of: "kay", uuid: "urn:uuid:1", created: 72)
    #expect(job.isThis(other, isByMaker: true))
    let learned = try #require(job.learning(other))
    #expect(!learned.isThis(Self.job(of: "kay", created: 72), isByMaker: true))
    #expect(!learned.isThis(Self.job(uuid: "urn:uuid:2"), isByMaker: true))
  }

  /// Until the job has its document, by which printers name jobs, too.
  @Test func `what the printer calls a job that is empty is not all that it may call it`() throws {
    let answer = Response(status: .ok, jobs: [AttributeSet([Attribute("job-id", .integer(1))])])
    let made = try #require(JobIdentity(answer, to: JobSearch(name: "d.pdf", user: "kay")))
    let job = made.noting(Self.job(1, "Document", of: "anonymous"))
    #expect(!made.isThis(Self.job(1, "Document", of: "anonymous")) && !made.isSure)
    // It has stated that name, and may call its user otherwise than he was sent.
    #expect(job.isContradicted(by: Self.job(1, "Payroll.pdf", of: "anonymous")))
    #expect(!job.isContradicted(by: Self.job(1, "Document", of: "alice")))
    #expect(!made.isContradicted(by: Self.job(1, "Document", of: "anonymous")))
    #expect(job.isThis(Self.job(1, "Document", of: "anonymous")))
    let titled = Self.job(1, "Annual report", of: "anonymous")
    #expect(job.isThis(titled, isByMaker: true))
    #expect(try #require(job.learning(titled)).isThis(titled))
    #expect(made.noting(Self.job(uuid: "urn:uuid:1")).isSure)
  }

  /// It makes UUIDs of numbers, states no time, and was switched off since.
  @Test func `names that the printer has stated count more than a UUID`() throws {
    let uuid = "urn:uuid:1"
    let answer = Response(
      status: .ok,
      jobs: [
        AttributeSet([Attribute("job-id", .integer(1)), Attribute("job-uuid", .uri(uuid))])
      ])
    let made = try #require(JobIdentity(answer, to: JobSearch(name: "d.pdf", user: "kay")))
    let another = Self.job(1, "Payroll.pdf", of: "alice", uuid: uuid)
    #expect(!made.isKnown && made.isThis(another))
    let job = made.noting(Self.job(uuid: uuid))
    #expect(job.isThis(Self.job(uuid: uuid)) && !job.isThis(another))
    let report = try #require(job.learning(Self.job(uuid: uuid)))
    #expect(report.isKnown && !report.isThis(another))
    #expect(!report.isProven(by: Self.job(1, nil, uuid: uuid)))
  }

  /// It makes UUIDs of numbers, and was switched off and on: another job of the same second has another name.
  @Test func `a job that was reported is none that came later`() throws {
    let now = WallClock.seconds
    let request = JobSearch(name: "d.pdf", user: "kay", since: now - 20)
    let answer = Response(status: .ok, jobs: [AttributeSet([Attribute("job-id", .integer(1))])])
    let made = try #require(JobIdentity(answer, to: request))
    let job = try #require(made.learning(Self.job(uuid: "urn:uuid:1", created: 45, age: 5)))
    func isThis(
      _ name: String, _ age: Int?, at later: Double, isByMaker: Bool = false
    ) -> Bool {
      job.isThis(
        Self.job(1, name, uuid: "urn:uuid:1", created: 45, age: age), isByMaker: isByMaker,
        now: now + later)
    }
    #expect(isThis("Annual report", 3600, at: 3600) && isThis("Annual report", nil, at: 3600))
    #expect(!isThis("Payroll.pdf", 2, at: 3600))
    // Another one of the same second and name, from a till that always prints under this one.
    #expect(!isThis("d.pdf", 2, at: 3600) && isThis("d.pdf", 3600, at: 3600))
    // This machine's clock may have been set.
    #expect(isThis("Annual report", 2, at: -3600))
    #expect(isThis("d.pdf", 2, at: 3600, isByMaker: true))
    // A printer that has been up for longer has given no number twice: an answer was slow, or its clock was set.
    let later = try #require(made.learning(Self.job(uuid: "urn:uuid:1", created: 9_000, age: 5)))
    for age in [0, 5, 60, 3600] {
      let report = Self.job(1, "d.pdf", uuid: "urn:uuid:1", created: 9_000, age: age)
      #expect(later.isThis(report, now: now + 60), "\(age)")
    }
  }

  @Test func `what the printer reports first is what it has to report later`() throws {
    let first = Self.job(1, "Document", of: "anonymous", created: 3)
    let job = JobIdentity(first)
    #expect(job.isThis(first) && !job.isThis(Self.job(created: 3)))
    #expect(job.learning(Self.job(created: 3)) == nil)
    #expect(
      job.learning(Self.job(uuid: "urn:uuid:1"))?.learning(Self.job(uuid: "urn:uuid:2")) == nil)
  }

  /// Records of jobs are those of older versions, too: without anything that the printer reported.
  @Test func `a record of a job with only a number has the names that were sent`() throws {
    let text =
      #"{"id":"b","name":"d.pdf","file":"d.pdf","printer":"P","uri":"ipp://p/","user":"kay","created":1,"#
      + #""phase":"sent","jobId":1}"#
    let record = try JSONDecoder().decode(JobRecord.self, from: Data(text.utf8))
    let job = try #require(record.identity)
    #expect(job.isThis(Self.job()) && !job.isThis(Self.job(1, "Payroll.pdf", of: "mallory")))
    var changed = record
    changed.take(Self.job(uuid: "urn:uuid:1", created: 3))
    #expect(changed.identity?.isThis(Self.job(uuid: "urn:uuid:2", created: 3)) == false)
    changed.search = JobSearch(name: "d.pdf", user: "kay", since: 1, before: [2])
    let data = try JSONEncoder().encode(changed)
    #expect(try JSONDecoder().decode(JobRecord.self, from: data) == changed)
  }

  @Test func `Print-Job's job, by the printer's lists`() {
    func found(_ listed: [JobStatus], before: Set<Int>? = [1]) -> Int? {
      JobSearch(name: "receipt.pdf", user: "kay", since: Self.then, before: before)
        .job(among: listed, now: Self.then + 10)?.number
    }
    func job(
      _ id: Int, _ name: String?, of user: String? = nil, age: Int? = nil
    ) -> JobStatus { Self.job(id, name, of: user, age: age) }
    #expect(found([]) == nil)
    #expect(found([job(1, "receipt.pdf")]) == nil)
    #expect(found([job(1, "receipt.pdf"), job(2, "receipt.pdf")]) == 2)
    #expect(found([job(2, "receipt.pdf")], before: nil) == nil)
    // It ended between the two lists.
    #expect(found([job(2, "receipt.pdf"), job(2, "receipt.pdf")]) == 2)
    #expect(found([job(2, "receipt.pdf"), job(3, "receipt.pdf")]) == nil)
    // Another one has been dropped from a list of the first hundred.
    #expect(found([job(2, "receipt.pdf", age: 9_000)]) == nil)
    #expect(found([job(2, "receipt.pdf", age: 9)]) == 2)
    // A name that is withheld proves nothing, nor does its beginning.
    #expect(found([job(2, "rece")]) == nil)
    #expect(found([job(2, nil)]) == nil && found([job(2, "")]) == nil)
    #expect(found([job(2, "receipt.pdf", of: "kay")]) == 2)
    // Someone else's, or this one under another name, or for another user.
    #expect(found([job(2, "other.pdf")]) == nil)
    #expect(found([job(2, "receipt.pdf", of: "anonymous")]) == nil)
  }
}
