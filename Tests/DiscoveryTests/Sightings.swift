import DNSSD

/// Creates a sighting in compact form, for tables.
func sighting(
  _ instance: String, _ type: String = "_ipps._tcp", domain: String = "local",
  on interface: String = "eth0", _ transport: Service.Transport = .ipv4,
  host: String = "printer.local", port: Int = 631, at addresses: [String] = ["192.0.2.7"],
  txt: [String] = ["pdl=image/urf", "URF=W8"], isLocal: Bool = false
) -> (Service, ServiceDetails) {
  let index = ["lo": 1, "eth0": 2, "wlan0": 3, "": -1][interface] ?? 9
  let service = Service(
    instance: instance, type: type, domain: domain,
    interface: NetworkInterface(index: index, name: interface), transport: transport)
  let details = ServiceDetails(
    host: host, port: port, addresses: addresses, txt: entries(txt), isLocal: isLocal)
  return (service, details)
}

func entries(_ strings: [String]) -> [TXTEntry] {
  strings.compactMap { TXTEntry(Array($0.utf8)) }
}
