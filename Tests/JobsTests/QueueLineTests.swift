import AirprintContext
import FoundationEssentials
@testable import PrintModel
import Printers
import Submission
import TestSupport
import Testing

@testable import Jobs

/// Waiting jobs, grouped by printer, and names that refer to jobs.
@Suite struct QueueLineTests {
  private let context: Context

  init() throws {
    let folder = "\(Scratch.shared.path)/jobs-\(UUID().uuidString)"
    var context = Context(environment: ["HOME": folder])
    context.directories.system = "\(folder)/etc"
    context.settings = SettingsFiles(context.directories)
    self.context = context
    try context.settings.changePrinters { page in
      page.printers = [
        SavedPrinter(name: "Laser", uri: "ipp://192.0.2.1/"),
        SavedPrinter(name: "Till", uri: "ipp://192.0.2.2/"),
      ]
      page.defaultName = "Laser"
      page.byType = [.receipt: "Till"]
    }
  }

  private func job(
    _ id: String, at created: Double, for printers: [String] = [], type: JobType? = nil
  ) -> JobRecord {
    var record = JobRecord(
      name: id, file: "\(id).pdf", printer: "", uri: "", addresses: [], user: "me",
      created: created)
    record.id = id
    record.request.printers = printers
    record.request.type = type?.rawValue
    return record
  }

  private func lines(_ jobs: [JobRecord], for names: [String]? = nil) async -> [[String]] {
    await QueueLine.lines(of: jobs, for: names, context).map { $0.jobs.map(\.id) }
  }

  @Test func `jobs for one printer are one line, oldest first, however it was named`() async {
    let jobs = [
      job("c", at: 3, for: ["ipp://192.0.2.1/"]), job("a", at: 1), job("b", at: 2, for: ["laser"]),
    ]
    #expect(await lines(jobs) == [["a", "b", "c"]])
  }

  @Test func `each printer has a line of its own, that of the oldest job first`() async {
    let jobs = [
      job("d", at: 4), job("c", at: 3, type: .receipt), job("b", at: 2, for: ["Till"]),
      job("a", at: 1, for: ["Laser"]),
    ]
    #expect(await lines(jobs) == [["a", "d"], ["b", "c"]])
  }

  @Test func `a list of printers is a line of its own`() async {
    let jobs = [
      job("a", at: 1, for: ["Laser"]), job("b", at: 2, for: ["Laser", "Till"]),
      job("c", at: 3, for: ["Till", "Laser"]),
    ]
    #expect(await lines(jobs) == [["a"], ["b"], ["c"]])
  }

  @Test func `jobs of one moment are in the order of their names`() async {
    #expect(await lines([job("b", at: 1), job("a", at: 1)]) == [["a", "b"]])
  }

  @Test func `a printer that is named for the run takes them all`() async {
    let jobs = [job("a", at: 1, for: ["Laser"]), job("b", at: 2, type: .receipt)]
    #expect(await lines(jobs, for: ["Till"]) == [["a", "b"]])
    #expect(await lines([], for: ["Till"]).isEmpty)
  }

  @Test func `what stands in the way of one line is no other line's`() async throws {
    try context.settings.changePrinters { $0.defaultName = nil }
    let found = await QueueLine.lines(
      of: [job("a", at: 1), job("b", at: 2, type: .receipt), job("c", at: 3, for: [" "])], for: nil,
      context)
    let codes = found.map { line -> ExitCode? in
      if case .failure(let failure) = line.targets { failure.code } else { nil }
    }
    #expect(found.map { $0.jobs.map(\.id) } == [["a"], ["b"], ["c"]])
    #expect(codes == [.unavailable, nil, .usage])
  }

  @Test(arguments: [
    ("Laser", "Laser"), ("Office Laser", "Office_Laser"), ("HP LaserJet (2nd)", "HP_LaserJet_2nd_"),
    ("a--b", "a_b"), ("Küche", "Küche"), ("  ", "_"), ("", "printer"), ("x.y@z+1", "x.y@z+1"),
  ])
  func `lp's names of printers are one word`(_ name: String, _ word: String) {
    #expect(lpName(name) == word)
  }

  @Test func `a job is known by its ID, and as lp called it, the newest of that number`() throws {
    var ids: [String] = []
    for (created, printer) in [(1.0, "Office Laser"), (2, "Office Laser"), (3, "Till")] {
      var record = job("", at: created)
      record.printer = printer
      if created == 1 { record.phase = .ended }
      record.identity = JobIdentity(JobStatus(id: 12, state: .pending))
      let entry = try context.journal.begin(record)
      ids.append(entry.record.id)
    }
    let journal = context.journal
    #expect(try journal.job(named: ids[0])?.id == ids[0])
    #expect(try journal.job(named: "Office_Laser-12")?.id == ids[1])
    #expect(try journal.job(named: "Till-12")?.id == ids[2])
    for none in ["Till-13", "Office Laser-12", "Till", "-", ""] {
      #expect(try journal.job(named: none) == nil, "\(none)")
    }
  }

  /// Two printers of one model have one name, and two names may be one word; the second job may have ended.
  @Test(arguments: [
    ("HP Laser", JobRecord.Phase.sent, "b"), ("HP_Laser", .ended, "b"), ("HP Laser", .sent, "a"),
  ])
  func `a word that is the name of two jobs is none`(
    _ other: String, _ phase: JobRecord.Phase, _ host: String
  ) throws {
    var ids: [String] = []
    for (name, uri, phase) in [("HP Laser", "ipp://a/", .sent), (other, "ipp://\(host)/", phase)] {
      var record = job("", at: 1)
      (record.printer, record.uri, record.phase) = (name, uri, phase)
      record.identity = JobIdentity(JobStatus(id: 1, state: .pending))
      ids.append(try context.journal.begin(record).record.id)
    }
    let failure = #expect(throws: Failure.self) { try context.journal.job(named: "HP_Laser-1") }
    #expect(failure?.code == .usage)
    for id in ids { #expect(failure?.message.contains(id) == true, "\(failure?.message ?? "")") }
  }

  @Test func `a job in the queue says for whom it waits`() throws {
    let store = try context.settings.printers()
    func printer(_ record: JobRecord) -> String? { QueuedJob(record, store, isHeld: false).printer }
    #expect(printer(job("a", at: 1)) == "Laser")
    #expect(printer(job("a", at: 1, type: .receipt)) == "Till")
    #expect(printer(job("a", at: 1, for: ["Till", "Fax"])) == "Till,Fax")
  }

  @Test(arguments: [
    (JobRecord.Phase.queued, true, true), (.accepted, true, true), (.creating, true, true),
    (.created, true, true), (.sending, true, false), (.sent, true, false), (.queued, false, false),
  ])
  func `a job waits in the queue until its document leaves`(
    _ phase: JobRecord.Phase, _ isForLater: Bool, _ waits: Bool
  ) {
    var record = job("a", at: 1)
    record.phase = phase
    record.isForLater = isForLater
    #expect(record.isInQueue == waits)
  }
}
