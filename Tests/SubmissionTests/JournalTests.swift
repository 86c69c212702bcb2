import FoundationEssentials
import Glibc
import IPP
@testable import PrintModel
import Synchronization
import System
import TestSupport
import Testing

@testable import Submission

/// The journal on disk: its state when a function has returned, and its handling of damaged entries.
@Suite struct JournalTests {
  private let scratch: Scratch
  private let journal: Journal

  init() throws {
    scratch = try Scratch()
    journal = Journal(folder: "\(scratch.path)/state/airprint/jobs")
  }

  private func record(_ name: String = "one", created: Double = 1000) -> JobRecord {
    JobRecord(
      name: name, file: "\(name).pdf", printer: "Office", uri: "ipp://localhost/ipp/print",
      addresses: ["127.0.0.1"], user: "me", created: created)
  }

  /// Returns an empty job that may be left at a printer.
  private func orphan() throws -> JobRecord.Orphan {
    let text =
      #"{"name":"one","user":"me","printer":"Office","uri":"ipp://localhost/","addresses":[],"since":1}"#
    return try JSONDecoder().decode(JobRecord.Orphan.self, from: Data(text.utf8))
  }

  @Test func `a job ended when its printer says`() {
    var record = record()
    let soonest = WallClock.seconds - 100
    var status = JobStatus(id: 1, state: .completed)
    status.ended = 100
    record.end(JobOutcome(status, at: "Office"), isOver: true)
    let ended = record.ended ?? 0
    #expect(ended >= soonest && ended < WallClock.seconds - 50)
    // A printer's wrong clock must not make the job end before it began.
    record.created = WallClock.seconds
    status.ended = 900
    record.end(JobOutcome(status, at: "Office"), isOver: true)
    #expect(record.ended == record.created)
  }

  @Test func `a job whose folder may not be on disk is not begun`() throws {
    let place = "\(scratch.path)/state/airprint/jobs"
    _ = try journal.begin(record())
    #expect(throws: Failure.self) {
      let full: (DiskWatch.Step) -> Int32 = { $0 == .synchronize(place) ? ENOSPC : 0 }
      _ = try DiskWatch.watch(full) { try journal.begin(record("two")) }
    }
  }

  @Test func `a job is a folder that people can read, with copies of its files`() throws {
    let document = try scratch.write("%PDF-1.4 the document", to: "paper.pdf")
    let picture = try scratch.write("a picture", to: "stamp.with.dots.png")
    let files = [Glibc.open(document, O_RDONLY), Glibc.open(picture, O_RDONLY)]
    defer { files.forEach { close($0) } }
    // The file is read from the start, whatever the descriptor's position.
    lseek(files[0], 4, SEEK_SET)
    var wanted = record()
    wanted.isKept = true
    wanted.request.options = [.init(name: "copies", value: "2")]
    let entry = try journal.begin(
      wanted,
      copying: [
        .init(descriptor: files[0], path: document, mediaType: "application/pdf"),
        .init(descriptor: files[1], path: picture),
      ])
    #expect(
      try String(contentsOfFile: "\(entry.folder)/document.pdf", encoding: .utf8)
        == "%PDF-1.4 the document")
    #expect(lseek(files[0], 0, SEEK_CUR) == 4)
    #expect(entry.copy(of: picture) == "\(entry.folder)/attachment-1.png")
    #expect(entry.document == "\(entry.folder)/document.pdf")
    let text = try String(contentsOfFile: "\(entry.folder)/job.json", encoding: .utf8)
    #expect(text.contains("\"phase\" : \"accepted\""), "\(text)")
    entry.keep { $0.trouble = "of the next update" }
    #expect(try journal.record(entry.record.id)?.trouble == nil)
    try entry.update { $0.phase = .sending }
    let found = try journal.record(entry.record.id)
    let read = try #require(found)
    #expect(read == entry.record && read.trouble != nil)
    #expect(read.phase == .sending && read.request == wanted.request && read.isKept)
    for path in [entry.folder, "\(entry.folder)/document.pdf", "\(entry.folder)/job.json"] {
      var status = stat()
      #expect(stat(path, &status) == 0 && status.st_mode & 0o077 == 0, "\(path)")
    }
  }

  @Test func `one process works on a job, and its end is the end of that`() async throws {
    let entry = try journal.begin(record())
    let id = entry.record.id
    #expect(journal.isHeld(id))
    #expect(try journal.claim(id) == nil)
    // A process that inherited the lock keeps it, and releases it when it ends.
    let descriptor = try #require(entry.lockDescriptor)
    let holder = try #require(fork(keeping: descriptor))
    entry.release()
    #expect(journal.isHeld(id))
    kill(holder, SIGKILL)
    var status: Int32 = 0
    waitpid(holder, &status, 0)
    // Another test's child may briefly hold the lock between fork and exec.
    try await eventually("the lock ended with its holder") { !journal.isHeld(id) }
    let mine = try #require(try journal.claim(id))
    #expect(journal.isHeld(id))
    mine.release()
    try await eventually("the lock was released") { !journal.isHeld(id) }
  }

  @Test func `a corrupt record is set aside with a message, and the rest goes on`() throws {
    let good = try journal.begin(record("good"))
    let bad = try journal.begin(record("bad"))
    try Data("{ \"id\": 7".utf8).write(to: URL(filePath: "\(bad.folder)/job.json"))
    var notes: [String] = []
    let records = try journal.records { notes.append($0.message) }
    #expect(records.map(\.id) == [good.record.id])
    #expect(notes.count == 1 && notes[0].contains("set aside"), "\(notes)")
    #expect(access("\(bad.folder)/job.json.corrupt", F_OK) == 0)
    notes = []
    #expect(try journal.records { notes.append($0.message) }.count == 1)
    #expect(notes.isEmpty)
    #expect(try journal.record(bad.record.id) == nil)
  }

  @Test(arguments: [
    #"{"id": "x", "phase": "spooling"}"#, #"{"id": "x", "phase": "queued", "created": "today"}"#,
  ])
  func `another version's record stays as it is, and is told each time`(_ text: String) throws {
    let good = try journal.begin(record("good"))
    let other = try journal.begin(record("other"))
    other.release()
    let path = "\(other.folder)/job.json"
    try Data(text.utf8).write(to: URL(filePath: path))
    for _ in 0..<2 {
      var failures: [Failure] = []
      #expect(try journal.records { failures.append($0) }.map(\.id) == [good.record.id])
      #expect(failures.map(\.code) == [.cannotWrite])
      #expect(failures.first?.message.contains("another version") == true)
    }
    #expect(throws: Failure.self) { try journal.record(other.record.id) }
    // It is not pruned by age here, either.
    let times = [timespec(tv_sec: 10, tv_nsec: 0), timespec(tv_sec: 10, tv_nsec: 0)]
    utimensat(AT_FDCWD, other.folder, times, 0)
    spawning.withLock { _ in
      journal.prune(at: 0)
      journal.prune(at: 1e9)
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
  }

  @Test(arguments: [nil, 999, 0] as [Int32?])
  func `an end that is not known is in doubt`(_ code: Int32?) throws {
    let entry = try journal.begin(record())
    try entry.update {
      $0.phase = .ended
      $0.exitCode = code
    }
    let outcome = try #require(try journal.record(entry.record.id)?.outcome)
    #expect(outcome.exitCode == (code == 0 ? .success : .inDoubt))
    #expect((outcome.message == nil) == (code == 0))
  }

  @Test func `a copy's name leads nowhere else`() throws {
    let entry = try journal.begin(record())
    try entry.update { $0.document = .init(path: "x", copy: "../../../etc/passwd") }
    var notes: [String] = []
    #expect(try journal.records { notes.append($0.message) }.isEmpty)
    #expect(notes.count == 1)
  }

  @Test func `a journal of an older version is read`() throws {
    let entry = try journal.begin(record())
    let old = """
      {"addresses": [], "created": 5, "file": "a.pdf", "id": "\(entry.record.id)", "name": "a.pdf",
       "phase": "sent", "printer": "Office", "reasons": [], "uri": "ipp://h/", "user": "me"}
      """
    try Data(old.utf8).write(to: URL(filePath: "\(entry.folder)/job.json"))
    let read = try #require(try journal.record(entry.record.id))
    #expect(read.phase == .sent && !read.isKept && read.orphans.isEmpty && read.created == 5)
  }

  @Test(arguments: ["", ".", "..", "../x", "a/b", "UPPER", "bcdfghjkmnpqrstvwxyz"])
  func `what is no ID is no path`(_ text: String) throws {
    #expect(try journal.record(text) == nil)
    #expect(try journal.claim(text) == nil)
    #expect(!journal.isHeld(text))
  }

  @Test func `somebody else's folder, a file and a folder of no name are refused`() throws {
    journal.remove(try journal.begin(record()))
    if geteuid() == 0 {
      chown(journal.folder, 65_534, 65_534)
      #expect(throws: Failure.self) { try journal.begin(record()) }
      #expect(throws: Failure.self) { try journal.records() }
      chown(journal.folder, 0, 0)
      let entry = try journal.begin(record())
      chown(entry.folder, 65_534, 65_534)
      var notes: [String] = []
      #expect(try journal.records { notes.append($0.message) }.isEmpty)
      #expect(notes.count == 1 && notes[0].contains("belongs to another user"))
    }
    let file = Journal(folder: try scratch.write("", to: "file"))
    let failure = #expect(throws: Failure.self) { try file.begin(record()) }
    #expect(failure?.code == .cannotWrite)
    #expect(failure?.message.contains("Nothing was sent") == true)
  }

  @Test
  func `what is over goes by age and number, what is in doubt or left at a printer by age alone`()
    throws
  {
    var journal = journal
    (journal.limits.age, journal.limits.count) = (1000, 3)
    let orphan = try orphan()
    for (index, (name, ended, code))
      in ([
        ("ancient", 10, 0), ("left long ago", 15, 0), ("left", 9_400, 0), ("doubt", 9_500, 74),
        ("first", 9_600, 0), ("second", 9_700, 80), ("third", 9_800, 0), ("fourth", 9_900, 0),
        ("old and open", 20, nil),
      ] as [(String, Double, Int32?)]).enumerated()
    {
      let entry = try journal.begin(record(name, created: Double(index)))
      if let code {
        try entry.update {
          $0.phase = .ended
          $0.exitCode = code
          if name.hasPrefix("left") { $0.orphans = [orphan] }
        }
        // It was found to have ended at that time.
        try Data("\(ended)".utf8).write(to: URL(filePath: "\(entry.folder)/.over"))
      }
    }
    try prune(journal, at: 10_000)
    let names = try journal.records().map(\.name)
    #expect(names == ["left", "doubt", "second", "third", "fourth", "old and open"])
  }

  @Test func `a job's age begins where it is first seen to be over, whatever its dates say`() throws
  {
    var journal = journal
    journal.limits.age = 1000
    let entry = try journal.begin(record())
    try entry.update {
      $0.phase = .ended
      $0.exitCode = 74
    }
    entry.release()
    let times = [timespec(tv_sec: 10, tv_nsec: 0), timespec(tv_sec: 10, tv_nsec: 0)]
    utimensat(AT_FDCWD, entry.folder, times, 0)
    for (time, isThere) in [(5_000, true), (5_900, true), (6_100, false)] as [(Double, Bool)] {
      try prune(journal, at: time)
      let found = try journal.record(entry.record.id)
      #expect((found != nil) == isThere, "\(time)")
    }
  }

  @Test func `the newest is who was seen to be over last, not who has the latest date`() throws {
    var journal = journal
    (journal.limits.age, journal.limits.count) = (1000, 1)
    for (name, created, over) in [("clock of 1970", 1.0, 200), ("before", 2e9, 100)] {
      let entry = try journal.begin(record(name, created: created))
      try entry.update { $0.phase = .ended }
      try Data("\(over)".utf8).write(to: URL(filePath: "\(entry.folder)/.over"))
    }
    try prune(journal, at: 300)
    #expect(try journal.records().map(\.name) == ["clock of 1970"])
  }

  @Test func `copies count by their bytes, and the newest stays`() throws {
    var journal = journal
    (journal.limits.age, journal.limits.bytes) = (1000, 5000)
    let path = try scratch.write([UInt8](repeating: 65, count: 4_000), to: "long.txt")
    let file = Glibc.open(path, O_RDONLY)
    defer { close(file) }
    for created in [1.0, 2, 3] {
      let entry = try journal.begin(
        record("\(created)", created: created), copying: [.init(descriptor: file, path: path)])
      try entry.update { $0.phase = .ended }
    }
    try prune(journal, at: 10)
    #expect(try journal.records().map(\.name) == ["3.0"])
  }

  @Test func `a cancel request reaches who holds the job`() throws {
    let entry = try journal.begin(record())
    #expect(!entry.isCancelRequested)
    try journal.requestCancel(entry.record.id)
    #expect(entry.isCancelRequested)
    // The user's request outlasts that of a move.
    try journal.requestCancel(entry.record.id, by: .move)
    journal.withdrawCancel(entry.record.id, by: .move)
    #expect(entry.isCanceled(by: .cancel) && !entry.isCanceled(by: .move))
  }

  /// A job waits in the queue for hours before the printer is asked to make one.
  @Test func `an empty job is as old as the request that made it`() throws {
    var record = record()
    record.create()
    var made = JobStatus(id: 1, state: .pending)
    (made.name, made.user, made.reasons) = (record.name, record.user, ["job-data-insufficient"])
    made.age = 0
    #expect(record.orphan(nil).isThis(made))
    made.age = 600
    #expect(!record.orphan(nil).isThis(made))
  }

  @Test func `a job that may have left an empty one remains until that is found`() throws {
    let path = "\(Scratch.shared.path)/removed-\(UUID().uuidString)"
    try Data("x".utf8).write(to: URL(fileURLWithPath: path))
    let file = Glibc.open(path, O_RDONLY)
    defer { close(file) }
    var ids: [String] = []
    for orphans in [[], [try orphan()]] {
      var record = record()
      (record.phase, record.isKept, record.isForLater) = (.queued, true, true)
      record.orphans = orphans
      let entry = try journal.begin(record, copying: [.init(descriptor: file, path: path)])
      try entry.keep(secret: "secret")
      try journal.withdraw(entry)
      ids.append(entry.record.id)
    }
    #expect(try journal.record(ids[0]) == nil)
    let left = try #require(try journal.record(ids[1]))
    #expect(left.isOver && left.exitCode == 81 && left.orphans.count == 1 && left.document == nil)
    #expect(try journal.unsettledRecords().map(\.id) == [ids[1]])
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(journal.folder)/\(ids[1])")
    #expect(names == ["job.json"])
  }

  /// Most of a journal has ended, which is detected without decoding the records.
  @Test func `what may still have to be done with jobs`() throws {
    var orphaned = record("orphaned")
    orphaned.phase = .ended
    orphaned.orphans = [try orphan()]
    var over = record("over")
    over.phase = .ended
    var created = record(#""phase" : "ended", "#)
    created.phase = .created
    var sent = record("phase")
    sent.phase = .sent
    for record in [orphaned, over, created, sent, record("accepted")] {
      try journal.begin(record).release()
    }
    let unsettled = try journal.unsettledRecords()
    #expect(unsettled == (try journal.records().filter { $0.name != "over" }))
    #expect(unsettled.count == 4)
    // For any formatting of the JSON.
    let entry = try #require(try journal.records().first { $0.name == "orphaned" })
    let path = "\(journal.folder)/\(entry.id)/job.json"
    #expect(AtomicFile.write(Array(try JSONEncoder().encode(entry)), to: path))
    #expect(try journal.unsettledRecords() == unsettled)
  }

  /// The printer may not have read what the network took, and prints what it has of a document that is cut off, whatever
  /// ends its job.
  @Test(
    arguments: [.sending, .delivered, .sent] as [JobRecord.Phase], [JobState.aborted, .canceled])
  func `that a job never began is a proof if the printer has answered the whole document`(
    _ phase: JobRecord.Phase, _ state: JobState
  ) throws {
    var record = record()
    (record.phase, record.stoppedSince) = (phase, 5)
    let entry = try journal.begin(record)
    let job = try made()
    var status = JobStatus.unbegun(state)
    (status.age, status.impressions) = (0, 0)
    func isProven(_ isAnswered: Bool?, since stop: Int?, _ state: PrinterStatus.State) -> Bool {
      var printer = PrinterStatus(state: state, reasons: [])
      printer.changed = stop
      return entry.record.weighed(status, of: job, isAnswered: isAnswered) { printer }.isUnprinted
    }
    #expect(isProven(nil, since: 6, .stopped) == (phase == .sent))
    #expect(isProven(true, since: nil, .idle))
    #expect(isProven(false, since: 5, .stopped))
    #expect(!isProven(false, since: 5, .idle) && !isProven(false, since: 6, .stopped))
    // It may print from another tray, and counts nothing.
    status.impressions = nil
    #expect(isProven(true, since: nil, .idle) && !isProven(false, since: 5, .stopped))
    status.impressions = 0
    // It was seen working meanwhile.
    try entry.update { $0.take(JobStatus(id: 7, state: .processing)) }
    #expect(!isProven(false, since: 5, .stopped))
  }

  /// The job that the printer has just made.
  private func made() throws -> JobIdentity {
    let answer = Response(status: .ok, jobs: [AttributeSet([Attribute("job-id", .integer(7))])])
    return try #require(JobIdentity(answer, to: JobSearch(name: "report", user: "me")))
  }

  /// A power failure: it puts the job back, as if nothing of it had been printed.
  @Test(
    arguments: [(3, true), (-60, false), (nil, false), (0, false), (5000, false)] as [(Int?, Bool)])
  func `a printer that may have started since it made the job proves nothing`(
    _ created: Int?, _ isProven: Bool
  ) throws {
    let status = try #require(
      JobStatus(
        reading: AttributeSet(
          [
            Attribute("job-id", .integer(7)), Attribute("job-state", .enumeration(7)),
            Attribute("job-impressions-completed", .integer(0)),
            Attribute("job-printer-up-time", .integer(3)), Attribute("time-at-processing", .none),
          ] + (created.map { [Attribute("time-at-creation", .integer($0))] } ?? []))))
    var record = record()
    (record.phase, record.stoppedSince) = (.sent, 4)
    let weighed = record.weighed(status, of: try made()) {
      var printer = PrinterStatus(state: .stopped, reasons: [])
      printer.changed = 4
      return printer
    }
    #expect((NothingPrinted(weighed) != nil) == isProven)
  }

  /// Its printer puts it back and counts anew, after a jam or without power.
  @Test func `a count does not fall`() throws {
    var record = record()
    record.phase = .sent
    record.take(JobStatus(id: 7, state: .pending, impressions: 2))
    record.take(JobStatus(id: 7, state: .pending))
    record.take(JobStatus(id: 7, state: .pending, impressions: 0))
    #expect(record.impressions == 2)
    var end = JobStatus.unbegun(.canceled)
    end.impressions = 0
    let weighed = record.weighed(end, of: JobIdentity(end)) { nil }
    #expect(weighed.impressions == 2 && NothingPrinted(weighed) == nil)
  }

  /// A job that was printed in somebody else's name (`--user`).
  @Test(arguments: [(Status.forbidden, true), (.notAuthorized, true), (.busy, false)])
  func `a printer that does not list a user's jobs has none to be canceled`(
    _ refusal: Status, _ isClean: Bool
  ) throws {
    let printer = StoppedPrinter([], cancels: true, impressions: nil)
    printer.unlisted["guest"] = refusal
    var record = record()
    record.phase = .ended
    record.orphans = [try orphan()]
    record.orphans[0].user = "guest"
    let line = StoppedLine(to: printer, uri: try #require(PrinterURI("ipp://localhost/")))
    // Another test may start a process, which has a copy of the lock until it runs its program.
    try spawning.withLock { _ in
      try journal.begin(record).release()
      var cleanup = OrphanedJobCleanup(journal, at: "ipp://localhost/", user: "me")
      #expect(cleanup.clean(over: line) == isClean)
    }
    #expect(try journal.records().first?.orphans.isEmpty == isClean)
  }
}

/// Prunes a journal when nobody holds its jobs: a process that another test starts has a copy of each lock until it runs
/// its program.
private func prune(_ journal: Journal, at time: Double) throws {
  try spawning.withLock { _ in
    for record in try journal.records() {
      let end = ContinuousClock.now.advanced(by: .seconds(60))
      // The look itself is a lock, which a process that is being started may keep for a moment.
      while FileLock.isTaken("\(journal.folder)/\(record.id)") {
        try #require(.now < end, "somebody holds \(record.name)")
        sched_yield()
      }
    }
    journal.prune(at: time)
  }
}

/// Starts a process that only keeps a descriptor open: sleep(1), which inherits it.
private func fork(keeping descriptor: Int32) -> pid_t? {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_adddup2(&actions, descriptor, 9)
  var pid: pid_t = 0
  let words = ["sleep", "60"].map { (word: String) in strdup(word) }
  defer { words.forEach { free($0) } }
  let status = spawning.withLock { _ in
    posix_spawn(&pid, "/bin/sleep", &actions, nil, words + [nil], nil)
  }
  return status == 0 ? pid : nil
}
