internal import AirprintContext
internal import DNSSD
internal import Glibc
internal import IPP
internal import PrintModel
internal import Synchronization
internal import System

/// The printers that ipp-usb serves on this machine: without Avahi, it can't announce them.
///
/// It listens at a port for each (from 60000 on: http-min-port in ipp-usb.conf), and rejects clients that are not on
/// loopback. Its control socket states the ports only since version 0.9.29, so they come from the kernel: those that
/// belong to the owner of that socket, so that no other user can pretend to be a printer.
final class USBPrinters: Sendable {
  private static let socket = "/var/ipp-usb/ctrl"
  /// Number of ports that are asked.
  private static let most = 16

  private let context: Context
  /// What each port has answered, until nobody listens there any more.
  private let answers = Mutex<[Int: AttributeSet]>([:])

  /// The user that ipp-usb runs as; root if it does not run.
  static var owner: UInt32 { FileStatus(socket)?.st_uid ?? 0 }

  /// Makes it; nil where ipp-usb does not run.
  init?(_ context: Context) {
    guard let status = FileStatus(Self.socket), status.kind == S_IFSOCK else { return nil }
    self.context = context
  }

  /// The printers that answer now, as the services that ipp-usb announces to Avahi.
  func services() async -> [Service: ServiceDetails] {
    let ports = listeningUsers().filter {
      $0.key >= Security.firstUSBPort && $0.value == [Self.owner]
    }
    .keys.sorted().prefix(Self.most)
    let known = answers.withLock { $0.filter { ports.contains($0.key) } }
    let new = await withTaskGroup(of: (Int, AttributeSet?).self) { group in
      for port in ports where known[port] == nil {
        group.addTask { (port, await onThread { self.ask(port) }) }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    let all = known.merging(new) { $1 }
    answers.withLock { $0 = all }
    return services(all)
  }

  private func ask(_ port: Int) -> AttributeSet? {
    guard let uri = PrinterURI("ipp://localhost:\(port)/ipp/print"),
      let connection = try? connect(toCandidate: uri, context, Cancellation())
    else { return nil }
    return try? connection.exchange(
      .getPrinterAttributes(Self.wanted, of: uri, user: context.user)
    ).printers.first
  }

  private static let wanted = [
    "printer-dns-sd-name", "printer-info", "printer-make-and-model", "printer-location",
    "printer-uuid", "printer-kind", "document-format-supported", "urf-supported",
    "color-supported", "sides-supported",
  ]

  /// Services with ipp-usb's own names: two of one name are `Name (USB)` and `Name (USB 2)`.
  private func services(_ answers: [Int: AttributeSet]) -> [Service: ServiceDetails] {
    var services: [Service: ServiceDetails] = [:]
    for (port, attributes) in answers.sorted(by: { $0.key < $1.key }) {
      let names = ["printer-dns-sd-name", "printer-make-and-model", "printer-info"]
      let name = names.lazy.compactMap { attributes.string($0) }.first { !$0.isEmpty } ?? "Printer"
      func service(_ number: Int) -> Service {
        Service(
          instance: "\(name) (USB\(number > 1 ? " \(number)" : ""))", type: "_ipp._tcp",
          interface: NetworkInterface(index: Int(if_nametoindex("lo")), name: "lo"),
          transport: .ipv4)
      }
      let free = (1...Self.most).lazy.map(service).first { services[$0] == nil }
      services[free ?? service(1)] = ServiceDetails(
        host: "localhost", port: port, addresses: ["127.0.0.1"], txt: attributes.record,
        isLocal: true)
    }
    return services
  }
}

extension AttributeSet {
  /// The facts of a TXT record (Bonjour Printing Specification) that discovery uses.
  fileprivate var record: [TXTEntry] {
    let sides = strings("sides-supported")
    let facts: [(String, [String])] = [
      ("rp", ["ipp/print"]), ("ty", strings("printer-make-and-model")),
      ("note", strings("printer-location")),
      ("UUID", strings("printer-uuid").compactMap(PrinterUUID.normalized)),
      ("kind", strings("printer-kind")), ("pdl", strings("document-format-supported")),
      ("URF", strings("urf-supported")),
      ("Color", boolean("color-supported").map { [$0 ? "T" : "F"] } ?? []),
      ("Duplex", sides.isEmpty ? [] : [sides.contains { $0.hasPrefix("two") } ? "T" : "F"]),
    ]
    return facts.filter { !$0.1.isEmpty }.map {
      TXTEntry(key: $0.0, value: Array($0.1.joined(separator: ",").utf8))
    }
  }
}
