internal import FoundationEssentials
internal import IPP
internal import PrintModel
internal import Synchronization
internal import System

/// Several printers at one port, as in a printer application: an IPP System Service lists them (PWG 5100.22,
/// Get-Printers) and reports its own state (Get-System-Attributes), and each has a path of its own.
///
/// The printer that owns the port is also at its usual path.
package final class SystemService: Sendable {
  private static let resource = "/ipp/system"
  private static let operations = [
    Capabilities.Operation.getPrinters.rawValue, getSystemAttributes,
  ]
  private static let getSystemAttributes = 0x5B

  private let printers = Mutex<[Entry]>([])

  fileprivate struct Entry {
    /// printer-id, from 1.
    var id: Int
    var resource: String
    var printer: SimulatedPrinter
  }

  package init() {}

  /// Adds a printer, which is at `/ipp/print/NAME` from now on.
  package func add(_ printer: SimulatedPrinter, as name: String) {
    printers.withLock {
      $0.append(Entry(id: $0.count + 1, resource: "\(Identity.resource)/\(name)", printer: printer))
    }
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
    let names = request.operationAttributes.strings("requested-attributes")
    let all = printers.withLock { $0 }
    var response = Response(status: .ok)
    switch request.operation {
    case Capabilities.Operation.getPrinters.rawValue:
      let wanted = RequestedAttributes(names)
      let limit = request.operationAttributes.number("limit").map { max(0, $0) } ?? all.count
      response.printers = all.prefix(limit).map { entry in
        let own = entry.places(at: host) + entry.kind
        return AttributeSet(
          (own + entry.printer.attributes(host: host, resource: entry.resource))
            .filter { wanted.includes(printer: $0.name) })
      }
    case Self.getSystemAttributes:
      let isAll = names.isEmpty || !Set(names).isDisjoint(with: Self.groups)
      response.system = AttributeSet(
        attributes(of: all, at: host).filter { isAll || names.contains($0.name) })
    default:
      return Response(status: .operationNotSupported, message: "\(request.name) is not supported.")
    }
    return response
  }

  private static let groups = ["all", "system-description", "system-status"]

  /// The system's attributes (PWG 5100.22 §7.2, §7.3).
  private func attributes(of all: [Entry], at host: String) -> [Attribute] {
    let states = all.map { $0.printer.state.withLock { $0 } }
    // Stopped, unless one of them is processing or idle.
    let state =
      [.processing, .idle].first { one in states.contains { $0.printerState == one } } ?? .stopped
    let reasons = states.flatMap(\.reasons).filter { $0 != "none" }.unique
    let uuid = Identity(name: "System", location: "", port: 0).uuid
    let uptime = all.map(\.printer.uptime).max() ?? 1
    return Attribute.ofEveryObject + [
      Attribute("ipp-features-supported", .keyword("system-object")),
      Attribute("operations-supported", Self.operations.map { .enumeration($0) }),
      Attribute("multiple-document-printers-supported", .boolean(false)),
      Attribute("system-name", .name("airprint simulate")),
      Attribute("system-info", .text("airprint simulate")),
      Attribute("system-make-and-model", .text("airprint simulate")),
      Attribute("system-location", .text("")),
      Attribute("system-geo-location", .none),
      Attribute("system-uuid", .uri("urn:uuid:\(uuid)")),
      Attribute("system-default-printer-id", all.first.map { .integer($0.id) } ?? .none),
      Attribute("system-state", .enumeration(state.rawValue)),
      Attribute(
        "system-state-reasons",
        keywords: reasons.isEmpty ? ["none"] : reasons),
      Attribute("system-state-message", .text(state == .stopped ? "Stopped." : "Ready.")),
      Attribute("system-up-time", .integer(uptime)),
      Attribute("system-current-time", dateTime(.now)),
      Attribute("system-xri-supported", xris("\(host)\(Self.resource)")),
      Attribute("xri-authentication-supported", .keyword("none")),
      Attribute("xri-security-supported", .keyword("none"), .keyword("tls")),
      Attribute(
        "xri-uri-scheme-supported", .string(.uriScheme, "ipp"), .string(.uriScheme, "ipps")),
      Attribute(
        "system-configured-printers", zip(all, states).map { .collection($0.configured($1, host)) }
      ),
    ]
  }
}

extension SystemService.Entry {
  fileprivate var kind: [Attribute] {
    [Attribute("printer-id", .integer(id)), Attribute("printer-service-type", .keyword("print"))]
  }

  fileprivate func places(at host: String) -> [Attribute] {
    [Attribute("printer-xri-supported", xris("\(host)\(resource)"))]
  }

  /// A value of system-configured-printers (PWG 5100.22 §7.3.4).
  fileprivate func configured(
    _ state: SimulatedPrinter.State, _ host: String
  ) -> [Attribute] {
    kind + places(at: host) + [
      Attribute("printer-name", .name(printer.identity.name)),
      Attribute("printer-info", .text(printer.identity.name)),
      Attribute("printer-is-accepting-jobs", .boolean(!state.isShutDown)),
      Attribute("printer-state", .enumeration(state.printerState.rawValue)),
      Attribute("printer-state-reasons", keywords: state.reasons),
    ]
  }
}

/// The URIs of an object, with and without TLS.
private func xris(_ place: String) -> [Attribute.Value] {
  ["ipp": "none", "ipps": "tls"].sorted { $0.key < $1.key }.map { scheme, security in
    .collection([
      Attribute("xri-uri", .uri("\(scheme)://\(place)")),
      Attribute("xri-authentication", .keyword("none")),
      Attribute("xri-security", .keyword(security)),
    ])
  }
}

extension ReceivedRequest {
  /// The printer, job or system that the request is addressed to.
  fileprivate var target: PrinterURI? {
    let names = ["system-uri", "printer-uri", "job-uri"]
    return names.lazy.compactMap(operationAttributes.string).first.flatMap(PrinterURI.init)
  }
}
