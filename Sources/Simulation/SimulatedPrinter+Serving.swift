internal import Drawing
internal import ForeignText
internal import Glibc
package import IPP
internal import PrintModel
internal import System

// Answers to clients' requests (RFC 8011 §4).

extension SimulatedPrinter {
  /// The supported operations.
  static let operations: [Capabilities.Operation] = [
    .printJob, .validateJob, .createJob, .sendDocument, .cancelJob, .getJobAttributes, .getJobs,
    .getPrinterAttributes, .holdJob, .releaseJob, .pausePrinter, .resumePrinter, .cancelMyJobs,
    .closeJob, .identifyPrinter,
  ]

  /// Answers one client until it disconnects.
  ///
  /// - `system`: other printers that are served at this one's port.
  package func serve(_ connection: ServedConnection, of system: SystemService? = nil) {
    while let ask = connection.next() {
      sleepIfAsked()
      switch ask {
      case .page(let path): guard servePage(path, connection) else { return }
      case .ipp(let request):
        if let response = system?.answer(request, host: connection.host) {
          guard connection.answer(response) else { return }
          continue
        }
        let printer = system?.printer(for: request) ?? self
        guard printer.mayIn(request, connection) else {
          guard connection.askForPassword(realm: printer.identity.name) else { return }
          continue
        }
        guard let response = printer.answer(request, connection), connection.answer(response)
        else { return }
      }
    }
  }

  /// Simulates a sleeping printer: the first client waits, and so do those whose requests arrive meanwhile.
  private func sleepIfAsked() {
    let wakes = state.withLock { state -> ContinuousClock.Instant? in
      let begun = state.begin { if case .sleep(let length) = $0 { length } else { nil } }
      state.wakesAt = begun ?? state.wakesAt
      return state.wakesAt
    }
    guard let wakes else { return }
    _ = state.wait(until: wakes) { $0.wakesAt != wakes || $0.isShutDown ? true : nil }
  }

  /// True unless a password is missing or wrong: printing may need one, but anyone may read the printer's attributes.
  private func mayIn(_ request: ReceivedRequest, _ connection: ServedConnection) -> Bool {
    guard let password = identity.password,
      request.operation != Capabilities.Operation.getPrinterAttributes.rawValue
    else { return true }
    return connection.credentials?.password == password
  }

  /// The response; nil if the connection was lost, or must be closed.
  private func answer(_ request: ReceivedRequest, _ connection: ServedConnection) -> Response? {
    if let refusal = request.fault { return refusal }
    let operation = Capabilities.Operation(rawValue: request.operation)
    let call = Call(request, connection)
    switch operation.flatMap({ isKnown($0) ? $0 : nil }) {
    case .getPrinterAttributes: return getPrinterAttributes(call)
    case .validateJob: return validate(request).response
    case .printJob, .createJob: return create(call)
    case .sendDocument: return ofJob(call) { sendDocument($0, call) }
    case .cancelJob: return ofJob(call) { cancelJob($0, call) }
    case .holdJob: return holdJob(call)
    case .releaseJob: return releaseJob(call)
    case .cancelMyJobs: return cancelMyJobs(call)
    case .closeJob: return ofJob(call) { closeJob($0, call) }
    case .getJobAttributes: return ofJob(call) { getJobAttributes($0, call) }
    case .getJobs: return getJobs(call)
    case .pausePrinter, .resumePrinter:
      change { $0.isPaused = operation == .pausePrinter }
      return Response(status: .ok)
    case .identifyPrinter:
      let actions = request.operationAttributes.strings("identify-actions")
      tell(
        .identified(
          actions: actions.isEmpty ? ["display"] : actions,
          message: request.operationAttributes.string("message")))
      return Response(status: .ok)
    default:
      return Response(.operationNotSupported, "\(request.name) is not supported.")
    }
  }

  /// A valid request, and how its client addresses the printer.
  struct Call {
    let request: ReceivedRequest
    let connection: ServedConnection
    /// The operation attributes.
    let attributes: AttributeSet
    /// The printer's URI as the client addresses it.
    let uri: String

    init(_ request: ReceivedRequest, _ connection: ServedConnection) {
      self.request = request
      self.connection = connection
      attributes = request.operationAttributes
      uri =
        attributes.string("printer-uri")
        ?? "\(connection.isSecure ? "ipps" : "ipp")://\(connection.host)\(Identity.resource)"
    }

    /// The path of the printer's URI.
    var resource: String { PrinterURI(uri)?.resource ?? Identity.resource }

    /// requesting-user-name (RFC 8011 §9.3): who asks, as far as the client says.
    var user: String { attributes.string("requesting-user-name") ?? "anonymous" }
  }
}

// MARK: - The printer

extension SimulatedPrinter {
  private func getPrinterAttributes(_ call: Call) -> Response {
    if let refusal = refusal(ofFormat: call.request) { return refusal }
    let wanted = RequestedAttributes(call.attributes.strings("requested-attributes"))
    let all = attributes(host: call.connection.host, resource: call.resource)
    return Response(
      status: .ok, printer: AttributeSet(all.filter { wanted.includes(printer: $0.name) }))
  }

  /// All attributes that it reports, at a path of a host.
  func attributes(host: String, resource: String) -> [Attribute] {
    lessened(fixedAttributes) + changingAttributes(host: host, resource: resource)
  }

  func supports(format: String) -> Bool {
    let formats = has(.oneBit) ? [DocumentFormat.pwg] : profile.formats
    return format == "application/octet-stream" || formats.contains(format.lowercased())
  }

  private func isKnown(_ operation: Capabilities.Operation) -> Bool {
    ![.createJob, .sendDocument, .closeJob].contains(operation) || !has(.printJobOnly)
  }

  /// The attributes of a printer with fewer capabilities (`print-job-only`, `one-bit`).
  private func lessened(_ attributes: [Attribute]) -> [Attribute] {
    var attributes = attributes
    func replace(_ name: String, _ values: [Attribute.Value]) {
      attributes = attributes.map { $0.name == name ? Attribute(name, values) : $0 }
    }
    let operations = Self.operations.filter(isKnown)
    replace("operations-supported", operations.map { .enumeration($0.rawValue) })
    guard has(.oneBit) else { return attributes }
    replace(
      "document-format-supported",
      ["application/octet-stream", DocumentFormat.pwg].map { .mediaType($0) })
    replace("document-format-preferred", [.mediaType(DocumentFormat.pwg)])
    replace("pwg-raster-document-type-supported", [.keyword("black_1")])
    return attributes.filter { $0.name != "urf-supported" }
  }
}

/// requested-attributes (RFC 8011 §4.2.5.1): names and group names.
struct RequestedAttributes {
  private let names: Set<String>

  init(_ names: [String]) { self.names = Set(names) }

  /// True for requested attributes; media-col-database must be requested by name (PWG 5100.7 §6.3.3), because it is
  /// long.
  func includes(printer name: String) -> Bool {
    if names.contains(name) { return true }
    if name == "media-col-database" { return false }
    if names.isEmpty || names.contains("all") { return true }
    return names.contains(
      RequestedAttributes.isJobTemplate(name) ? "job-template" : "printer-description")
  }

  func includes(job name: String) -> Bool {
    if names.contains(name) || names.contains("all") { return true }
    let isTemplate = Profile.template.contains(name)
    return names.contains(isTemplate ? "job-template" : "job-description")
  }

  private static func isJobTemplate(_ name: String) -> Bool {
    for suffix in ["-default", "-supported", "-ready"] where name.hasSuffix(suffix) {
      let base = String(name.dropLast(suffix.count))
      return Profile.template.contains(base) || base.hasPrefix("media-")
    }
    return false
  }
}

// MARK: - What makes a request one

extension ReceivedRequest {
  /// The response to a malformed request (RFC 8011 §4.1); nil if it is valid.
  fileprivate var fault: Response? {
    func bad(_ why: String) -> Response { Response(.badRequest, why) }
    guard (1...2).contains(version.major) else {
      return Response(
        status: .versionNotSupported,
        message: "IPP/\(version.major).\(version.minor) is not supported.")
    }
    guard id > 0 else { return bad("The request-id is not positive.") }
    guard groupTags == groupTags.sorted() else {
      return bad("The attribute groups are out of order.")
    }
    let names = operationAttributes.all.prefix(2).map(\.name)
    guard names == ["attributes-charset", "attributes-natural-language"] else {
      return bad("The charset, the language and the printer's URI must come first, in this order.")
    }
    let charset = operationAttributes.string("attributes-charset")?.lowercased()
    guard charset == "utf-8" || charset == "us-ascii" else {
      return Response(.charsetNotSupported, "Only utf-8 and us-ascii are supported.")
    }
    guard
      let uri = operationAttributes.string("printer-uri") ?? operationAttributes.string("job-uri")
    else { return bad("There is neither a printer-uri nor a job-uri.") }
    guard uri.contains(Identity.resource) else {
      return Response(.notFound, "There is no printer \(uri).")
    }
    return nil
  }
}

// The printer's web page, for people and as printer-more-info.

extension SimulatedPrinter {
  /// Answers a GET; returns false when the client has disconnected.
  func servePage(_ path: String, _ connection: ServedConnection) -> Bool {
    switch path.prefix(while: { $0 != "?" }) {
    case "/", "/ipp/print":
      return connection.answer(Array(page.utf8), mediaType: "text/html; charset=utf-8")
    case "/icon.png":
      guard let icon = try? SimulatedPrinter.icon() else { return connection.answerNotFound() }
      return connection.answer(icon, mediaType: "image/png")
    default: return connection.answerNotFound()
    }
  }

  private var page: String {
    state.withLock { state in
      let trays = state.trays.map { tray in
        row([tray.source, tray.loaded?.title ?? "empty", tray.loaded?.type ?? ""])
      }
      let supplies = state.supplies.map { row([$0.color, $0.type, "\($0.level) %"]) }
      let jobs = state.jobs.suffix(50).reversed().map { job in
        row(["\(job.id)", job.name, job.user, job.state.keyword, "\(job.impressions)", job.message])
      }
      return """
        <!DOCTYPE html>
        <html lang="en"><head><meta charset="utf-8"><title>\(escaped(identity.name))</title>
        <meta http-equiv="refresh" content="5">
        <style>
        body { font: 16px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 50em; padding: 0 1em }
        td, th { text-align: left; padding: 0.1em 1em 0.1em 0 }
        </style></head><body>
        <h1>\(escaped(identity.name))</h1>
        <p>\(escaped(profile.makeAndModel)), simulated by airprint. \(escaped(identity.location))</p>
        <p><strong>\(escaped(state.message))</strong> \
        \(escaped(state.reasons.filter { $0 != "none" }.joined(separator: ", ")))</p>
        <h2>Paper</h2><table>\(trays.joined())</table>
        \(supplies.isEmpty ? "" : "<h2>Supplies</h2><table>\(supplies.joined())</table>")
        <h2>Jobs</h2><table>\(row(["", "Name", "User", "State", "Pages", ""]))\(jobs.joined())</table>
        </body></html>

        """
    }
  }

  private func row(_ cells: [String]) -> String {
    "<tr>" + cells.map { "<td>\(escaped($0))</td>" }.joined() + "</tr>\n"
  }

  /// Escapes text for HTML: names come from clients.
  private func escaped(_ text: String) -> String {
    markupEscaped(cleaned(text, upTo: 300))
  }

  /// Draws printer-icons: a sheet coming out of a box.
  private static func icon() throws(Failure) -> [UInt8] {
    let canvas = try Canvas(width: 128, height: 128)
    canvas.withMutablePixels { pixels in
      func fill(_ columns: Range<Int>, _ rows: Range<Int>, _ color: UInt32) {
        for row in rows {
          for column in columns {
            pixels.storeBytes(
              of: color, toByteOffset: row * canvas.stride + column * 4, as: UInt32.self)
          }
        }
      }
      fill(16..<112, 48..<96, 0x55_6070)
      fill(32..<96, 12..<52, 0xD8_DCE4)
      fill(32..<96, 80..<116, 0xD8_DCE4)
      for line in 0..<3 { fill(40..<88, (88 + line * 8)..<(91 + line * 8), 0x88_90A0) }
      fill(98..<106, 56..<62, 0x40_C060)
    }
    return try canvas.png(Resolution(72))
  }
}
