internal import Logging
internal import PrintModel

/// Printers that insist on their own printer-uri (RFC 8011 §5.4.1; OpenPrinting/cups#203).
extension Connection {
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
      guard response.status == .notFound else {
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
