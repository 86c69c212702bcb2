import FoundationEssentials
import TestSupport
import Testing

/// Standard output is full, closed, or has no reader when a job has been accepted: the exit status still reports what
/// happened to the paper, and standard error has the job.
@Suite(.inTurn) struct FullOutputTests {
  enum Output: String, CaseIterable {
    case full = ">/dev/full"
    case closed = ">&-"
    case unread = "> >(exec sleep 0)"
  }

  @Test(arguments: Output.allCases)
  func `0: it was printed, whatever becomes of the result`(_ output: Output) async throws {
    let person = try await Person.anybody()
    let printer = try OddPrinter()
    let (one, two) = (
      try person.document(PDF().bytes, "one.pdf"), try person.document(PDF().bytes, "two.pdf")
    )
    let printed = try await person.shell(
      "sleep 0.3; $airprint print --json -q -d \(printer.uri) \(one) \(two) \(output.rawValue)")
    #expect(printed.code == 0, "\(printed.report)")
    #expect(printer.documents.count == 2)
    if output != .unread {
      #expect(printed.stderr.contains("one.pdf was accepted as job "), "\(printed.stderr)")
      #expect(printed.stderr.contains("standard output can't be written"), "\(printed.stderr)")
    }
    printer.close()
  }

  @Test(arguments: [Output.full, .closed])
  func `--detach and queue add: the job goes on, and standard error has its ID`(
    _ output: Output
  ) async throws {
    let person = try await Person.anybody()
    let printer = try OddPrinter()
    let file = try person.document(PDF().bytes)
    for command in ["print --detach", "print --detach --json", "queue add", "print --later"] {
      let accepted = try await person.shell(
        "$airprint \(command) -q -d \(printer.uri) \(file) \(output.rawValue)")
      #expect(accepted.code == 0, "\(command): \(accepted.report)")
      let words = accepted.stderr.split(separator: " ").map { $0.filter { $0 != "," } }
      let place = try #require(words.firstIndex(of: "job"), "\(accepted.stderr)")
      let id = words[place + 1]
      let before = printer.documents.count
      if command.contains("detach") {
        #expect(try await person.airprint("wait", id).code == 0)
      } else {
        #expect(before == printer.documents.count)
        #expect(try await person.airprint("queue", "run", id).code == 0)
      }
    }
    #expect(printer.documents.count == 4)
    printer.close()
  }

  @Test func `an exit status of its own stays too, and wait's`() async throws {
    let person = try await Person.anybody()
    let printer = try OddPrinter()
    printer.with { $0.ending = (8, ["aborted-by-system"], 0) }
    let printed = try await person.shell(
      "$airprint print --json -d \(printer.uri) \(try person.document(PDF().bytes)) >/dev/full")
    #expect(printed.code == 80, "\(printed.report)")
    let id = try #require(
      try await person.airprint("jobs", "--json").json.array?.first?.job?.string)
    let waited = try await person.shell("$airprint wait --json \(id) >/dev/full")
    #expect(waited.code == 80, "\(waited.report)")
    printer.close()
  }
}
