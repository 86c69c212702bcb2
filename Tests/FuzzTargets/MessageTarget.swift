import DNSSD

extension FuzzTarget {
  /// A DNS message, from a server or any host on the link.
  static let message = FuzzTarget("message") { bytes in
    guard let message = DNSMessage(bytes) else { return }
    let records = message.answers + message.authorities + message.additionals
    promise(12 + 11 * records.count <= bytes.count, "more records than there is room for")
    for name in records.map(\.name) + message.questions.map(\.name) {
      check(name)
      let found = message.answers(of: DNSType.pointer, for: name)
      promise(found.records.allSatisfy { $0.name == found.name }, "another name's records")
    }
    for record in records {
      switch record.data {
      case .pointer(let name), .alias(let name), .service(_, _, _, let name): check(name)
      case .text(let strings):
        promise(strings.allSatisfy { $0.count <= 255 }, "a TXT string's length")
      case .address(let octets): promise([4, 16].contains(octets.count), "an address' length")
      case .other(let octets): promise(octets.count <= 65_535, "data's length")
      }
    }
    // A message that was parsed completely is written back unchanged.
    let isUnderstood = records.allSatisfy { if case .other = $0.data { false } else { true } }
    guard isUnderstood, let written = message.bytes else { return }
    promise(DNSMessage(written) == message, "it is written as another message")
  }

  private static func check(_ name: DomainName) {
    promise(name.labels.allSatisfy { (1...63).contains($0.count) }, "a label's length")
    promise(name.labels.reduce(1) { $0 + $1.count + 1 } <= 255, "a name's length")
  }
}
