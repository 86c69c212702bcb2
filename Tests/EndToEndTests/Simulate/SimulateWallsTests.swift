import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// A simulated printer decodes clients' documents in a sandboxed process.
@Suite(.inTurn) struct SimulateWallsTests {
  @Test(arguments: ["urf", "pwg"])
  func `raster is decoded by a worker, and what ends that ends one job`(
    _ format: String
  ) async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser", "--fault", "media-empty@2")
    let document = try person.document(PageShape.a5.landmarks(pages: 2))
    let printing = try person.start(
      "print", "-d", simulation.uri, "--resolution", "300", "--format", format, document)
    try await simulation.wait(for: "stopped")
    let workers = try children(of: simulation.program.pid)
    try #require(workers.count == 1, "\(workers)")
    #expect(try process(workers[0], "cmdline").contains("render-worker"))
    // It entered the sandbox before it read the document.
    #if !SANITIZED
      #expect(try process(workers[0], "status").contains("NoNewPrivs:\t1"))
    #endif
    try #require(kill(workers[0], SIGKILL) == 0)
    _ = try await person.airprint("simulate", "clear", simulation.name)
    // The second page had been decoded.
    let printed = await printing.end()
    #expect(printed.code == 74, "\(printed.report)")
    let ended = try await simulation.wait(for: "ended")
    #expect(ended.state == .string("aborted"), "\(ended)")
    // The next job has its own worker, which ends once the job is printed.
    let next = try await person.airprint(
      "print", "-d", simulation.uri, "--resolution", "300", "--format", format, document)
    #expect(next.code == 0, "\(next.report)")
    #expect(try simulation.job(2, of: "laser").pages == 2)
    try await eventually("no worker is left") {
      try children(of: simulation.program.pid).isEmpty
    }
    _ = await simulation.end()
  }

  private func children(of parent: Int32) throws -> [Int32] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap(Int32.init).filter {
      // `PID (NAME) STATE PARENT …`: the file of a process that ends meanwhile no longer exists.
      let fields = (try? process($0, "stat"))?.split(separator: ")").last?.split(separator: " ")
      return fields?.dropFirst().first == "\(parent)" && fields?.first != "Z"
    }
  }

  private func process(_ pid: Int32, _ file: String) throws -> String {
    String(decoding: try bytes(of: "/proc/\(pid)/\(file)"), as: UTF8.self)
  }
}
