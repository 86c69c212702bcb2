// Capability: validates a printer's answer to Get-Printer-Attributes and turns it into Capabilities. The whole answer
// is untrusted: values out of bounds are dropped here, so that later stages need not check.

package import IPP
package import PrintModel

/// Result of contacting a printer: its capabilities and its status.
package struct ContactResult: Sendable {
  package var capabilities: Capabilities
  package var status: PrinterStatus
}

extension ContactResult {
  /// Requests all attributes of the printer, and then missing ones again by name.
  ///
  /// Some printers leave media out of `all`, and media-col-database is only sent when it is named, by some printers
  /// only when it is named alone (cups-filters#492, cups#399).
  ///
  /// The first request is IPP 2.0, then 1.1 for printers that support nothing later. If the answer can't be read, the
  /// two groups of attributes are requested separately, then all by IPP 1.1, and what can be read is taken. Throws as
  /// `Connection.exchange` does, and `.status` for a printer that refuses.
  package init(over connection: Connection, user: String) throws(IPPError) {
    defer { connection.takesPart = false }
    var attributes = try ContactResult.askAll(over: connection, user: user)
    // Every printer has both (RFC 8011 §5.4.15, §5.4.22); one that is too busy to list them may do so now.
    var missing = ["document-format-supported", "operations-supported"]
      .filter { attributes[$0] == nil }
    if attributes["media-col-ready"] == nil, attributes["media-ready"] == nil {
      missing += ["media-col-ready", "media-ready", "media-col-default", "media-default"]
    }
    if !missing.isEmpty {
      try attributes.add(ContactResult.askMore(missing, over: connection, user: user))
    }
    var capabilities = Capabilities(reading: attributes)
    if capabilities.does(.getUserPrinterAttributes),
      let own = try ContactResult.askOwn(over: connection, user: user)
    {
      attributes = AttributeSet(own.all + attributes.all)
      capabilities = Capabilities(reading: attributes)
    }
    if attributes["media-col-database"] == nil, capabilities.needsDatabase {
      try attributes.add(
        ContactResult.askMore(["media-col-database"], over: connection, user: user))
      capabilities = Capabilities(reading: attributes)
    }
    self.init(
      capabilities: capabilities,
      status: capabilities.namingPaper(of: PrinterStatus(reading: attributes)))
  }

  /// RFC 8011 §4.2.5.1.
  private static func askAll(
    over connection: Connection, user: String
  ) throws(IPPError) -> AttributeSet {
    do {
      return try ask(["all"], over: connection, user: user)
    } catch  where error.isGarbled {}
    do {
      var attributes = try ask(["printer-description"], over: connection, user: user)
      do {
        try attributes.add(ask(["job-template"], over: connection, user: user))
      } catch  where error.isGarbled || error.status != nil {}
      return attributes
    } catch  where error.isGarbled {
      connection.takesPart = true
      let part = try ask(["all"], version: .v1_1, over: connection, user: user)
      guard part["document-format-supported"] != nil else { throw error }
      return part
    }
  }

  /// Requests what this user may do, after a login (Get-User-Printer-Attributes, PWG 5100.11-2024 §4.1); nil for who has
  /// no password, or is refused: what everyone is told applies then, and a job says why it fails.
  private static func askOwn(
    over connection: Connection, user: String
  ) throws(IPPError) -> AttributeSet? {
    do {
      return try ask(["all"], .getUserPrinterAttributes, over: connection, user: user)
    } catch  where error.status != nil || error.kind == .unauthorized {
      return nil
    }
  }

  /// Requests attributes that a printer may refuse: a refusal adds nothing, and is not an error.
  private static func askMore(
    _ names: [String], over connection: Connection, user: String
  ) throws(IPPError) -> AttributeSet {
    do {
      return try ask(names, over: connection, user: user)
    } catch  where error.status != nil {
      return AttributeSet()
    }
  }

  private static func ask(
    _ names: [String], _ operation: Capabilities.Operation = .getPrinterAttributes,
    version: Request.Version = .v2_0, over connection: Connection, user: String
  ) throws(IPPError) -> AttributeSet {
    var request = Request.getPrinterAttributes(names, of: connection.uri, user: user)
    request.operation = operation.rawValue
    request.version = version
    var response = try connection.exchange(request)
    if [.badRequest, .versionNotSupported].contains(response.status) {
      request.version = .v1_1
      response = try connection.exchange(request)
    }
    guard response.status.isSuccess else {
      throw IPPError(.status(response.status), response.words)
    }
    return response.printer
  }
}

extension Capabilities {
  /// True if the database may have information that the ready list lacks: everything if there is no list, and
  /// borderless sheets if margins of 0 are stated but no entry has them (SELPHY).
  fileprivate var needsDatabase: Bool {
    if ready.isEmpty || possible.isEmpty { return true }
    let statesNone = Margins.members.allSatisfy {
      let listed = attributes.numbers("\($0)-supported")
      return listed.contains(0) || listed.isEmpty && $0 != "media-top-margin"
    }
    return statesNone && attributes["media-top-margin-supported"] != nil
      && !(ready + possible).contains(where: \.isBorderless)
  }
}

extension AttributeSet {
  /// Adds the attributes of `more` that this set lacks.
  fileprivate mutating func add(_ more: AttributeSet) {
    self = AttributeSet(all + more.all)
  }
}
