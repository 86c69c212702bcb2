import AirprintContext
import DNSSD
import Discovery
import IPP
import PrintModel
import ForeignText

extension FuzzTarget {
  /// A service's name, host and TXT record, as DNS strings with a length byte each, up to the printers.toml where the
  /// printer is saved.
  static let record = FuzzTarget("record") { bytes in
    var strings = split(bytes)
    guard strings.count >= 2 else { return }
    let (instance, host) = (name(strings.removeFirst()), name(strings.removeFirst()))
    let service = Service(
      instance: instance, type: bytes[0] % 2 == 0 ? "_ipp._tcp" : "_ipps._tcp",
      interface: NetworkInterface(index: 2, name: "eth0"), transport: .ipv4)
    let details = ServiceDetails(
      host: host, port: 631, addresses: ["192.0.2.7", "fe80::1%eth0"],
      txt: strings.compactMap { TXTEntry($0) })
    var registry = ServiceRegistry()
    _ = registry.absorb(.appeared(service, asked: "_universal._sub._ipp._tcp"))
    for event in registry.absorb(.resolved(service, details)) {
      guard case .appeared(let printer) = event else { continue }
      check(printer)
      // TOMLKit leaks 10 KB per file.
      if bytes.count.isMultiple(of: 8) { save(printer) }
    }
    _ = registry.absorb(.vanished(service, asked: "_universal._sub._ipp._tcp"))
  }

  private static func check(_ printer: DiscoveredPrinter) {
    for endpoint in printer.endpoints {
      promise(
        endpoint.uri.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "a URI \(endpoint.uri)")
      promise(
        endpoint.uri.hasPrefix("ipp://") || endpoint.uri.hasPrefix("ipps://"), "\(endpoint.uri)")
      // The parsed URI never leads to anything but the service's own host.
      if let uri = IPP.PrinterURI(endpoint.uri) {
        promise(uri.port == 631 && uri.resource.utf8.first == 0x2F, "\(endpoint.uri)")
      }
    }
    promise(printer.formats.count <= 65, "formats")
    for text in [printer.name, printer.makeAndModel, printer.location].compactMap(\.self) {
      FuzzTarget.promiseClean(cleaned(text))
    }
  }

  /// Checks that the saved printer is the one that was picked.
  private static func save(_ printer: DiscoveredPrinter) {
    var saved = SavedPrinter(name: printer.name, uri: printer.uri)
    (saved.service, saved.uuid) = (printer.service, printer.uuid)
    (saved.makeAndModel, saved.location) = (printer.makeAndModel, printer.location)
    let places = Workplace.shared.places
    Workplace.shared.write("", to: "printers.toml")
    do {
      try PrinterStore.change(places) { [saved] in $0.save(saved) }
      let page = try PrinterStore(places).user
      promise(page.printers == [saved], "\(saved) was saved as \(page.printers)")
    } catch {
      promise(false, "\(saved): \(error)")
    }
  }

  /// Returns a name in the form of Avahi's C strings.
  private static func name(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  private static func split(_ bytes: [UInt8]) -> [[UInt8]] {
    var strings: [[UInt8]] = []
    var rest = bytes[...]
    while let length = rest.popFirst() {
      strings.append(Array(rest.prefix(Int(length))))
      rest = rest.dropFirst(Int(length))
    }
    return strings
  }
}
