internal import IPP
internal import PrintModel
internal import Synchronization

/// Several printers at one port, as in a printer application: an IPP System Service lists them (PWG 5100.22,
/// Get-Printers), and each has a path of its own.
///
/// The printer that owns the port is also at its usual path.
package final class SystemService: Sendable {
  private static let resource = "/ipp/system"

  private let printers = Mutex<[(resource: String, printer: SimulatedPrinter)]>([])

  package init() {}

  /// Adds a printer, which is at `/ipp/print/NAME` from now on.
  package func add(_ printer: SimulatedPrinter, as name: String) {
    printers.withLock { $0.append(("\(Identity.resource)/\(name)", printer)) }
  }

  /// The listed printer that a request names; nil for any other.
  func printer(for request: ReceivedRequest) -> SimulatedPrinter? {
    guard let resource = request.target?.resource else { return nil }
    return printers.withLock { all in
      all.first { resource == $0.resource || resource.hasPrefix("\($0.resource)/") }?.printer
    }
  }

  /// The response to a request to the system; nil for one to a printer.
  ///
  /// - `host`: as the client addresses it.
  func answer(_ request: ReceivedRequest, host: String) -> Response? {
    guard request.target?.resource == Self.resource else { return nil }
    guard request.operation == Capabilities.Operation.getPrinters.rawValue else {
      return Response(status: .operationNotSupported, message: "\(request.name) is not supported.")
    }
    let wanted = RequestedAttributes(request.operationAttributes.strings("requested-attributes"))
    var response = Response(status: .ok)
    response.printers = printers.withLock { $0 }.map { resource, printer in
      AttributeSet(
        printer.attributes(host: host, resource: resource)
          .filter { wanted.includes(printer: $0.name) })
    }
    return response
  }
}

extension ReceivedRequest {
  /// The printer, job or system that the request is addressed to.
  fileprivate var target: PrinterURI? {
    let names = ["system-uri", "printer-uri", "job-uri"]
    return names.lazy.compactMap(operationAttributes.string).first.flatMap(PrinterURI.init)
  }
}
