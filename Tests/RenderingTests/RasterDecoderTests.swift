import Glibc
import PrintModel
import Synchronization
import System
import TestSupport
import Testing

@testable import Rendering

/// A decoder whose worker does nothing.
@Suite struct RasterDecoderTests {
  /// Creates a program that reads no document and writes nothing.
  private func hungWorker(_ scratch: Scratch) throws -> String {
    let file = try scratch.write("#!/bin/sh\nexec sleep 3600\n", to: "worker")
    try #require(chmod(file, 0o755) == 0)
    return file
  }

  private var limits: WorkerLimits {
    var limits = WorkerLimits()
    limits.idle = .milliseconds(500)
    return limits
  }

  @Test func `a worker that has its document and hangs is ended at its limits`() async throws {
    let scratch = try Scratch()
    let worker = try hungWorker(scratch)
    let limits = limits
    let failure = await onThread { () throws(Never) -> Failure? in
      do throws(Failure) {
        _ = try RasterDecoder(executable: worker, limits: limits) { _ in 0 }.nextPage()
        return nil
      } catch {
        return error
      }
    }
    #expect(failure?.code == .document, "\(String(describing: failure))")
    #expect(failure?.message.contains("no progress") == true, "\(String(describing: failure))")
    await scratch.close()
  }

  /// A slow client does not count against the worker's time.
  @Test func `one that waits for its document is waited for, and canceled at once`() async throws {
    let scratch = try Scratch()
    let worker = try hungWorker(scratch)
    let limits = limits
    let (cancellation, client) = (Cancellation(), Cancellation())
    let isOver = Atomic(false)
    let decoding = Task {
      await onThread { () throws(Never) -> Failure? in
        defer { isOver.store(true, ordering: .relaxed) }
        do throws(Failure) {
          _ = try RasterDecoder(executable: worker, limits: limits, cancellation: cancellation) {
            _ in
            while !client.isRaised { _ = client.sleep(.milliseconds(50)) }
            return 0
          }.nextPage()
          return nil
        } catch {
          return error
        }
      }
    }
    try await Task.sleep(for: limits.idle * 4)
    let isGivenUp = isOver.load(ordering: .relaxed)
    #expect(!isGivenUp)
    cancellation.raise(signal: SIGTERM)
    let failure = await decoding.value
    #expect(failure?.code == .terminated, "\(String(describing: failure))")
    client.raise()
    await scratch.close()
  }
}
