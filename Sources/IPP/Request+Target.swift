package import PrintModel

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
