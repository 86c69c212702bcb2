internal import Dispatch
internal import Glibc
internal import IPP
internal import PrintModel
internal import System

// Receives documents.

extension SimulatedPrinter {
  /// Receives the document that follows the request.
  ///
  /// Raster is printed as it arrives. Returns nil if the client has disconnected, or the connection was cut.
  func receive(_ id: Int, _ call: Call, _ response: Response) -> Response? {
    var longest = Spool.longest
    if let method = call.attributes.string("compression"), method != "none" {
      call.connection.unpack(method)
      longest = Spool.longestPacked
    }
    do throws(Failure) {
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
      defer { buffer.deallocate() }
      let stated = call.attributes.string("document-format")?.lowercased()
      var reader = Receiver(faults: state.withLock { $0.armed })
      let restarts = state.withLock { $0.restarts }
      let first = call.connection.read(into: buffer)
      guard case .bytes(let count) = first else { return abort(id, without: first, call) }
      let format = format(stated: stated, buffer[..<count])
      let spool = try begin(id, format, longest: longest)
      defer { if spool.end == .open { spool.finish(.lost) } }
      var piece = first
      while case .bytes(let count) = piece {
        let isCut = reader.takes(count)
        let isWanted = try spool.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        if isCut || state.withLock({ $0.restarts }) != restarts {
          call.connection.cut()
          return nil
        }
        guard isWanted else { return answer(over: id, call) }
        piece = call.connection.read(into: buffer)
      }
      if case .damaged = piece {
        spool.finish(.damaged)
        return damaged(id, call)
      }
      guard piece.isEnd else { return nil }
      spool.finish(.whole)
      return response.with(jobs: [brief(id, call)])
    } catch {
      abort(id, error.message)
      tell(.failed(error))
      return Response(status: .internalError, message: error.message)
    }
  }

  static let damagedDocument = "The document is not compressed as stated."

  private func damaged(_ id: Int, _ call: Call) -> Response {
    Response(status: .compressionError, message: Self.damagedDocument, jobs: [brief(id, call)])
  }

  /// Aborts a job that got no document; nil if the client has disconnected.
  private func abort(
    _ id: Int, without chunk: ServedConnection.DocumentChunk, _ call: Call
  ) -> Response? {
    if case .damaged = chunk {
      abort(id, Self.damagedDocument, for: "compression-error")
      return damaged(id, call)
    }
    abort(id, "No document was received.")
    return chunk.isEnd
      ? Response(status: .badRequest, message: "There is no document in the request.") : nil
  }

  /// The response if the job was over before its document was: canceled, aborted, or completed without the rest.
  private func answer(over id: Int, _ call: Call) -> Response {
    guard let job = state.withLock({ $0[job: id] }), job.state != .completed else {
      return Response(status: .ok, jobs: [brief(id, call)])
    }
    // The job's own state is aborted; the request itself succeeded.
    let status: Status =
      job.reasons.contains("document-format-error")
      ? .documentFormatError : job.ending == nil ? .ok : .jobCanceled
    return Response(status: status, message: job.message, jobs: [brief(id, call)])
  }

  private func format(stated: String?, _ head: some Collection<UInt8>) -> String {
    if let stated, stated != "application/octet-stream" { return stated }
    return DocumentFormat.sniff(head) ?? "application/octet-stream"
  }

  /// Creates the job's folder and its document's file, and queues the job.
  private func begin(_ id: Int, _ format: String, longest: Int) throws(Failure) -> Spool {
    let folder = try makeFolder(for: id)
    let spool = try Spool(
      "\(folder)/document.\(Self.suffixes[format] ?? "bin")", in: options.folder, longest: longest)
    let job = state.withLock { state -> SimulatedJob? in
      state[job: id]?.folder = folder
      state[job: id]?.format = format
      guard var job = state[job: id], !job.state.isOver else { return nil }
      job.spool = spool
      job.enqueue()
      state[job: id] = job
      return job
    }
    if let job {
      tell(.received(job))
      work.signal()
    }
    return spool
  }

  /// Creates a new folder for a job.
  ///
  /// An existing folder is not used: it is another simulator's, or somebody else has put it there, with links in it.
  private func makeFolder(for id: Int) throws(Failure) -> String {
    while true {
      let folder = "\(options.folder.path)/job-\(id + state.withLock { $0.formerFolders })"
      if options.folder.make(folder) { return folder }
      guard errno == EEXIST else { throw cannotWrite(folder) }
      let free = JobFolder.firstFree(in: options.folder.path)
      state.withLock { $0.formerFolders = max($0.formerFolders + 1, free - id) }
    }
  }

  private static let suffixes = [
    DocumentFormat.urf: "urf", DocumentFormat.pwg: "pwg", DocumentFormat.pdf: "pdf",
    DocumentFormat.jpeg: "jpg", DocumentFormat.png: "png", DocumentFormat.text: "txt",
  ]
}

/// Faults of the connection while a document arrives: it breaks, or is slow.
private struct Receiver {
  private var left: Int?
  private var rate: Int?
  private let begun = ContinuousClock.now
  private var taken = 0

  init(faults: [Fault]) {
    for fault in faults {
      switch fault.kind {
      case .drop(let count): left = count
      case .slow(let count): rate = count
      default: break
      }
    }
  }

  /// Counts received bytes, and waits like a slow connection; true when the connection must break now.
  mutating func takes(_ count: Int) -> Bool {
    taken += count
    if let rate {
      let due = begun + .milliseconds(taken * 1000 / rate)
      let wait = ContinuousClock.now.duration(to: due)
      if wait > .zero { usleep(UInt32(min(wait / .microseconds(1), 10_000_000))) }
    }
    guard let left else { return false }
    return taken >= left
  }
}

extension ServedConnection.DocumentChunk {
  fileprivate var isEnd: Bool { if case .end = self { true } else { false } }
}
