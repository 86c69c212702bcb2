internal import CCups
package import PrintModel

/// One IPP request.
///
/// attributes-charset and attributes-natural-language are added automatically as the first ones. The operation
/// attributes follow in the order given (RFC 8011 §4.1.4: the target first).
package struct Request: Sendable, Equatable {
  package var operation: Int
  package var operationAttributes: [Attribute]
  package var jobAttributes: [Attribute]
  /// Version 2.0, or 1.1 for printers that support nothing later.
  package var version: Version

  package enum Version: Sendable { case v1_1, v2_0 }

  package init(
    _ operation: Capabilities.Operation, operationAttributes: [Attribute],
    jobAttributes: [Attribute] = [], version: Version = .v2_0
  ) {
    self.operation = operation.rawValue
    self.operationAttributes = operationAttributes
    self.jobAttributes = jobAttributes
    self.version = version
  }

  /// The document's compression.
  var compression: String? {
    operationAttributes.first { $0.name == "compression" }?.values.first?.string
  }

  /// The operation's name: `Create-Job`.
  var name: String { Request.name(ofOperation: operation) }

  static func name(ofOperation code: Int) -> String {
    String(cString: ippOpString(ipp_op_t(rawValue: Int32(truncatingIfNeeded: code))))
  }
}

/// A printer's answer: its status and its groups of attributes.
package struct Response: Sendable, Equatable {
  package var status: Status
  /// status-message: the printer's own text.
  package var message: String?
  package var printer: AttributeSet
  /// One set per printer if a server lists its printers (Get-Printers); `printer` then contains all attributes.
  package var printers: [AttributeSet] = []
  /// One set per job (RFC 8011 §4.2.6.2).
  package var jobs: [AttributeSet]
  /// Attributes of the request that the printer did not accept.
  package var unsupported: AttributeSet

  package init(
    status: Status, message: String? = nil, printer: AttributeSet = AttributeSet(),
    jobs: [AttributeSet] = [], unsupported: AttributeSet = AttributeSet()
  ) {
    self.status = status
    self.message = message
    self.printer = printer
    self.jobs = jobs
    self.unsupported = unsupported
  }
}

extension Response {
  /// The printer's own message, else the status keyword, for the end of a sentence: without a full stop.
  package var words: String {
    (message ?? status.description).withoutFullStop
  }
}
