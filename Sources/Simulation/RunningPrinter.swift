package import DNSSD
internal import FoundationEssentials
package import IPP
package import PrintModel
internal import Synchronization
internal import System

/// A simulated printer that is running: listening, listed on the network if Avahi runs, and printing.
package final class RunningPrinter: Sendable {
  package let printer: SimulatedPrinter
  /// Address of the printer for clients on this machine.
  package let uri: String
  private let listener: Listener
  private let publication: Result<Publication, DNSSDError>

  /// Starts a printer.
  ///
  /// - `system`: other printers that are served at its port.
  ///
  /// Throws exit 69 when its port is in use.
  package init(
    _ profile: Profile, name: String, location: String, password: String?, port: Int,
    reach: Listener.Reach, system: SystemService? = nil, _ options: SimulatedPrinter.Options,
    tell: @escaping @Sendable (PrinterEvent) -> Void
  ) throws(Failure) {
    let listener = try Listener(port: port, reach: reach)
    self.listener = listener
    let identity = Identity(name: name, location: location, port: listener.port, password: password)
    let printer = SimulatedPrinter(profile, identity, options, tell: tell)
    self.printer = printer
    uri = "ipp://localhost:\(listener.port)\(Identity.resource)"
    detachThread { printer.run() }
    detachThread {
      listener.run { connection in
        connection.certificateName = printer.certificateNames.last
        printer.serve(connection, of: system)
      }
    }
    publication = Result { () throws(DNSSDError) in
      try Publication(
        name, types: ["_ipps._tcp", "_ipp._tcp"], subtypes: ["_print", "_universal"],
        port: listener.port, text: printer.text, onLoopback: reach == .loopback)
    }
  }

  /// Waits until the printer is listed, and returns its listed name; the failure contains the reason if it is not.
  package func listedName() throws(DNSSDError) -> String { try publication.get().awaitName() }

  /// Withdraws its announcement, and ends all jobs and connections.
  package func stop() {
    if case .success(let publication) = publication { publication.withdraw() }
    printer.shutDown()
    listener.stop()
  }
}

extension SimulatedPrinter {
  /// Its DNS-SD record, as AirPrint and CUPS expect it (Bonjour Printing Specification 1.2.1).
  fileprivate var text: [String] {
    let formats = ["application/octet-stream"] + profile.formats
    return [
      "txtvers=1", "qtotal=1", "rp=ipp/print", "ty=\(profile.makeAndModel)",
      "product=(\(profile.makeAndModel))", "adminurl=http://localhost:\(identity.port)/",
      "note=\(identity.location)", "priority=50", "pdl=\(formats.joined(separator: ","))",
      "UUID=\(identity.uuid)", "TLS=1.2", "URF=\(profile.urf.joined(separator: ","))",
      "Color=\(profile.isColor ? "T" : "F")", "Duplex=\(profile.sheetBack == nil ? "F" : "T")",
      "Copies=T", "Scan=F", "Fax=F",
      "kind=\(profile.kinds.map(\.rawValue).joined(separator: ","))",
      "PaperMax=\(largestPaper)",
      "air=\(identity.password == nil ? "none" : "username,password")",
    ].map { String(decoding: $0.utf8.prefix(255), as: UTF8.self) }
  }

  /// PaperMax for the widest paper (as in PAPPL and CUPS).
  private var largestPaper: String {
    switch profile.papers.map(\.size.width).max() ?? 0 {
    case ..<21_000: "<legal-A4"
    case ..<29_700: "legal-A4"
    case ..<42_000: "tabloid-A3"
    case ..<59_400: "isoC-A2"
    default: ">isoC-A2"
    }
  }
}

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
      return Response(.operationNotSupported, "\(request.name) is not supported.")
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

/// The identity of a simulated printer; everything else is in its profile.
package struct Identity: Sendable {
  /// Name on the network and in messages: `Sim Laser`.
  package var name: String
  package var location: String
  package var port: Int
  /// If set, clients must send name and password before a job is accepted.
  package var password: String?

  /// A UUID derived from this machine and the printer's name, so that a saved printer is found again when it is
  /// simulated again.
  package var uuid: String {
    let host = (try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8)) ?? "localhost"
    var bytes = ["airprint", "simulate"].flatMap { part in
      withUnsafeBytes(of: fingerprint("\(part)/\(host)/\(name)").bigEndian, Array.init)
    }
    // RFC 9562 §5.8: version 8, with custom contents.
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }.uuidString
      .lowercased()
  }

  /// FNV-1a, 64 bits: unlike Swift's own hashes, it does not change between runs.
  private func fingerprint(_ text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  static let resource = "/ipp/print"
}

/// A time as RFC 2579's DateAndTime, in UTC.
func dateTime(_ moment: Date) -> Attribute.Value {
  .dateTime(UTCTime(seconds: Int(moment.timeIntervalSince1970.rounded(.down))).octets)
}
