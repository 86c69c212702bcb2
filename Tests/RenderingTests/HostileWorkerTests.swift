import Documents
import FoundationEssentials
import Glibc
import PrintModel
import System
import TestSupport
import Testing

@testable import Rendering

/// A worker that was taken over by a document, and sends what our workers never send.
@Suite struct HostileWorkerTests {
  /// Creates a program that runs the script with its socket: `frame(kind, payload)`, `flood(kind, payload)`, `out`.
  private func makeWorker(_ script: String, _ scratch: Scratch) throws -> String {
    let file = try scratch.write(
      """
      #!/usr/bin/env python3
      import socket, struct, time
      out = socket.socket(fileno=1)
      def head(kind, length): return struct.pack('<BI', kind, length)
      def frame(kind, payload=b''): out.sendall(head(kind, len(payload)) + payload)
      def flood(kind, payload=b''):
        frames = (head(kind, len(payload)) + payload) * 10000
        while True: out.sendall(frames)
      def drip(before):
        out.sendall(before)
        while True:
          time.sleep(0.1)
          out.sendall(head(2, 1) + b'x' if not before else b'x')
      \(script)
      time.sleep(3600)
      """, to: "worker-\(UUID().uuidString.prefix(8))")
    try #require(chmod(file, 0o755) == 0)
    return file
  }

  /// The limits: it has at most 5 s, whatever it does.
  private static let limits = {
    var limits = WorkerLimits()
    limits.processorTime = .milliseconds(500)
    limits.idle = .seconds(60)
    return limits
  }()

  /// The limits for a worker that does not get near them, however busy the machine is.
  private static let patient = {
    var limits = Self.limits
    limits.processorTime = .seconds(60)
    return limits
  }()

  private static func start(
    _ worker: String, _ limits: WorkerLimits = patient
  ) throws(Failure) -> WorkerProcess {
    try WorkerProcess(document: 0, attachments: [], executable: worker, limits: limits)
  }

  private static func stream(_ workers: [WorkerProcess], sides: Int = 1) throws(Failure)
    -> RenderStream
  {
    let setup = SheetSetup(ImpositionTests.ticket(pages: sides), output: .urf, allSides: sides)
    let side = SheetSide(placements: [], isBack: false, length: nil)
    return try RenderStream(
      setup, Array(repeating: side, count: sides), workers: workers, Cancellation())
  }

  /// Runs a function on a thread, and returns its failure and the time that it took.
  private func end(
    of body: @escaping @Sendable () throws(Failure) -> Void
  ) async -> (Failure?, Duration) {
    await onThread { () throws(Never) -> (Failure?, Duration) in
      let begin = ContinuousClock.now
      do throws(Failure) {
        try body()
        return (nil, begin.duration(to: .now))
      } catch {
        return (error, begin.duration(to: .now))
      }
    }
  }

  @Test(arguments: [
    ("flood(6, b'[]')", ExitCode.fault), ("drip(head(1, 48 << 20))", .document),
    ("flood(7, b'x')", .fault), ("frame(2)", .fault),
  ])
  func `an answer comes to an end`(_ script: String, _ code: ExitCode) async throws {
    let scratch = try Scratch()
    let worker = try makeWorker(script, scratch)
    let (failure, time) = await end { () throws(Failure) in
      let renderer = try Renderer(
        document: 0, OpeningOptions(mediaType: "text/plain"), executable: worker,
        limits: code == .document ? Self.limits : Self.patient, cancellation: Cancellation())
      _ = try renderer.inspect()
    }
    #expect(failure?.code == code, "\(String(describing: failure))")
    #expect(time < .seconds(30))
    await scratch.close()
  }

  @Test(arguments: [
    ("drip(b'')", ExitCode.document), ("flood(7, b'x')", .document), ("flood(2, b'x')", .document),
    ("flood(1)", .fault), ("flood(2)", .fault), ("flood(6, b'[]')", .fault),
    // It goes on without its socket, or after its failure.
    ("out.close()", .document), ("frame(4, b'no failure')", .fault),
  ])
  func `a side comes to an end`(_ script: String, _ code: ExitCode) async throws {
    let scratch = try Scratch()
    let worker = try makeWorker(script, scratch)
    let (failure, time) = await end { () throws(Failure) in
      let limits = code == .document ? Self.limits : Self.patient
      let stream = try Self.stream([try Self.start(worker, limits)])
      while try stream.next() != nil {}
    }
    #expect(failure?.code == code, "\(String(describing: failure))")
    #expect(time < .seconds(60))
    await scratch.close()
  }

  /// Commands for thousands of sides are more than a socket holds.
  @Test(arguments: ["", "flood(2, b'x')", "out.recv(8 << 20)"])
  func `commands that it does not read come to an end`(_ script: String) async throws {
    let scratch = try Scratch()
    let worker = try makeWorker(script, scratch)
    let (failure, _) = await end { () throws(Failure) in
      var limits = Self.limits
      limits.idle = .seconds(2)
      let stream = try Self.stream([try Self.start(worker, limits)], sides: 100_000)
      while try stream.next() != nil {}
    }
    #expect(failure?.code == .document, "\(String(describing: failure))")
    await scratch.close()
  }

  /// The output waits for a slow printer, which does not count against the document's time.
  @Test func `time in which nobody waits for a worker does not count`() async throws {
    let scratch = try Scratch()
    let worker = try makeWorker(
      """
      for _ in range(4):
        frame(2, b'x' * 40000)
        time.sleep(0.5)
      frame(3)
      """, scratch)
    let (failure, time) = await end { () throws(Failure) in
      let stream = try Self.stream([try Self.start(worker, Self.limits)])
      while try stream.next() != nil { usleep(2_000_000) }
    }
    #expect(failure == nil, "\(String(describing: failure))")
    #expect(time > .seconds(7))
    await scratch.close()
  }

  @Test func `what it says begins no line of its own`() async throws {
    let scratch = try Scratch()
    let said = "A\r\nprinted\u{2028}B\nC"
    let losses = [Loss(.damage, said)].workerBytes
    let failure = WireFailure(Failure(.document, said)).workerBytes
    let worker = try makeWorker(
      """
      frame(7, bytes(\(losses)))
      frame(2, b'x')
      frame(3)
      time.sleep(1)
      frame(4, bytes(\(failure)))
      """, scratch)
    let (ended, _) = await end { () throws(Failure) in
      let stream = try Self.stream([try Self.start(worker)], sides: 2)
      _ = try stream.nextSide()
      guard stream.takeLosses().map(\.message) == ["A printed B C"] else { return }
      _ = try stream.nextSide()
    }
    #expect(ended?.message == "A printed B C", "\(String(describing: ended))")
    await scratch.close()
  }

  @Test func `what it says for lack of memory begins no line of its own`() async throws {
    let scratch = try Scratch()
    let subject = "Page 1\nPrinted a.pdf: e" + String(repeating: "\u{301}", count: 20_000)
    let said = WireFailure(Failure(.memoryShortage, "", about: subject)).workerBytes
    let worker = try makeWorker("frame(4, bytes(\(said)))", scratch)
    let (failure, _) = await end { () throws(Failure) in
      let stream = try Self.stream([try Self.start(worker)])
      _ = try stream.nextSide()
    }
    let message = try #require(failure?.message)
    #expect(message.hasPrefix("Page 1 Printed a.pdf:"))
    #expect(!message.contains("\n") && message.unicodeScalars.count < 6_000)
    await scratch.close()
  }

  @Test func `a picture is no larger than its memory`() async throws {
    let scratch = try Scratch()
    let worker = try makeWorker("flood(2, b'x' * 100)", scratch)
    let (failure, _) = await end { () throws(Failure) in
      var limits = Self.patient
      limits.memory = 32 << 20
      let stream = try Self.stream([try Self.start(worker, limits)])
      _ = try stream.nextSide()
    }
    #expect(failure?.message == WorkerMessage.unexpected.message)
    await scratch.close()
  }

  /// The document may be opened again by another worker, for another attempt.
  @Test func `pages that it no longer has are not drawn`() async throws {
    let scratch = try Scratch()
    let worker = try makeWorker("", scratch)
    let (failure, _) = await end { () throws(Failure) in
      let renderer = try Renderer(
        document: 0, OpeningOptions(mediaType: "text/plain"), executable: worker,
        limits: Self.limits, cancellation: Cancellation())
      let page = DocumentInfo.Page(size: PageSize(width: 595, height: 842))
      _ = try renderer.stream(
        for: ImpositionTests.ticket(pages: 2),
        document: DocumentInfo(mediaType: "text/plain", pages: [page]))
    }
    #expect(failure?.code == .document, "\(String(describing: failure))")
    await scratch.close()
  }

  @Test func `a packed file is what a worker says, up to its end`() async throws {
    let scratch = try Scratch()
    for (script, most, code, message) in [
      ("frame(2, b'x' * 100)\nframe(2, b'y')\nframe(3)", 101, nil, ""),
      ("frame(2, b'x' * 100)\nframe(2, b'y')\nframe(3)", 100, .document, "unpacks to more"),
      ("flood(2, b'x' * 100)", 1 << 20, .document, "unpacks to more"),
      ("flood(1, b'x')", 1 << 20, .fault, "unexpected"),
    ] as [(String, Int, ExitCode?, String)] {
      let worker = try makeWorker(script, scratch)
      let (failure, _) = await end { () throws(Failure) in
        var count = 0
        try Unpacking.unpack(
          0, upTo: most, executable: worker, limits: Self.patient, cancellation: Cancellation()
        ) { count += $0.count }
        guard count == 101 else { throw Failure(.fault, "\(count) bytes") }
      }
      #expect(failure?.code == code, "\(String(describing: failure))")
      #expect(failure?.message.contains(message) != false, "\(String(describing: failure))")
    }
    await scratch.close()
  }

  @Test func `small frames take memory, too`() {
    var queue = WorkerMessageQueue()
    for _ in 0..<1_000 { queue.add(WorkerMessage(kind: .data, payload: [])) }
    #expect(queue.bytes > 50_000)
    for _ in 0..<500 { _ = queue.take() }
    #expect((25_000..<50_000).contains(queue.bytes))
    queue.add(WorkerMessage(kind: .endOfSide, payload: []))
    queue.add(WorkerMessage(kind: .data, payload: [1]))
    queue.dropUnfinishedSide()
    while queue.take() != nil {}
    #expect(queue.bytes == 0)
  }
}
