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
      return Response(.internalError, error.message)
    }
  }

  static let damagedDocument = "The document is not compressed as stated."

  private func damaged(_ id: Int, _ call: Call) -> Response {
    Response(.compressionError, Self.damagedDocument, jobs: [brief(id, call)])
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
      ? Response(.badRequest, "There is no document in the request.") : nil
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
    return Response(status, job.message, jobs: [brief(id, call)])
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

// Validation: whether a job can be accepted as requested (RFC 8011 §4.2.1.2, §4.1.7).

extension SimulatedPrinter {
  struct Verdict {
    var response: Response
    /// The Job Template attributes that are accepted.
    var accepted: [Attribute] = []
  }

  /// Checks the document's format and compression, and every Job Template attribute.
  ///
  /// Unsupported attributes are left out and reported; with ipp-attribute-fidelity, the job is refused.
  func validate(_ request: ReceivedRequest) -> Verdict {
    let operation = request.operationAttributes
    let supported = AttributeSet(fixedAttributes)
    if let refusal = refusal(of: request, supported) { return Verdict(response: refusal) }
    let asked = request.jobAttributes.all
    var refused = asked.filter { !isGranted($0, supported) }
    var (refusing, granting) = (Status.attributesOrValues, Status.ignoredOrSubstituted)
    if refused.isEmpty {
      refused = conflicting(asked, supported)
      (refusing, granting) = (.conflictingAttributes, .conflictSubstituted)
    }
    let accepted = asked.filter { !refused.contains($0) }
    guard !refused.isEmpty else {
      return Verdict(response: Response(status: .ok), accepted: accepted)
    }
    let names = refused.map(\.name).joined(separator: ", ")
    let mandatory = Set(operation.strings("job-mandatory-attributes"))
    let isStrict =
      operation.boolean("ipp-attribute-fidelity") == true
      || refused.contains { mandatory.contains($0.name) }
    return Verdict(
      response: Response(
        status: isStrict ? refusing : granting,
        message: "\(isStrict ? "Not supported as requested" : "Left out"): \(names).",
        unsupported: AttributeSet(refused)), accepted: isStrict ? [] : accepted)
  }

  /// The refusal for what a request says of its document, its PIN and its client; nil if there is none.
  private func refusal(of request: ReceivedRequest, _ supported: AttributeSet) -> Response? {
    let operation = request.operationAttributes
    if let refusal = refusal(ofFormat: request) { return refusal }
    let statuses: KeyValuePairs<String, Status> = [
      "compression": .compressionNotSupported, "job-password-encryption": .attributesOrValues,
    ]
    for (name, status) in statuses {
      guard let method = operation.string(name),
        !supported.strings("\(name)-supported").contains(method)
      else { continue }
      return Response(status, unsupported: name, .keyword(method))
    }
    let info = operation["client-info"]
    guard info?.values.allSatisfy(Self.isClientInfo) == false else { return nil }
    return Response(.badRequest, "The client-info is none.", unsupported: info)
  }

  /// The members of client-info (PWG 5100.7-2023 §6.1.1) with their syntax.
  static let clientInfo: [String: @Sendable (Attribute.Value) -> Bool] = [
    "client-name": { if case .string(.name, _) = $0 { true } else { false } },
    "client-string-version": { if case .string(.text, _) = $0 { true } else { false } },
    "client-type": { if case .enumeration(3...6) = $0 { true } else { false } },
  ]

  private static func isClientInfo(_ value: Attribute.Value) -> Bool {
    let members = value.members ?? []
    return clientInfo.allSatisfy { name, isValid in
      members.first { $0.name == name }.map { $0.values.count == 1 && isValid($0.values[0]) }
        ?? false
    }
  }

  /// Returns the attributes in every conflict that the printer lists: without the medium, which a page needs, unless that
  /// is in conflict with itself.
  private func conflicting(_ job: [Attribute], _ supported: AttributeSet) -> [Attribute] {
    var refused: [Attribute] = []
    for conflict in JobConstraint.list(in: supported) {
      let left = job.filter { !refused.contains($0) }
      guard conflict.conflicts(with: left.leaves) else { continue }
      let names = Set(conflict.causes(in: left).map(\.name))
      let causes = left.filter { names.contains($0.name) && !$0.isMedium }
      refused += causes.isEmpty ? left.filter(\.isMedium) : causes
    }
    return refused
  }

  /// The refusal of a document-format that is not supported; nil for any other.
  func refusal(ofFormat request: ReceivedRequest) -> Response? {
    guard let format = request.operationAttributes.string("document-format"),
      !supports(format: format)
    else { return nil }
    return Response(
      .documentFormatNotSupported, unsupported: "document-format", .mediaType(format))
  }

  private func isGranted(_ attribute: Attribute, _ supported: AttributeSet) -> Bool {
    switch attribute.name {
    case "media": return attribute.values.first?.string.map(isKnown(medium:)) ?? false
    case "media-col"
    where attribute.values.first?.members.map(AttributeSet.init).map(isKnown) != true:
      return false
    case "page-ranges":
      return supported.boolean("page-ranges-supported") == true
        && attribute.values.allSatisfy { $0.span.map { $0.lowerBound > 0 } ?? false }
    case "job-priority":
      return attribute.values.first?.number.map((1...100).contains) ?? false
    case "print-darkness" where supported.number("print-darkness-supported") != nil:
      return attribute.values.first?.number.map((-100...100).contains) ?? false
    case "overrides": return true
    default: break
    }
    let collections = attribute.values.compactMap(\.members)
    if !collections.isEmpty {
      let listed = supported.strings("\(attribute.name)-supported")
      return collections.joined().allSatisfy { member in
        (listed.isEmpty || listed.contains(member.name))
          && (supported.values("\(member.name)-supported").isEmpty
            || isGranted(member, supported))
      }
    }
    guard let values = supported["\(attribute.name)-supported"]?.values else {
      return supported.strings("job-creation-attributes-supported").contains(attribute.name)
    }
    if values == [.boolean(true)], attribute.values.allSatisfy({ $0.string != nil }) { return true }
    return attribute.values.allSatisfy { value in
      values.contains(value)
        || value.number.map { number in values.contains { $0.span?.contains(number) == true } }
          ?? false
        || value.string.map { text in values.contains { $0.string == text } } ?? false
    }
  }

  /// True for a listed size, or one within the bounds of a custom range.
  private func isKnown(medium name: String) -> Bool {
    if profile.papers.contains(where: { $0.name == name }) { return true }
    return MediaName.size(of: name).map(isKnown(size:)) ?? false
  }

  private func isKnown(column: AttributeSet) -> Bool {
    if let size = column.collections("media-size").first {
      guard let width = size.number("x-dimension"), let length = size.number("y-dimension") else {
        // A range leaves a roll's length to the printer.
        return size.number("x-dimension") != nil && size.spans("y-dimension").first != nil
      }
      return isKnown(size: MediaSize(width: Hundredths(width), length: Hundredths(length)))
    }
    return column.string("media-size-name").map(isKnown(medium:)) ?? true
  }

  private func isKnown(size: MediaSize) -> Bool {
    if size.length == 0 {
      return profile.papers.contains { $0.isRoll && $0.size.width == size.width }
    }
    return profile.papers.contains { paper in
      guard let cuts = paper.cuts, paper.isRoll else {
        return paper.size.matches(size, within: MediaSize.near)
      }
      return paper.isCut(to: size) && cuts.contains(size.length)
    }
      || profile.trays.contains { tray in
        tray.custom.map {
          $0.widths.contains(size.width) && $0.lengths.contains(size.length)
        } ?? false
      }
  }
}

extension Attribute {
  fileprivate var isMedium: Bool { ["media", "media-col"].contains(name) }
}

extension Response {
  /// An answer with a message, mostly a refusal; `unsupported` is the request's attribute that is its reason.
  init(
    _ status: Status, _ message: String, unsupported: Attribute? = nil, jobs: [AttributeSet] = []
  ) {
    self.init(
      status: status, message: message, jobs: jobs,
      unsupported: AttributeSet([unsupported].compactMap(\.self)))
  }

  /// A refusal of an attribute's value.
  init(
    _ status: Status = .attributesOrValues, unsupported name: String, _ value: Attribute.Value
  ) {
    self.init(
      status, "\(name) \(value.string ?? "") is not supported.",
      unsupported: Attribute(name, value))
  }

  func with(jobs: [AttributeSet]) -> Response {
    var response = self
    response.jobs = jobs
    return response
  }
}
