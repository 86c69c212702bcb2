// Submission: a ticket and a stream of bytes, in; a job at the printer that is watched to its end, out.
// Its first rule is to say the truth about every sheet: a byte of a document that has left is never
// sent again.

internal import IPP
package import PrintModel

/// One job to be done: everything but the document's bytes.
package struct Order: Sendable {
  /// job-name: at most 255 bytes of UTF-8 without control characters.
  package var name: String
  package var user: String
  package var ticket: Ticket
  package var capabilities: Capabilities
  /// The printer in messages.
  package var printer: String
  /// Ends when the printer has the whole document.
  package var endsWhenSent = false
  /// How long nothing may go forward; nil for ever.
  package var timeout: Duration?
  /// What becomes of a job of which no sheet is out when the time has run out.
  package var leavesOnTimeout = false
  /// ipp-attribute-fidelity: the printer shall refuse rather than substitute.
  package var isStrict = false

  package init(
    name: String, user: String, ticket: Ticket, capabilities: Capabilities, printer: String
  ) {
    self.name = name
    self.user = user
    self.ticket = ticket
    self.capabilities = capabilities
    self.printer = printer
  }

  /// Create-Job where the printer has it (the job has a number before any data flows), else Print-Job.
  var createsFirst: Bool {
    capabilities.does(.createJob) && capabilities.does(.sendDocument)
  }

  func createJob(at uri: PrinterURI) -> Request {
    Request(
      .createJob, operationAttributes: operation(uri) + jobIdentity,
      jobAttributes: jobAttributes)
  }

  func printJob(over connection: Connection) -> Request {
    Request(
      .printJob,
      operationAttributes: operation(connection.uri) + jobIdentity + documentIdentity(connection),
      jobAttributes: jobAttributes)
  }

  func sendDocument(job: Int, over connection: Connection) -> Request {
    Request(
      .sendDocument,
      operationAttributes: operation(connection.uri, job: job) + documentIdentity(connection)
        + [Attribute("last-document", .boolean(true))])
  }

  func cancelJob(_ job: Int, at uri: PrinterURI) -> Request {
    Request(.cancelJob, operationAttributes: operation(uri, job: job))
  }

  func getJobAttributes(_ job: Int, at uri: PrinterURI) -> Request {
    Request(
      .getJobAttributes,
      operationAttributes: operation(uri, job: job)
        + [Attribute("requested-attributes", JobStatus.attributes.map { .keyword($0) })])
  }

  private func operation(_ uri: PrinterURI, job: Int? = nil) -> [Attribute] {
    [Attribute("printer-uri", .uri(uri.text))]
      + (job.map { [Attribute("job-id", .integer($0))] } ?? [])
      + [Attribute("requesting-user-name", .name(user))]
  }

  private var jobIdentity: [Attribute] {
    [
      Attribute("job-name", .name(name)),
      Attribute("ipp-attribute-fidelity", .boolean(isStrict)),
    ]
  }

  /// compression belongs to the document, although `-o compression=gzip` comes with the job's wishes.
  private var jobAttributes: [Attribute] { ticket.attributes.filter { $0.name != "compression" } }

  private func documentIdentity(_ connection: Connection) -> [Attribute] {
    [
      Attribute("document-name", .name(name)),
      Attribute("document-format", .mediaType(ticket.format)),
    ] + compression(over: connection)
  }

  /// What was asked for; else gzip where the printer takes it and the link is slower than packing.
  /// Only raster gets smaller by it: PDF and JPEG are packed already.
  private func compression(over connection: Connection) -> [Attribute] {
    if let asked = ticket.attributes.first(where: { $0.name == "compression" }) { return [asked] }
    guard DocumentFormat.isRaster(ticket.format), capabilities.compressions.contains("gzip"),
      connection.gainsByCompression
    else { return [] }
    return [Attribute("compression", .keyword("gzip"))]
  }
}
