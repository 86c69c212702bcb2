import AirprintContext
import FoundationEssentials
import Glibc
@testable import PrintModel
import PrintOptions
import Printers
import Submission
import TestSupport
import Testing

@testable import Printing

/// A `print` command line, stored in and loaded from the journal, and combined with settings.
@Suite struct PrintArgumentsTests {
  private let place: Place

  init() throws { place = try Place() }

  private func entry(
    _ arguments: PrintArguments, _ file: String, at printers: [String] = []
  ) throws -> JournalEntry {
    let input = try InputFile(file, place.context)
    var record = JobRecord(
      name: "The job", file: file, printer: "Office", uri: "ipp://localhost/ipp/print",
      addresses: [], user: "me", created: 1_000)
    record.request = JobRequest(arguments, for: input, at: printers, place.context)
    record.isKept = true
    return try place.context.journal.begin(record, copying: [input.source])
  }

  @Test func `everything that was typed comes back from the journal`() throws {
    let file = try place.write("%PDF-1.4\n", to: "paper.pdf")
    var typed = PrintArguments(files: [file])
    typed.type = .photo
    typed.typed = [(.copies, "2"), (.paper, "A4"), (.option, "a=1"), (.option, "b=2")]
    typed.title = "My title"
    typed.pin = "1234"
    typed.handling.force = true
    typed.handling.strict = true
    typed.handling.endsWhenSent = true
    typed.handling.notifies = true
    typed.handling.timeout = .seconds(90)
    typed.handling.leavesOnTimeout = true
    let entry = try entry(typed, file, at: ["Office", "ipp://localhost/"])
    let read = try PrintArguments(entry)
    #expect(read.handling == typed.handling)
    #expect(read.type == .photo && read.title == "My title")
    #expect(read.typed.map(\.option) == typed.typed.map(\.option))
    #expect(read.typed.map(\.value) == typed.typed.map(\.value))
    #expect(read.printers == ["Office", "ipp://localhost/"])
    #expect(read.asked == 1_000)
    // The document is the journal's copy, with its original name.
    #expect(read.files == [try #require(entry.document)] && read.names == [read.files[0]: file])
    // The PIN is not stored, only that there was one.
    #expect(read.needsPIN && read.pin == nil)
    let text = try String(contentsOfFile: "\(entry.folder)/job.json", encoding: .utf8)
    #expect(!text.contains("1234\""), "\(text)")
    #expect(entry.record.request.locale == ["LC_PAPER": "C"])
  }

  @Test func `nothing typed is nothing read`() throws {
    let file = try place.write("%PDF-1.4\n", to: "plain.pdf")
    let read = try PrintArguments(try entry(PrintArguments(files: [file]), file))
    #expect(read.handling == JobHandling() && read.typed.isEmpty && read.printers.isEmpty)
    #expect(read.type == nil && !read.needsPIN && !read.isDryRun && !read.stopsOnError)
    // Without a title, it has the name of the record.
    #expect(read.title == "The job")
  }

  @Test func `an option of a newer version is exit 70`() throws {
    let file = try place.write("%PDF-1.4\n", to: "newer.pdf")
    let entry = try entry(PrintArguments(files: [file]), file)
    try entry.update { $0.request.options = [.init(name: "holograms", value: "yes")] }
    let failure = failureOf { _ = try PrintArguments(entry) }
    #expect(failure?.code == .fault && failure?.message.contains("holograms") == true)
  }

  @Test func `pictures beside a page are found from anywhere, those of a PDF are not looked for`()
    throws
  {
    let pictures = try place.write("x", to: "pictures/logo.png")
    let folder = String(pictures.dropLast("/logo.png".count))
    let pdf = try InputFile(try place.write("%PDF-1.4\n", to: "a.pdf"), place.context)
    let page = try InputFile(try place.write("<!DOCTYPE html><p>x", to: "a.html"), place.context)
    var typed = PrintArguments(files: [])
    typed.typed = [(.assets, "\(folder)/../pictures/.")]
    #expect(JobRequest(typed, for: pdf, place.context).options == [])
    guard page.chain != nil else { return }
    let real = try #require(realpath(folder, nil))
    defer { free(real) }
    #expect(
      JobRequest(typed, for: page, place.context).options
        == [.init(name: "assets", value: String(cString: real))])
    typed.typed = []
    #expect(
      JobRequest(typed, for: page, place.context).options.map(\.name) == ["assets"])
  }

  @Test func `what is typed counts more than the printer's settings, those more than the person's`()
    throws
  {
    let printer = SavedPrinter(
      name: "Office", uri: "ipp://localhost/", settings: ["copies": "3", "sides": "one-sided"])
    var typed = PrintArguments(files: [])
    typed.typed = [(.copies, "5")]
    typed.handling.strict = true
    let request = try typed.request(
      type: .document, on: PrinterReference(printer), try place.context.settings.configuration())
    #expect(request.copies == 5 && request.fromSettings["copies"] == nil)
    #expect(request.fromSettings["sides"] == "printers.toml")
    #expect(request.strict && !request.force)
  }

  @Test func `options of one file lie over those of all`() {
    var all = PrintArguments(files: ["a", "b"])
    all.type = .document
    all.typed = [(.copies, "2")]
    all.password = "all"
    all.handling.strict = true
    var one = PrintArguments(files: ["a"])
    one.typed = [(.copies, "3")]
    one.password = "one"
    one.handling.force = true
    let both = all.under(one)
    #expect(both.typed.map(\.value) == ["2", "3"] && both.password == "one")
    #expect(both.type == .document && both.handling.force && both.handling.strict)
    #expect(all.under(PrintArguments(files: [])).password == "all")
  }

  @Test func `an option that makes no sense is exit 64 before anything is opened`() {
    var typed = PrintArguments(files: ["/no/such/file"])
    typed.typed = [(.copies, "many")]
    #expect(failureOf { try typed.validate() }?.code == .usage)
    typed.typed = [(.copies, "2")]
    #expect(failureOf { try typed.validate() } == nil)
  }

  @Test(
    arguments: [
      (30, nil, true, 30, true), (nil, 60, true, 60, true), (nil, nil, false, nil, false),
    ]
      as [(Int?, Int?, Bool, Int?, Bool)])
  func `settings stand where nothing was typed`(
    _ typed: Int?, _ set: Int?, _ leaves: Bool, _ timeout: Int?, _ isLeft: Bool
  ) {
    var handling = JobHandling()
    handling.timeout = typed.map { .seconds($0) }
    let whole = handling.with(timeout: set.map { .seconds($0) }, leavesOnTimeout: leaves)
    #expect(whole.timeout == timeout.map { .seconds($0) } && whole.leavesOnTimeout == isLeft)
    handling.leavesOnTimeout = !leaves
    #expect(handling.with(timeout: nil, leavesOnTimeout: leaves).leavesOnTimeout == !leaves)
  }

  /// The exit codes of the others say it.
  @Test(arguments: [
    (Failure.interrupted(by: SIGTERM), "Interrupted. Nothing was printed."),
    (.unavailable("Till does not answer."), "Till does not answer."),
  ])
  func `an interruption before anything was sent says so`(_ failure: Failure, _ message: String) {
    let result = PrintResult(file: "a.pdf", failure)
    #expect(result.message == message)
    #expect(result.outcome.printed == .no && !result.isLeft)
  }
}
