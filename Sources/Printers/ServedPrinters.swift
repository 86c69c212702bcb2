internal import AirprintContext
internal import IPP
internal import PrintModel
internal import System

/// Returns the printers in a server's own list, sorted by name: the queues of CUPS (CUPS-Get-Printers), or those of an
/// IPP System Service (Get-Printers, PWG 5100.22), such as a printer application's.
///
/// Empty if the server answers but has no list.
///
/// Only the paths of the list are used, with the typed host, so that no one is redirected. Exit 64 if the text is not a
/// host, 69 if no server answers.
///
/// - `timeout`: time for everything; nil: as long as the host takes to be silent.
func servedPrinters(
  at text: String, timeout: Duration? = nil, _ context: Context
) async throws(Failure) -> SchemeAnswer<[FoundPrinter]> {
  guard let address = try TypedAddress.parse(text), address.path == nil else {
    throw .usage(
      "\(text) is not a host; one looks like print.example.com, or 192.0.2.7:8631. "
        + "To search by name: airprint discover --name NAME")
  }
  let answer = await raceSchemes(address.schemes, timeout: timeout) {
    listServed(at: address, $0, context, $1)
  }
  if case .failed(let tried) = answer { throw noPrinter(at: text, tried) }
  guard case .found(let served) = answer else { return answer }
  let store = try context.settings.printers()
  return .found(
    served.map { printer in
      var found = printer
      found.saved =
        store.printers.first { saved in
          saved.uri == found.printer.uri || saved.uuid != nil && saved.uuid == found.printer.uuid
        }?.name
      return found
    })
}

/// Possible paths of a list, and the operation that requests it there.
private let lists: [(path: String, operation: Capabilities.Operation)] = [
  ("/", .cupsGetPrinters), ("/ipp/system", .getPrinters),
]

/// Returns the printers of the first list that has any; none if the server answers without a list.
private func listServed(
  at address: TypedAddress, _ scheme: String, _ context: Context, _ cancellation: Cancellation
) -> SchemeAnswer<[FoundPrinter]> {
  var isThere = false
  var tried: [FailedAddress] = []
  for list in lists {
    guard let uri = PrinterURI(address.uri(scheme, list.path)) else { continue }
    do throws(IPPError) {
      let printers = try ask(list.operation, at: uri, context, cancellation)
      if !printers.isEmpty { return .found(printers) }
      isThere = true
    } catch {
      if error.kind == .unresolved, !address.isCertain { return .noHost(error.message) }
      tried.append(FailedAddress(uri: uri.text, error))
      // The other path has the same server.
      if error.isAboutHost { break }
      if [.unauthorized, .untrusted, .outdated, .nonsense].contains(error.kind)
        || error.status != nil
      {
        isThere = true
      }
    }
  }
  return isThere ? .found([]) : .failed(tried)
}

/// Number of printers in one answer, and of answers.
private let (page, mostPages) = (1_000, 10)

/// Requests a list until it ends: a server may have thousands of queues.
private func ask(
  _ operation: Capabilities.Operation, at uri: PrinterURI, _ context: Context,
  _ cancellation: Cancellation
) throws(IPPError) -> [FoundPrinter] {
  let connection = try connect(toCandidate: uri, context, cancellation)
  var all: [String: FoundPrinter] = [:]
  var start: Attribute?
  for _ in 0..<mostPages {
    let response = try connection.exchange(request(operation, at: uri, from: start, context))
    guard response.status.isSuccess else {
      throw IPPError(.status(response.status), response.words)
    }
    let listed = response.printers
    let before = all.count
    for attributes in listed {
      guard let found = FoundPrinter(attributes, of: uri, connection.address) else { continue }
      all[found.printer.uri] = all[found.printer.uri] ?? found
    }
    // A server that starts anew each time has no more.
    guard listed.count >= page, all.count > before,
      let last = listed.last?.string("printer-name")
    else { break }
    start =
      operation == .getPrinters
      ? Attribute("first-index", .integer(all.count + 1))
      : Attribute("first-printer-name", .name(last))
  }
  return all.values.sorted { $0.printer.name < $1.printer.name }
}

/// - `start`: where the answer starts: CUPS' `first-printer-name`, or `first-index` (PWG 5100.22).
private func request(
  _ operation: Capabilities.Operation, at uri: PrinterURI, from start: Attribute?,
  _ context: Context
) -> Request {
  let whom = operation == .getPrinters ? "system-uri" : "printer-uri"
  return Request(
    operation,
    operationAttributes: [
      Attribute(whom, .uri(uri.text)), Attribute("requesting-user-name", .name(context.user)),
    ] + [start].compactMap(\.self) + [
      Attribute("limit", .integer(page)),
      Attribute("requested-attributes", wanted.map { .keyword($0) }),
    ])
}

private let wanted =
  [
    "printer-name", "printer-info", "printer-uri-supported", "printer-xri-supported",
    "printer-uuid",
    "printer-make-and-model", "printer-location", "printer-kind", "color-supported",
    "sides-supported", "document-format-supported", "uri-authentication-supported",
  ] + PrinterStatus.attributes

extension FoundPrinter {
  /// Makes a printer; nil if its attributes do not state its address.
  fileprivate init?(_ attributes: AttributeSet, of server: PrinterURI, _ address: String?) {
    // Lists of a system service have printer-xri-supported instead (PWG 5100.22).
    let xris = attributes.collections("printer-xri-supported").compactMap { $0.string("xri-uri") }
    let stated = attributes.strings("printer-uri-supported") + xris
    guard let path = stated.lazy.compactMap(PrinterURI.init).first?.resource,
      let name = attributes.string("printer-name") ?? attributes.string("printer-info")
    else { return nil }
    var uri = server
    uri.resource = path
    let sides = attributes.strings("sides-supported")
    let kinds = attributes.strings("printer-kind").compactMap(JobType.init(rawValue:))
    self.init(
      printer: DiscoveredPrinter(
        service: ServiceName(instance: name, domain: ""), name: name,
        endpoints: [Endpoint(uri: uri.text, address: address)],
        uuid: attributes.string("printer-uuid").flatMap(PrinterUUID.normalized),
        makeAndModel: attributes.string("printer-make-and-model"),
        location: attributes.string("printer-location").flatMap { $0.isEmpty ? nil : $0 },
        types: Set(kinds), typesAreStated: !kinds.isEmpty,
        isColor: attributes.boolean("color-supported"),
        isDuplex: sides.isEmpty ? nil : sides.count > 1,
        formats: attributes.strings("document-format-supported").map { $0.lowercased() },
        authentication: attributes.authentication),
      saved: nil, status: PrinterStatus(reading: attributes))
  }
}
