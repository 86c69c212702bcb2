import Glibc
import Synchronization
import TestSupport

/// A printer whose misbehavior is scripted, and that is otherwise plain: it accepts PDF and URF, completes one job at
/// a time as soon as it has the document, and counts what it received.
///
///     let printer = try OddPrinter { request, printer in
///       request.operation == OddPrinter.createJob ? .answer(status: 0x0507) : .usual
///     }
final class OddPrinter: Sendable {
  static let printJob = 0x02
  static let validateJob = 0x04
  static let createJob = 0x05
  static let sendDocument = 0x06
  static let cancelJob = 0x08
  static let getJobAttributes = 0x09
  static let getJobs = 0x0A
  static let getPrinterAttributes = 0x0B

  enum Reaction {
    /// The response of a plain printer.
    case usual
    /// The usual response, and the connection ends.
    case once
    /// The usual response, but not before this is true.
    case late(@Sendable () -> Bool)
    /// A status, with these attributes in the unsupported group, and this job.
    case answer(status: Int, unsupported: [String] = [], message: String? = nil, job: Int? = nil)
    /// The usual action, followed by a status as if it had failed.
    case doneBut(status: Int)
    /// Any bytes.
    case bytes([UInt8])
    /// The usual action, but the connection ends without a response.
    case mute
    /// The connection ends at once.
    case hangUp
    /// No response, and the connection stays open.
    case silence

    fileprivate var doesAsUsual: Bool {
      switch self {
      case .usual, .once, .doneBut, .mute: true
      default: false
      }
    }
  }

  struct Job: Sendable {
    var name: String
    var state = 4
    var reasons = ["job-data-insufficient"]
    var impressions: Int32?
    var uuid: String?
    /// True once it has begun to print it.
    var hasBegun = false
    private let made = ContinuousClock.now
    var age: Duration { made.duration(to: .now) }
    /// The documents received, one per Send-Document or Print-Job.
    var documents: [[UInt8]] = []
  }

  struct State: Sendable {
    var jobs: [Int: Job] = [:]
    var next = 1
    /// The operations in the order in which they arrived.
    var log: [Int] = []
    /// job-originating-user-name of every job, if it states one.
    var user: String?
    var name = "Odd"
    var reasons = ["none"]
    var printerState: Int32 = 3
    /// The job-state and related attributes once a document has arrived.
    var ending = (state: 9, reasons: ["job-completed-successfully"], impressions: Int32?.none)
    /// Additional attributes.
    var attributes: [(name: String, values: [String])] = []
    var numbers: [(name: String, values: [Int32])] = []
    var operations = [2, 4, 5, 6, 8, 9, 10, 11]
    /// True if it states how old a job is.
    var statesAge = true
    /// True if it states of a job with which it has not begun that it has not.
    var statesBeginning = true
  }

  private let box: Box
  private let server: ScriptedServer

  final class Box: Sendable {
    let state = Mutex(State())
  }

  var uri: String { server.uri }
  var port: Int { server.port }

  /// Accesses the printer's state; changes take effect at once.
  func with<Value: Sendable>(_ body: @Sendable (inout sending State) -> sending Value) -> Value {
    box.state.withLock { body(&$0) }
  }

  func count(_ operation: Int) -> Int {
    box.state.withLock { $0.log.filter { $0 == operation }.count }
  }

  /// Documents that it accepted, complete or not.
  var documents: [[UInt8]] {
    box.state.withLock { $0.jobs.sorted { $0.key < $1.key }.flatMap(\.value.documents) }
  }

  func close() { server.close() }

  /// - `stopsReading`: stops reading after this many bytes of the first document.
  init(
    stopsReading limit: Int? = nil,
    _ react: @escaping @Sendable (ScriptedServer.Request, inout State) -> Reaction = { _, _ in
      .usual
    }
  ) throws {
    let box = Box()
    self.box = box
    let hasStopped = Mutex(false)
    server = try ScriptedServer { client in
      while true {
        let request: ScriptedServer.Request
        if let limit, !hasStopped.withLock({ $0 }) {
          request = try client.readRequest(stallingAfter: limit) {
            hasStopped.withLock { $0 = true }
          }
        } else {
          request = try client.readRequest()
        }
        // In one step, so that concurrent requests can't change the state between the script and the action.
        let (reaction, usual) = box.state.withLock { state in
          state.log.append(request.operation)
          let reaction = react(request, &state)
          return (reaction, reaction.doesAsUsual ? state.usual(request) : [])
        }
        switch reaction {
        case .usual: try client.send(usual)
        case .once:
          try client.send(usual)
          return client.close()
        case .late(let isTime):
          let end = ContinuousClock.now + timeout
          while !isTime(), .now < end { usleep(10_000) }
          try client.send(box.state.withLock { $0.usual(request) })
        case .answer(let status, let unsupported, let message, let job):
          var answer = IPPAnswer(to: request, status: status, message: message)
          if !unsupported.isEmpty { answer.group(5) }
          for name in unsupported { answer.add(0x10, name, []) }
          if let job {
            answer.group(2)
            answer.add(job, box.state.withLock { $0.jobs[job] })
          }
          try client.send(answer.http)
        case .doneBut(let status):
          try client.send(IPPAnswer(to: request, status: status).http)
        case .bytes(let bytes): try client.send(bytes)
        case .mute: return client.close()
        case .hangUp: return client.close()
        case .silence: return client.stall()
        }
      }
    }
  }
}

extension OddPrinter.State {
  /// Performs a plain printer's action and returns the response.
  mutating func usual(_ request: ScriptedServer.Request) -> [UInt8] {
    var answer = IPPAnswer(to: request)
    let number = request.integer("job-id")
    switch request.operation {
    case OddPrinter.getPrinterAttributes:
      answer.group(4)
      describe(&answer)
    case OddPrinter.validateJob: break
    case OddPrinter.createJob:
      jobs[next] = OddPrinter.Job(name: request.text("job-name") ?? "")
      answer.group(2)
      answer.add(next, jobs[next])
      next += 1
    case OddPrinter.printJob:
      jobs[next] = OddPrinter.Job(name: request.text("job-name") ?? "")
      take(request.document, as: next)
      answer.group(2)
      answer.add(next, jobs[next])
      next += 1
    case OddPrinter.sendDocument:
      guard let number, jobs[number] != nil else {
        return IPPAnswer(to: request, status: 0x0406).http
      }
      take(request.document, as: number)
      answer.group(2)
      answer.add(number, jobs[number])
    case OddPrinter.getJobAttributes:
      guard let number, let job = jobs[number] else {
        return IPPAnswer(to: request, status: 0x0406).http
      }
      answer.group(2)
      answer.add(number, job)
      if let user { answer.add(0x42, "job-originating-user-name", user) }
      if statesAge {
        answer.add(0x21, "time-at-creation", 100)
        answer.add(0x21, "job-printer-up-time", 100 + Int32(job.age.components.seconds))
      }
      if statesBeginning, !job.hasBegun { answer.add(0x13, "time-at-processing", []) }
    case OddPrinter.getJobs:
      let isOver = request.text("which-jobs") == "completed"
      for (number, job) in jobs.sorted(by: { $0.key < $1.key }) where (job.state >= 7) == isOver {
        answer.group(2)
        answer.add(number, job)
      }
    case OddPrinter.cancelJob:
      guard let number, let job = jobs[number], job.state < 7 else {
        return IPPAnswer(to: request, status: 0x0404).http
      }
      jobs[number]?.state = 7
      jobs[number]?.reasons = ["job-canceled-by-user"]
    default: return IPPAnswer(to: request, status: 0x0501).http
    }
    return answer.http
  }

  private mutating func take(_ document: [UInt8], as number: Int) {
    jobs[number]?.documents.append(document)
    jobs[number]?.state = ending.state
    jobs[number]?.reasons = ending.reasons
    jobs[number]?.impressions = ending.impressions
    jobs[number]?.hasBegun = [5, 6, 9].contains(ending.state)
  }

  private func describe(_ answer: inout IPPAnswer) {
    answer.add(0x42, "printer-name", name)
    answer.add(0x23, "printer-state", printerState)
    answer.add(0x22, "printer-is-accepting-jobs", [1])
    let lists: [(UInt8, String, [String])] = [
      (0x44, "printer-state-reasons", reasons),
      (0x44, "ipp-versions-supported", ["1.1", "2.0"]),
      (0x49, "document-format-supported", ["application/pdf", "image/urf"]),
      (0x49, "document-format-preferred", ["application/pdf"]),
      (0x44, "urf-supported", ["V1.4", "CP1", "W8", "SRGB24", "RS150"]),
      (0x44, "media-supported", ["iso_a4_210x297mm"]),
      (0x44, "media-ready", ["iso_a4_210x297mm"]),
      (0x44, "media-default", ["iso_a4_210x297mm"]),
      (0x44, "compression-supported", ["none", "gzip"]),
      (0x44, "sides-supported", ["one-sided"]),
      (0x44, "print-color-mode-supported", ["auto", "color", "monochrome"]),
      (
        0x44, "job-creation-attributes-supported",
        ["copies", "media", "media-col", "sides", "print-color-mode", "print-quality", "job-name"]
      ),
    ]
    for (tag, name, values) in lists { add(&answer, tag, name, values) }
    for (name, values) in attributes { add(&answer, 0x44, name, values) }
    for (name, values) in numbers {
      for (index, value) in values.enumerated() { answer.add(0x21, index == 0 ? name : "", value) }
    }
    for (index, operation) in operations.enumerated() {
      answer.add(0x23, index == 0 ? "operations-supported" : "", Int32(operation))
    }
  }

  private func add(_ answer: inout IPPAnswer, _ tag: UInt8, _ name: String, _ values: [String]) {
    for (index, value) in values.enumerated() { answer.add(tag, index == 0 ? name : "", value) }
  }
}

extension IPPAnswer {
  fileprivate mutating func add(_ number: Int, _ job: OddPrinter.Job?) {
    guard let job else { return }
    add(0x21, "job-id", Int32(number))
    add(0x42, "job-name", job.name)
    add(0x23, "job-state", Int32(job.state))
    for (index, reason) in job.reasons.enumerated() {
      add(0x44, index == 0 ? "job-state-reasons" : "", reason)
    }
    if let uuid = job.uuid { add(0x45, "job-uuid", uuid) }
    if let impressions = job.impressions {
      add(0x21, "job-impressions-completed", impressions)
    }
  }
}

extension ScriptedServer.Request {
  /// Returns an attribute's first value, from any group.
  func value(_ name: String) -> [UInt8]? {
    let wanted = [UInt8(name.utf8.count >> 8), UInt8(name.utf8.count & 0xFF)] + Array(name.utf8)
    guard let range = body.firstRange(of: wanted), range.upperBound + 2 <= body.count else {
      return nil
    }
    let length = Int(body[range.upperBound]) << 8 | Int(body[range.upperBound + 1])
    let start = range.upperBound + 2
    return start + length <= body.count ? Array(body[start..<start + length]) : nil
  }

  func integer(_ name: String) -> Int? {
    value(name).map { $0.reduce(0) { $0 << 8 | Int($1) } }
  }

  func text(_ name: String) -> String? { value(name).map { String(decoding: $0, as: UTF8.self) } }
}

extension ScriptedServer.Client {
  /// Reads a request; after this many bytes of a document, stops reading until the other side gives up.
  fileprivate func readRequest(
    stallingAfter limit: Int, _ stalls: () -> Void
  ) throws -> ScriptedServer.Request {
    let head = try readHead()
    var request = ScriptedServer.Request(head: head, body: [])
    if request.field("Expect") != nil { try send("HTTP/1.1 100 Continue\r\n\r\n") }
    if let length = request.field("Content-Length").flatMap({ Int($0) }) {
      request.body = try read(length)
      return request
    }
    while case let chunk = try readChunk(), !chunk.isEmpty {
      request.body += chunk
      if request.body.count > limit {
        stalls()
        stall()
        throw Missing("the rest of the document")
      }
    }
    return request
  }
}
