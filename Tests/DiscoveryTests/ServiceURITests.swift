import Testing

@testable import Discovery

@Suite struct ServiceURITests {
  @Test(arguments: [
    (true, "printer.local", 631, "ipp/print", "ipps://printer.local/ipp/print"),
    (false, "printer.local", 8631, "ipp/print", "ipp://printer.local:8631/ipp/print"),
    (true, "printer.local", 443, "ipp/print", "ipps://printer.local:443/ipp/print"),
    (false, "fd00::7", 631, "ipp/print", "ipp://[fd00::7]/ipp/print"),
    (false, "fe80::7%eth0", 80, "ipp/print", "ipp://[fe80::7%25eth0]:80/ipp/print"),
    (false, "Küche.local", 631, "ipp/print", "ipp://K%C3%BCche.local/ipp/print"),
    (false, "my printer.local", 631, "ipp", "ipp://my%20printer.local/ipp"),
    (false, "a/b@c.local", 631, "ipp", "ipp://a%2Fb%40c.local/ipp"),
    (false, "p.local", 631, "printers/A B#1?x", "ipp://p.local/printers/A%20B%231%3Fx"),
    (false, "p.local", 631, "printers/A%20B", "ipp://p.local/printers/A%20B"),
    (false, "p.local", 631, "100%", "ipp://p.local/100%25"),
    (false, "p.local", 631, "a%2", "ipp://p.local/a%252"),
  ])
  func `a URI is made of a host, a port and a path`(
    _ isSecure: Bool, _ host: String, _ port: Int, _ path: String, _ uri: String
  ) {
    #expect(AdvertisedURI.make(isSecure: isSecure, host: host, port: port, path: path) == uri)
  }

  @Test func `controls are encoded`() {
    let uri = AdvertisedURI.make(isSecure: true, host: "p\n.local", port: 631, path: "a\u{1B}[0m\0")
    #expect(uri == "ipps://p%0A.local/a%1B%5B0m%00")
  }
}
