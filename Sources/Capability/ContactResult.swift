// Capability: a printer's answer to Get-Printer-Attributes, checked and turned into Capabilities.
// Everything in that answer is a stranger's word: values out of bounds are dropped here, so that no
// later stage has to ask.

package import IPP
package import PrintModel

/// Result of one contact with a printer: what it can do, and how it is.
package struct ContactResult: Sendable {
  package var capabilities: Capabilities
  package var status: PrinterStatus

  package init(capabilities: Capabilities, status: PrinterStatus) {
    self.capabilities = capabilities
    self.status = status
  }
}

extension ContactResult {
  /// Asks the printer at the other end of `connection` for everything, and asks once more, by name,
  /// for what is missing: some printers leave media out of `all`, and media-col-database comes only
  /// when it is named, by some printers only when it is named alone (cups-filters#492, cups#399).
  ///
  /// The first request is IPP 2.0, and 1.1 for printers that know no better. Throws what `Connection.exchange`
  /// throws, and `.status` for a printer that refuses.
  package init(over connection: Connection, user: String) throws(IPPError) {
    var attributes = try ContactResult.ask(["all"], over: connection, user: user)
    if attributes["media-col-ready"] == nil, attributes["media-ready"] == nil {
      let names = ["media-col-ready", "media-ready", "media-col-default", "media-default"]
      try attributes.add(ContactResult.askMore(names, over: connection, user: user))
    }
    var capabilities = Capabilities(reading: attributes)
    if attributes["media-col-database"] == nil, capabilities.needsDatabase {
      try attributes.add(
        ContactResult.askMore(["media-col-database"], over: connection, user: user))
      capabilities = Capabilities(reading: attributes)
    }
    self.init(capabilities: capabilities, status: PrinterStatus(reading: attributes))
  }

  /// A question that a printer may refuse: the refusal adds nothing, and is no error.
  private static func askMore(
    _ names: [String], over connection: Connection, user: String
  ) throws(IPPError) -> AttributeSet {
    do {
      return try ask(names, over: connection, user: user)
    } catch  where error.status != nil {
      return AttributeSet()
    }
  }

  fileprivate static func ask(
    _ names: [String], over connection: Connection, user: String
  ) throws(IPPError) -> AttributeSet {
    var request = Request(
      .getPrinterAttributes,
      operationAttributes: [
        Attribute("printer-uri", .uri(connection.uri.text)),
        Attribute("requesting-user-name", .name(user)),
        Attribute("requested-attributes", names.map { .keyword($0) }),
      ])
    var response = try connection.exchange(request)
    if [.badRequest, .versionNotSupported].contains(response.status) {
      request.version = .v1_1
      response = try connection.exchange(request)
    }
    guard response.status.isSuccess else {
      throw IPPError(
        .status(response.status), response.words)
    }
    return response.printer
  }
}

extension Capabilities {
  /// True when the database has information that the ready list lacks: everything where there is none,
  /// and the sheets without margins where margins of 0 are stated but no entry has them (SELPHY).
  fileprivate var needsDatabase: Bool {
    if ready.isEmpty || possible.isEmpty { return true }
    let sides = ["top", "bottom", "left", "right"]
    let statesNone = sides.allSatisfy {
      let listed = attributes.numbers("media-\($0)-margin-supported")
      return listed.contains(0) || listed.isEmpty && $0 != "top"
    }
    return statesNone && attributes["media-top-margin-supported"] != nil
      && !(ready + possible).contains(where: \.isBorderless)
  }
}

extension PrinterStatus {
  /// Asks a printer how it is: the poll while a job runs.
  ///
  /// It stays on the attributes that change. Throws what `Connection.exchange` throws, and `.status` for a printer
  /// that refuses.
  package init(over connection: Connection, user: String) throws(IPPError) {
    self.init(
      reading: try ContactResult.ask(PrinterStatus.attributes, over: connection, user: user))
  }
}

extension AttributeSet {
  /// Adds what `more` has and this set has not.
  fileprivate mutating func add(_ more: AttributeSet) {
    self = AttributeSet(all + more.all)
  }
}
