import Testing

@testable import DNSSD

/// Addresses that the network may send a program to.
@Suite struct NetworkAddressTests {
  @Test(arguments: [
    "192.0.2.7", "10.0.0.1", "169.254.1.1", "223.255.255.254", "2001:db8::7", "fe80::7%eth0",
    "fd00::7",
    "64:ff9b::192.0.2.7", "2002:c000:207::1",
  ])
  func `a printer can be at`(_ text: String) {
    #expect(NetworkAddress(text)?.isUsable(isHere: false) == true)
    #expect(NetworkAddress(text)?.isUsable(isHere: true) == true)
  }

  @Test(arguments: ["127.0.0.1", "127.255.0.9", "::1"])
  func `only this machine itself announces`(_ text: String) {
    #expect(NetworkAddress(text)?.isUsable(isHere: false) == false)
    #expect(NetworkAddress(text)?.isUsable(isHere: true) == true)
  }

  /// The kernel treats some of these as IPv4's loopback, or as this host.
  @Test(arguments: [
    "0.0.0.0", "0.1.2.3", "224.0.0.251", "255.255.255.255", "::", "ff02::fb", "::ffff:127.0.0.1",
    "::ffff:0.0.0.0", "::ffff:192.0.2.7", "::127.0.0.1", "::0.0.0.2", "::192.0.2.7",
    "::ffff:0:127.0.0.1",
    "64:ff9b::127.0.0.1", "64:ff9b::0.0.0.0", "64:ff9b:1::127.0.0.1", "2002:7f00:1::1", "2002::1",
    "2002:e000:fb::1", "::ffff:127.0.0.1%eth0",
  ])
  func `nobody is at`(_ text: String) {
    #expect(NetworkAddress(text)?.isUsable(isHere: false) == false)
    #expect(NetworkAddress(text)?.isUsable(isHere: true) == false)
  }

  @Test(arguments: ["", "printer.local", "1.2.3", "1.2.3.4.5", "::g", "127.0.0.1 "])
  func `no address`(_ text: String) { #expect(NetworkAddress(text) == nil) }
}
