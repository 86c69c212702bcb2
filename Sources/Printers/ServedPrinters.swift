package import AirprintContext
internal import IPP
package import PrintModel
internal import Settings
internal import System

/// Returns the printers in a server's own list, sorted by name: the queues of CUPS (CUPS-Get-Printers), or those of an
/// IPP System Service (Get-Printers, PWG 5100.22), such as a printer application's.
///
/// Empty if the server answers but has no list.
///
/// Only the paths of the list are used, with the typed host, so that no one is redirected. Exit 64 if the text is not a
/// host, 69 if no server answers.
package func servedPrinters(
  at text: String, _ context: Context
) async throws(Failure) -> [FoundPrinter] {
  guard let address = TypedAddress(text), address.path == nil else {
    throw Failure(
      .usage,
      "\(text) is not a host; one looks like print.example.com, or 192.0.2.7:8631. "
        + "To search by name: airprint discover --name NAME")
  }
  return try await onThread { () throws(Failure) in
    let served = try listServed(at: address, text, context)
    let store = try context.settings.printers()
    return served.map { printer in
      var found = printer
      found.saved =
        store.printers.first { saved in
          saved.uri == found.printer.uri || saved.uuid != nil && saved.uuid == found.printer.uuid
        }?.name
      return found
    }
  }
}

extension Failure {
  static func severalPrinters(of server: String) -> String { "\(server) has several printers" }

  /// Returns true if it reports that this host serves several printers, among which a user at a terminal can choose.
  package func isAboutServer(_ text: String) -> Bool {
    code == .usage && message.hasPrefix(Failure.severalPrinters(of: text))
  }
}

/// Possible paths of a list, and the operation that requests it there.
private let lists: [(path: String, operation: Capabilities.Operation)] = [
  ("/", .cupsGetPrinters), ("/ipp/system", .getPrinters),
]

private func listServed(
  at address: TypedAddress, _ text: String, _ context: Context
) throws(Failure) -> [FoundPrinter] {
  var isThere = false
  var tried: [FailedAddress] = []
  schemes: for scheme in address.schemes {
    for list in lists {
      var place = address
      place.path = list.path
      guard let candidate = place.candidates.first(where: { $0.hasPrefix("\(scheme):") }),
        let uri = PrinterURI(candidate)
      else { continue }
      do throws(IPPError) {
        let printers = try ask(list.operation, at: uri, context)
        if !printers.isEmpty { return printers }
        isThere = true
      } catch {
        tried.append(FailedAddress(uri: candidate, reason: error.message))
        switch error.kind {
        case .unresolved, .silent: throw noPrinter(at: text, tried)
        // No server listens there, or none with TLS; the other path has the same server.
        case .refused, .insecure, .broken: continue schemes
        case .status, .unauthorized, .untrusted, .outdated, .nonsense: isThere = true
        default: break
        }
      }
    }
    if isThere { return [] }
  }
  throw noPrinter(at: text, tried)
}

private func ask(
  _ operation: Capabilities.Operation, at uri: PrinterURI, _ context: Context
) throws(IPPError) -> [FoundPrinter] {
  let connection = try connect(toCandidate: uri, context)
  let whom = operation == .getPrinters ? "system-uri" : "printer-uri"
  let response = try connection.exchange(
    Request(
      operation,
      operationAttributes: [
        Attribute(whom, .uri(uri.text)), Attribute("requesting-user-name", .name(context.user)),
        Attribute("limit", .integer(1000)),
        Attribute("requested-attributes", wanted.map { .keyword($0) }),
      ]))
  guard response.status.isSuccess else {
    throw IPPError(.status(response.status), response.words)
  }
  return response.printers.compactMap { FoundPrinter($0, of: uri, connection.address) }
    .sorted { $0.printer.name < $1.printer.name }
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
    let stated = attributes.strings("printer-uri-supported") + attributes.xris
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

extension AttributeSet {
  /// The URIs of printer-xri-supported (PWG 5100.22), which lists of printers contain instead of printer-uri-supported.
  fileprivate var xris: [String] {
    collections("printer-xri-supported").compactMap { $0.string("xri-uri") }
  }
}
