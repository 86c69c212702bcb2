internal import ForeignText
// Submission: turns a ticket and a stream of bytes into a job at the printer, and watches it to its end. Its first rule
// is to report the truth about every sheet: a byte of a document that has been sent is never sent again.

internal import IPP
package import PrintModel

/// One job to submit, without the document's bytes.
package struct JobSubmission: Sendable {
  /// job-name: at most 255 bytes of UTF-8 without control characters.
  package var name: String
  package var user: String
  package var ticket: Ticket
  package var capabilities: Capabilities
  /// The printer's name in messages.
  package var printer: String
  /// Options for handling the job, typed or from settings.
  package var handling = JobHandling()
  /// Number of sheet sides that the printer counts when it has printed everything; nil if unknown.
  package var sides: Int?
  /// The folder of the line of jobs for this printer; nil: no job has to wait.
  package var line: String?
  /// True if another printer gets the job when this one does not accept it: then its record stays open.
  package var isTriedElsewhere = false
  /// True if the job waits for a busy printer; else it ends unsent, for a later attempt.
  package var waitsWhileBusy = true
  /// job-password and related attributes: never stored in a journal, and sent only to the printer.
  package var secret: [Attribute] = []
  /// True for IPP 1.1 and short names in ASCII, for printers that fail on anything else.
  var usesIPP11 = false
  var compresses = true
  /// Number of times that attributes were left out.
  var reductions = 0

  package init(
    name: String, user: String, ticket: Ticket, capabilities: Capabilities, printer: String
  ) {
    self.name = name
    self.user = user
    self.ticket = ticket
    self.capabilities = capabilities
    self.printer = printer
  }

  /// True for Create-Job, if the printer supports it (the job has a number before any data flows), else Print-Job.
  var createsFirst: Bool {
    capabilities.does(.createJob) && capabilities.does(.sendDocument)
  }

  func createJob(at uri: PrinterURI) -> Request {
    Request(
      .createJob, operationAttributes: operation(uri) + jobIdentity + secret,
      jobAttributes: jobAttributes, version: protocolVersion)
  }

  /// Print-Job, or Validate-Job: the same request without a document.
  func wholeJob(_ kind: Capabilities.Operation, over connection: any JobConnection) -> Request {
    Request(
      kind,
      operationAttributes: operation(connection.uri) + jobIdentity + secret
        + documentIdentity(connection),
      jobAttributes: jobAttributes, version: protocolVersion)
  }

  func sendDocument(job: JobIdentity, over connection: any JobConnection) -> Request {
    document(
      .sendDocument, of: job, over: connection, [Attribute("last-document", .boolean(true))])
  }

  /// A request about the document alone.
  func document(
    _ kind: Capabilities.Operation, of job: JobIdentity? = nil, over connection: any JobConnection,
    _ more: [Attribute] = []
  ) -> Request {
    Request(
      kind,
      operationAttributes: operation(connection.uri, job: job?.number)
        + documentIdentity(connection) + more, version: protocolVersion)
  }

  private func operation(_ uri: PrinterURI, job: Int? = nil) -> [Attribute] {
    Request.target(uri, job: job, user: plain(user))
  }

  private var protocolVersion: Request.Version { usesIPP11 ? .v1_1 : .v2_0 }

  /// The job's name and its user's, as they are sent to the printer now.
  var search: JobSearch { JobSearch(name: plain(name), user: plain(user)) }

  /// At most 63 letters: some printers refuse a job-name that RFC 8011 §5.3.5 allows (OpenPrinting/cups#644).
  private func plain(_ text: String) -> String {
    guard usesIPP11 else { return text }
    return String(
      String.UnicodeScalarView(
        text.unicodeScalars.prefix(63).map { (0x20..<0x7F).contains($0.value) ? $0 : "_" }))
  }

  /// The failure for attributes that the printer requires and this job lacks (printer-mandatory-job-attributes, PWG
  /// 5100.13): reported before anything is sent.
  var lack: SubmitError? {
    let always: Set<String> = [
      "job-name", "document-name", "document-format", "ipp-attribute-fidelity", "compression",
      "requesting-user-name", "attributes-charset", "attributes-natural-language", "printer-uri",
      "last-document",
    ]
    let brought = always.union((ticket.attributes + secret).map(\.name))
    let missing = capabilities.mandatory.filter { name in
      // media and media-col have the same meaning.
      !brought.contains(name) && !(name == "media" && brought.contains("media-col"))
        && !(name == "media-col" && brought.contains("media"))
    }
    guard let first = missing.first else { return nil }
    return SubmitError(
      .refused,
      "\(printer) requires \(missing.inWords()): add -o \(ShellWord.quoted(first))=VALUE.")
  }

  private var jobIdentity: [Attribute] {
    let mandatory = mandatoryNames.map { Attribute.Value.keyword($0) }
    return [
      Attribute("job-name", .name(plain(name))),
      Attribute("ipp-attribute-fidelity", .boolean(handling.strict)),
    ] + clientInfo
      + (mandatory.isEmpty ? [] : [Attribute("job-mandatory-attributes", mandatory)])
  }

  /// client-info (PWG 5100.7-2023 §6.1.1): the program and its version, for a printer that lists the members.
  private var clientInfo: [Attribute] {
    let members = [
      Attribute("client-name", .name("airprint")),
      Attribute("client-string-version", .string(.text, productVersion)),
      Attribute("client-type", .enumeration(3)),
    ]
    let listed = capabilities.attributes.strings("client-info-supported")
    guard !usesIPP11, members.allSatisfy({ listed.contains($0.name) || $0.name == "client-type" }),
      !listed.isEmpty
    else { return [] }
    return [Attribute("client-info", .collection(members))]
  }

  /// The attributes without which the job is not to be printed: those that were typed, for a printer that refuses a job
  /// if it can't grant one of these (job-mandatory-attributes, PWG 5100.7-2023 §6.1.12).
  ///
  /// With ipp-attribute-fidelity it refuses a job also for what airprint has guessed.
  var mandatoryNames: [String] {
    let name = "job-mandatory-attributes"
    guard !usesIPP11, !handling.strict, !handling.force,
      capabilities.attributes.boolean("\(name)-supported")
        ?? capabilities.jobAttributes?.contains(name) == true
    else { return [] }
    return jobAttributes.map(\.name).filter(ticket.typed.contains)
  }

  /// Returns true if one of these must not be ignored: with `--strict`, what an option or a setting asks for, and the
  /// paper.
  private func isStrict(about names: [String]) -> Bool {
    let asked = ticket.asked.union(secret.map(\.name)).union(
      ticket.title == nil ? [] : ["job-name"])
    return handling.strict && !asked.isDisjoint(with: names)
  }

  /// Returns a sentence about the attributes that the printer ignores, although the job has to be printed with them, and
  /// the failure that they are if one of them must not be ignored; nil if there are none.
  func ignored(by response: Response) -> (words: String, failure: Failure?)? {
    let names = response.unsupported.all.map(\.name)
    guard !names.isEmpty else { return nil }
    let words = "\(printer) ignores \(names.inWords())."
    return (words, isStrict(about: names) ? .strict(words) : nil)
  }

  /// True if the printer has to hold the job until it is released, or until its time (job-hold-until, RFC 8011 §5.2.2).
  var isHeld: Bool {
    ticket.attributes.contains {
      $0.name == "job-hold-until-time"
        || $0.name == "job-hold-until" && $0.values.first?.string != "no-hold"
    }
  }

  /// The job attributes without compression, which belongs to the document, although `-o compression=gzip` is among the
  /// job's options.
  private var jobAttributes: [Attribute] { ticket.attributes.filter { $0.name != "compression" } }

  private func documentIdentity(_ connection: any JobConnection) -> [Attribute] {
    [
      Attribute("document-name", .name(plain(name))),
      Attribute("document-format", .mediaType(ticket.format)),
    ] + compression(over: connection)
  }

  /// The requested compression; else gzip if the printer supports it and the link is slower than compression.
  ///
  /// Only raster gets smaller: PDF and JPEG are already compressed.
  private func compression(over connection: any JobConnection) -> [Attribute] {
    guard compresses else { return [] }
    if let asked = ticket.attributes.first(where: { $0.name == "compression" }) { return [asked] }
    guard DocumentFormat.isRaster(ticket.format), capabilities.compressions.contains("gzip"),
      connection.gainsByCompression
    else { return [] }
    return [Attribute("compression", .keyword("gzip"))]
  }
}
