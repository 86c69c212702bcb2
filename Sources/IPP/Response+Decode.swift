internal import CCups
internal import Logging
internal import PrintModel

extension Response {
  /// Takes an answer's status and groups from a message.
  init(_ message: ReceivedMessage) {
    let operation = message.set(IPP_TAG_OPERATION)
    self.init(
      status: Status(rawValue: message.code),
      message: operation["status-message"]?.values.first?.string,
      printer: message.set(IPP_TAG_PRINTER), jobs: message.sets(IPP_TAG_JOB),
      unsupported: message.set(IPP_TAG_UNSUPPORTED_GROUP))
    printers = message.sets(IPP_TAG_PRINTER)
    // Some printers state it there, although RFC 8011 §4.2.1.2 has a group for it (ippserver 0.2).
    if jobs.isEmpty, operation["job-id"] != nil {
      jobs = [AttributeSet(operation.all.filter { $0.name.hasPrefix("job-") })]
    }
    if !message.omissions.isEmpty {
      log.debug(
        "left out of the answer, in which they are invalid: \(message.omissions.joined(separator: ", "))"
      )
    }
  }

  /// Decodes an answer that was recorded from its first byte as sent; nil for invalid bytes.
  package init?(recorded bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    guard let message = try? ReceivedMessage(from: &reader) else { return nil }
    self.init(message)
  }
}
