import IPP
import PrintModel
import Submission
import System

/// A printer whose answers depend on the bytes of a script, and that is a plain printer once the script has ended.
///
/// It records how much it received of documents, and whether it has since reported that it has none of them: only
/// then may a document be sent again.
final class ScriptedPrinter {
  private var script: ArraySlice<UInt8>
  private var jobs: [Int: Job] = [:]
  private var next = 1
  let hasCreateJob: Bool
  /// The number of requests so far.
  private(set) var requests = 0
  /// The number of complete documents that it accepted.
  private(set) var documents = 0
  /// The number of documents that started to arrive before it reported that it has nothing of the last one.
  private(set) var unbidden = 0
  /// True if a part of a document arrived, and the printer has not reported since that it has none.
  private(set) var mayHaveDocument = false
  /// True if the last refusal of a document was that there is no such job.
  private var saidNoJob = false
  /// The open jobs in the last list.
  private var listed: Set<Int> = []
  private let cancellation: Cancellation
  /// A clock that advances with every request and every wait, without real waiting.
  let clock: FastClock

  private struct Job {
    var state = 4
    var reasons = ["job-data-insufficient"]
    var impressions: Int?
    var looks = 0
  }

  /// - `hasJobs`: true for Create-Job and Send-Document, false for Print-Job only.
  init(
    _ script: [UInt8], hasJobs: Bool, clock: FastClock, cancellation: Cancellation
  ) {
    self.script = script[...]
    hasCreateJob = hasJobs
    self.clock = clock
    self.cancellation = cancellation
  }

  /// The number of sides of the document that `begin` creates.
  static let sides = 3
  static let pieces = 3

  fileprivate func byte() -> Int { script.popFirst().map(Int.init) ?? 0 }

  fileprivate func mayFail(_ request: Request) throws(IPPError) -> Status? {
    requests += 1
    clock.pass(.milliseconds(50))
    guard !cancellation.isRaised else { throw IPPError(.interrupted, "interrupted") }
    switch byte() % 16 {
    case 1: return Self.refusals[byte() % Self.refusals.count]
    case 2: throw IPPError(.broken, "broke")
    case 3:
      clock.pass(.seconds(4))
      throw IPPError(.silent, "is silent")
    case 4: throw IPPError(.status(.serviceUnavailable), "HTTP 503")
    case 5: throw IPPError(.nonsense, "nonsense")
    case 6 where byte() < 32:
      cancellation.raise()
      throw IPPError(.interrupted, "interrupted")
    default: return nil
    }
  }

  fileprivate static let refusals = [
    0x0400, 0x0402, 0x0404, 0x0405, 0x0406, 0x0407, 0x0408, 0x040A, 0x040B, 0x0410, 0x0411,
    0x0500, 0x0502, 0x0503, 0x0505, 0x0506, 0x0507, 0x0508, 0x050B,
  ].map { Status(rawValue: $0) }
}

// MARK: - Answers

extension ScriptedPrinter {
  fileprivate func answer(_ request: Request) throws(IPPError) -> Response {
    let refusal = try mayFail(request)
    let number = request.operationAttributes.first { $0.name == "job-id" }?.values.first?.number
    if let refusal {
      if request.operation == 0x09, saidNoJob, refusal == .notFound || refusal == .gone {
        mayHaveDocument = false
      }
      return Response(status: refusal)
    }
    switch request.operation {
    case 0x05:
      jobs[next] = Job()
      next += 1
      return Response(status: .ok, jobs: [set(next - 1, Job())])
    case 0x08:
      guard let number, (jobs[number]?.state ?? 9) < 7 else {
        return Response(status: .notPossible)
      }
      jobs[number]?.state = 7
      return Response(status: .ok)
    case 0x09: return about(number ?? 0)
    case 0x0A: return list(request)
    default: return Response(status: .ok)
    }
  }

  private func about(_ number: Int) -> Response {
    guard var job = jobs[number] else {
      if saidNoJob { mayHaveDocument = false }
      return Response(status: .notFound)
    }
    job.looks += 1
    if job.state == 5, job.looks > 2 {
      (job.state, job.impressions) = (9, Self.sides)
      job.reasons = ["job-completed-successfully"]
    }
    jobs[number] = job
    var said = number
    if byte() % 4 == 1 {
      // Random values.
      job.state = 3 + byte() % 8
      job.reasons = [Self.reasons[byte() % Self.reasons.count]]
      job.impressions = [nil, 0, 1, Self.sides, -1][byte() % 5]
      if byte() % 8 == 1 { said += 1 }
    }
    note(job, as: said, askedFor: number)
    return Response(status: .ok, jobs: [set(said, job)])
  }

  private func list(_ request: Request) -> Response {
    let which = request.operationAttributes.first { $0.name == "which-jobs" }?.values.first?.string
    let isOver = which == "completed"
    var shown = jobs.filter { ($0.value.state >= 7) == isOver }
    if byte() % 4 == 1 { shown = [:] }
    var sets = shown.sorted { $0.key < $1.key }.map { set($0.key, $0.value) }
    // Another user's job.
    if isOver, byte() % 2 == 1 { sets.append(set(900, Job(state: 9), named: "other")) }
    if isOver, shown.isEmpty, !sets.isEmpty, listed.isEmpty { mayHaveDocument = false }
    listed = isOver ? [] : Set(shown.keys)
    return Response(status: .ok, jobs: sets)
  }

  /// Updates `mayHaveDocument` if a job's reported state means that the printer has nothing of its document.
  private func note(_ job: Job, as said: Int, askedFor number: Int) {
    guard said == number, (job.impressions ?? 0) <= 0 else { return }
    let waits =
      [3, 4].contains(job.state)
      && job.reasons.contains { ["job-data-insufficient", "job-incoming"].contains($0) }
    if waits || job.state == 8 { mayHaveDocument = false }
  }

  private func set(_ number: Int, _ job: Job, named name: String = "fuzz") -> AttributeSet {
    var attributes = [
      Attribute("job-id", .integer(number)), Attribute("job-name", .name(name)),
      Attribute("job-state", .enumeration(job.state)),
      Attribute("job-state-reasons", job.reasons.map { .keyword($0) }),
    ]
    if let count = job.impressions {
      attributes.append(Attribute("job-impressions-completed", .integer(count)))
    }
    return AttributeSet(attributes)
  }

  private static let reasons = [
    "none", "job-data-insufficient", "job-incoming", "job-printing", "aborted-by-system",
    "document-format-error", "job-canceled-by-user", "processing-to-stop-point",
  ]
}

// MARK: - Documents

extension ScriptedPrinter {
  fileprivate func gets(piece isFirst: Bool) {
    guard isFirst else { return }
    if mayHaveDocument { unbidden += 1 }
    mayHaveDocument = true
    saidNoJob = false
  }

  /// Ends the document and returns the response; throws if the response gets lost.
  fileprivate func takes(_ request: Request) throws(IPPError) -> Response {
    var number = request.operationAttributes.first { $0.name == "job-id" }?.values.first?.number
    if request.operation == 0x02 {
      number = next
      jobs[next] = Job()
      next += 1
    }
    let isTaken = byte() % 4 != 1
    if isTaken, let number {
      documents += 1
      jobs[number] = Job(state: 5, reasons: ["job-printing"])
    }
    do {
      if let refusal = try mayFail(request) {
        saidNoJob = refusal == .notFound || refusal == .gone
        return Response(status: refusal)
      }
    } catch {
      saidNoJob = false
      throw error
    }
    guard isTaken, let number, let job = jobs[number] else {
      return Response(status: .badRequest)
    }
    return Response(status: .ok, jobs: [set(number, job)])
  }
}

/// A connection to a `ScriptedPrinter`.
final class ScriptedLine: JobConnection {
  private let printer: ScriptedPrinter
  private var request: Request?
  private(set) var hasSentDocument = false
  let uri: PrinterURI
  let address: String? = nil
  let security = Security()
  var timeout = Duration.seconds(60)
  var whenStalled: (() -> Void)?
  var whenDocumentBegins: ((Int) throws(IPPError) -> Void)?
  private(set) var mayHaveAsked = false
  private(set) var hasEndedDocument = false
  var hasReadDocument: Bool { hasEndedDocument }
  private(set) var isDelivered = false
  let isRefused = false
  let connections = 1
  let gainsByCompression = false

  init(to printer: ScriptedPrinter, uri: PrinterURI) {
    self.printer = printer
    self.uri = uri
  }

  func exchange(_ request: Request, grace: Duration) throws(IPPError) -> Response {
    mayHaveAsked = true
    return try printer.answer(request)
  }

  func beginDocument(_ request: Request) throws(IPPError) {
    (hasEndedDocument, isDelivered, hasSentDocument) = (false, false, false)
    if let refusal = try printer.mayFail(request) {
      throw IPPError(.status(refusal), "\(refusal)")
    }
    self.request = request
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(IPPError) -> Bool {
    printer.gets(piece: !hasSentDocument)
    hasSentDocument = true
    switch printer.byte() % 16 {
    case 1: return false
    case 2: throw IPPError(.broken, "broke")
    default: return true
    }
  }

  func finish(
    grace: Duration, _ whenEnded: () -> Void
  ) throws(IPPError) -> Response? {
    guard let request else { throw IPPError(.nonsense, "no request") }
    hasEndedDocument = true
    isDelivered = true
    whenEnded()
    return try printer.takes(request)
  }

  func shutDown() {}

  func another(
    at addresses: [String], timeout: Duration, cancellation: Cancellation
  ) throws(IPPError) -> any JobConnection {
    ScriptedLine(to: printer, uri: uri)
  }
}
