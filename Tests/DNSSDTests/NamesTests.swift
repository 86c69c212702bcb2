import Testing

@testable import DNSSD

@Suite struct NamesTests {
  @Test(arguments: [
    ("printer.local", "printer.local"),
    ("printer.local.", "printer.local"),
    (#"K\195\188che.local"#, "Küche.local"),
    (#"my\032printer.local"#, "my printer.local"),
    (#"a\.b.local"#, "a.b.local"),
    ("", ""),
    // A name that can't be parsed stays unchanged.
    (#"a\9.local"#, #"a\9.local"#),
  ])
  func `a host name is unescaped`(_ escaped: String, _ plain: String) {
    #expect(plainName(escaped) == plain)
  }

  @Test func `addresses stand in the order in which to try them`() {
    let addresses: Set<[UInt8]> = [
      [0xFE, 0x80] + Array(repeating: 0, count: 13) + [1],
      [0x20, 0x01, 0x0D, 0xB8] + Array(repeating: 0, count: 11) + [7],
      [169, 254, 1, 1], [192, 0, 2, 10], [192, 0, 2, 9],
    ]
    #expect(
      numericAddresses(addresses, zone: "eth0") == [
        "192.0.2.9", "192.0.2.10", "2001:db8::7", "169.254.1.1", "fe80::1%eth0",
      ])
  }

  @Test(
    arguments: [
      ("key=value", "key", Array("value".utf8)), ("key=", "key", []), ("key", "key", nil),
      ("key=a=b", "key", Array("a=b".utf8)),
    ] as [(String, String, [UInt8]?)])
  func `a TXT string is a key and perhaps a value`(
    _ string: String, _ key: String, _ value: [UInt8]?
  ) {
    #expect(TXTEntry(Array(string.utf8)) == TXTEntry(key: key, value: value))
  }

  @Test(arguments: ["", "=", "=value"])
  func `a TXT string without a key is none`(_ string: String) {
    #expect(TXTEntry(Array(string.utf8)) == nil)
  }
}
