extension DNSMessage {
  /// Octets of records in one packet of a query, not counting its questions.
  private static let longestKnown = 1_200

  /// Makes multicast DNS queries with known answers, so that responders do not send them again.
  ///
  /// Returns as many messages as that takes (RFC 6762 §7.1, §7.2).
  static func queries(_ questions: [DNSQuestion], knowing known: [DNSRecord]) -> [DNSMessage] {
    var messages = [DNSMessage(questions: questions)]
    var size = 0
    for record in known {
      let length = record.name.octets.count + 10 + (record.data.octets?.count ?? 0)
      if size + length > longestKnown {
        // TC: more known answers follow.
        messages[messages.count - 1].flags |= 0x0200
        messages.append(DNSMessage())
        size = 0
      }
      size += length
      messages[messages.count - 1].answers.append(record)
    }
    return messages
  }

  /// The message as it is sent, uncompressed; nil if it is too long for one message.
  package var bytes: [UInt8]? {
    let sections = [answers, authorities, additionals]
    guard ([questions.count] + sections.map(\.count)).allSatisfy({ $0 <= UInt16.max }) else {
      return nil
    }
    var bytes = octets(id) + octets(flags) + octets(UInt16(questions.count))
    for section in sections { bytes += octets(UInt16(section.count)) }
    for question in questions {
      bytes += question.name.octets + octets(question.type) + octets(question.classField)
    }
    for record in sections.joined() {
      guard let data = record.data.octets, data.count <= UInt16.max else { return nil }
      bytes += record.name.octets + octets(record.type) + octets(record.classField)
      bytes += octets(UInt16(record.timeToLive >> 16)) + octets(UInt16(record.timeToLive & 0xFFFF))
      bytes += octets(UInt16(data.count)) + data
      guard bytes.count <= DNSMessage.longest else { return nil }
    }
    return bytes.count <= DNSMessage.longest ? bytes : nil
  }
}

/// Returns a number as it is sent.
func octets(_ number: UInt16) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }

extension DNSRecord.Content {
  /// The record's data as sent; nil for a TXT string of more than 255 octets.
  var octets: [UInt8]? {
    switch self {
    case .pointer(let name), .alias(let name): name.octets
    case .service(let priority, let weight, let port, let target):
      [priority, weight, port].flatMap(DNSSD.octets) + target.octets
    case .text(let strings):
      strings.allSatisfy { $0.count <= 255 }
        ? strings.flatMap { [UInt8($0.count)] + $0 } : nil
    case .address(let octets), .other(let octets): octets
    }
  }
}
