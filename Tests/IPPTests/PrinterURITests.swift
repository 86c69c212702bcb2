import IPP
import Testing

@Suite struct PrinterURITests {
  @Test(arguments: [
    ("ipp://printer.local/ipp/print", "printer.local", 631, "/ipp/print"),
    ("ipp://printer.local:8631/ipp/print", "printer.local", 8631, "/ipp/print"),
    ("IPP://Printer.local/ipp", "Printer.local", 631, "/ipp"),
    // Without a path.
    ("ipp://printer", "printer", 631, "/"), ("ipp://printer:80", "printer", 80, "/"),
    ("ipp://printer/", "printer", 631, "/"),
    ("ipp://192.0.2.7/printers/Office%20A", "192.0.2.7", 631, "/printers/Office A"),
    ("ipp://h/a?b=c", "h", 631, "/a?b=c"),
    ("ipp://h:65535/", "h", 65_535, "/"), ("ipp://h:1/", "h", 1, "/"),
    // IPv6, with zones as in RFC 6874 and as CUPS writes them.
    ("ipp://[2001:db8::7]/ipp/print", "2001:db8::7", 631, "/ipp/print"),
    ("ipp://[2001:db8::7]:8631/", "2001:db8::7", 8631, "/"),
    ("ipp://[fe80::1%25eth0]/ipp/print", "fe80::1%eth0", 631, "/ipp/print"),
    ("ipp://[fe80::1%eth0]:8631/ipp/print", "fe80::1%eth0", 8631, "/ipp/print"),
    ("ipp://[v1.fe80::1+eth0]/ipp/print", "fe80::1%eth0", 631, "/ipp/print"),
    // UTF-8, encoded and as people type it.
    ("ipp://dr%C3%BCcker.local/ipp/print", "drücker.local", 631, "/ipp/print"),
    ("ipp://drücker.local/ipp/print", "drücker.local", 631, "/ipp/print"),
    ("ipp://h/drucker/Küche", "h", 631, "/drucker/Küche"),
  ])
  func `a URI has parts`(_ text: String, _ host: String, _ port: Int, _ resource: String) throws {
    let uri = try #require(PrinterURI(text))
    #expect(!uri.isSecure)
    #expect(uri.host == host)
    #expect(uri.port == port)
    #expect(uri.resource == resource)
    // The same URI is created from the parts.
    #expect(PrinterURI(uri.text) == uri, "\(uri.text)")
    #expect(uri.text.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "\(uri.text)")
  }

  @Test func `ipps is secure`() throws {
    let uri = try #require(PrinterURI("ipps://h/ipp/print"))
    #expect(uri.isSecure)
    #expect(uri.port == 631)
    #expect(uri.text.hasPrefix("ipps://h"))
  }

  /// A password would end up in logs; a scheme other than IPP's is a mistake.
  @Test(arguments: [
    "ipp://anna@h/ipp/print", "ipp://anna:secret@h/ipp/print", "ipps://:secret@h/",
    "ipp://%61nna@h/",
  ])
  func `user names and passwords are refused`(_ text: String) {
    #expect(PrinterURI(text) == nil)
  }

  @Test(arguments: [
    "", "ipp", "ipp:", "ipp:/", "ipp://", "ipp:///ipp/print", "//h/ipp/print", "h", "h/ipp/print",
    "/ipp/print", "http://h/", "https://h/", "usb://h/", "lpd://h/", "socket://h", "file:///x",
    "dnssd://Office._ipp._tcp.local/", "ipp://h:0/", "ipp://h:65536/", "ipp://h:-1/", "ipp://h:x/",
    "ipp://h:99999999999999/", "ipp://[2001:db8::7/", "ipp://[/", "ipp://h h/", "ipp://h\n/",
    "ipp://%00/", " ipp://h/", "ipp://h%zz/",
    // Line breaks, which would be in messages.
    "ipp://a%0APrinted/ipp/print", "ipp://a%E2%80%A8b/", "ipp://h/ipp%0Dprint",
    "ipp://\(String(repeating: "a", count: 5000))/",
    "ipp://h/\(String(repeating: "a", count: 5000))",
  ])
  func `what is not a printer's URI is none`(_ text: String) {
    #expect(PrinterURI(text) == nil, "\(String(describing: PrinterURI(text)))")
  }
}
