internal import CCups
internal import ForeignText
internal import LateLibraries
internal import Logging
package import PrintModel
internal import System

/// The parts of an `ipp://` or `ipps://` URI, parsed by libcups (RFC 3510, RFC 7472).
package struct PrinterURI: Sendable, Hashable {
  package var isSecure: Bool
  /// Host name or numeric address; an IPv6 address has no brackets, and its zone after `%`.
  package var host: String
  package var port: Int
  /// The path, with its leading slash.
  package var resource: String

  /// Parses a URI; nil unless `text` is an ipp or ipps URI with a host.
  ///
  /// User names and passwords in a URI are also refused: they would end up in logs. So are line breaks.
  package init?(_ text: String) {
    NetworkLibraries.load()
    var scheme = [CChar](repeating: 0, count: 32)
    var user = [CChar](repeating: 0, count: 256)
    var host = [CChar](repeating: 0, count: 1024)
    var resource = [CChar](repeating: 0, count: 1024)
    var port: Int32 = 0
    // A truncated URI would be another printer's. And libcups reads `//host/` as ipp.
    guard text.utf8.count < host.count, !text.hasPrefix("//") else { return nil }
    let status = httpSeparateURI(
      HTTP_URI_CODING_ALL, PrinterURI.coded(text), &scheme, Int32(scheme.count), &user,
      Int32(user.count), &host,
      Int32(host.count), &port, &resource, Int32(resource.count))
    guard status.rawValue >= 0 else { return nil }
    switch scheme.text {
    case "ipp": isSecure = false
    case "ipps": isSecure = true
    default: return nil
    }
    self.host = host.text
    guard !self.host.isEmpty, user[0] == 0, (1...65_535).contains(port) else { return nil }
    self.port = Int(port)
    self.resource = resource.text
    // Encoded in the URI, a line break would be one in messages.
    guard [self.host, self.resource].allSatisfy({ $0.onOneLine == $0 }) else { return nil }
  }

  /// Percent-encodes bytes beyond ASCII: libcups refuses host names with an umlaut as people type them.
  private static func coded(_ text: String) -> String {
    var text = text
    // libcups also refuses a scheme in capitals (RFC 3986 §3.1).
    if let colon = text.firstIndex(of: ":") {
      text.replaceSubrange(..<colon, with: text[..<colon].lowercased())
    }
    // A zone as `ip addr` writes it; in a URI its percent sign is encoded (RFC 6874).
    if let open = text.firstRange(of: "://["),
      let close = text[open.upperBound...].firstIndex(of: "]"),
      let zone = text[open.upperBound..<close].firstIndex(of: "%"),
      !text[zone...].hasPrefix("%25")
    {
      text.replaceSubrange(zone...zone, with: "%25")
    }
    return percentEncoded(text) { $0 < 0x80 }
  }

  /// The URI as used in printer-uri.
  package var text: String {
    NetworkLibraries.load()
    var buffer = [CChar](repeating: 0, count: 2048)
    let status = httpAssembleURI(
      HTTP_URI_CODING_ALL, &buffer, Int32(buffer.count), isSecure ? "ipps" : "ipp", nil, host,
      Int32(port), resource)
    return status.rawValue >= 0 ? buffer.text : ""
  }
}

/// Printers that insist on their own printer-uri (RFC 8011 §5.4.1; OpenPrinting/cups#203).
extension Connection {
  /// Refusals of a request with a URI that the printer may not know; 0x040C: client-error-uri-scheme-not-supported.
  static let refusalsOfURI = [Status.notFound, .badRequest, Status(rawValue: 0x040C)]

  /// Sends a request again that named something unknown, by the other URIs of the printer; nil if it is unknown by all.
  ///
  /// Each is tried once, so that a job that does not exist costs no more requests each time; what is no question only by
  /// the first, because a printer may do it all the same each time. The one that the printer knows is kept.
  func exchangeWithOtherTarget(_ request: Request, _ grace: Duration) throws(IPPError) -> Response?
  {
    let isQuestion = RequestAttempts.questions.contains(request.operation)
    let others = otherTargets.prefix(isQuestion ? otherTargets.count : 1)
    otherTargets = []
    for other in others {
      let request = request.addressed(uri, as: other)
      log.debug("\(target) is unknown there; trying \(other)")
      let response = try exchange(request, grace)
      guard Connection.refusalsOfURI.contains(response.status) else {
        target = other
        return response
      }
    }
    return nil
  }

  /// Takes the URIs that the printer states, at most four: of another path, they may be those of another queue.
  func learnTargets(from response: Response) {
    let stated = response.printer.strings("printer-uri-supported")
    guard !stated.isEmpty else { return }
    let own = stated.filter { $0 != target && PrinterURI($0)?.resource == uri.resource }
    otherTargets = Array(own.prefix(4))
  }

  /// The URI with the printer's address instead of its name.
  var numericTarget: String? {
    guard let address else { return nil }
    var numeric = uri
    numeric.host = address
    return numeric.text == uri.text ? nil : numeric.text
  }
}

extension Request {
  /// Returns the request with `target` in place of the printer's `uri`.
  func addressed(_ uri: PrinterURI, as target: String) -> Request {
    guard target != uri.text else { return self }
    var request = self
    for (index, attribute) in operationAttributes.enumerated()
    where attribute.name == "printer-uri" && attribute.values.first?.string == uri.text {
      request.operationAttributes[index] = Attribute("printer-uri", .uri(target))
    }
    return request
  }
}

extension Request {
  /// The operation attributes that name the printer, one of its jobs, and the user (RFC 8011 §4.1.5).
  package static func target(
    _ uri: PrinterURI, job: Int? = nil, user: String
  ) -> [Attribute] {
    [Attribute("printer-uri", .uri(uri.text))]
      + (job.map { [Attribute("job-id", .integer($0))] } ?? [])
      + [Attribute("requesting-user-name", .name(user))]
  }

  /// Requests these attributes of a printer (RFC 8011 §4.2.5).
  package static func getPrinterAttributes(
    _ names: [String], of uri: PrinterURI, user: String
  ) -> Request {
    Request(
      .getPrinterAttributes,
      operationAttributes: target(uri, user: user)
        + [Attribute("requested-attributes", names.map { .keyword($0) })])
  }
}
