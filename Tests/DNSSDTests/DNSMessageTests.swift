@testable import DNSSD
import Testing

/// Valid and malicious DNS messages.
@Suite struct DNSMessageTests {
  private let name = DomainName("Office._ipp._tcp.example.com")

  @Test func `what is written is read again`() throws {
    let name = try #require(name)
    let host = try #require(DomainName("Büro-4.example.com."))
    var message = DNSMessage()
    message.id = 0x1234
    message.flags = 0x8400
    message.questions = [DNSQuestion(name, DNSType.text, wantsUnicast: true)]
    message.answers = [
      DNSRecord(
        name, DNSType.text, timeToLive: 4500, data: .text([Array("rp=ipp/print".utf8), []])),
      DNSRecord(
        name, DNSType.service, classField: 0x8001, timeToLive: 120,
        data: .service(priority: 1, weight: 2, port: 631, target: host)),
    ]
    message.authorities = [
      DNSRecord(host, DNSType.alias, timeToLive: 1, data: .alias(name))
    ]
    message.additionals = [
      DNSRecord(host, DNSType.a, timeToLive: .max, data: .address([192, 0, 2, 7])),
      DNSRecord(host, DNSType.aaaa, timeToLive: 0, data: .address(Array(repeating: 1, count: 16))),
      DNSRecord(host, 257, timeToLive: 9, data: .other([1, 2, 3])),
    ]
    #expect(DNSMessage(try #require(message.bytes)) == message)
  }

  @Test(arguments: [
    ("example.com", ["example", "com"]), ("example.com.", ["example", "com"]), ("local", ["local"]),
    ("a..b", nil), ("", nil), (".", nil), (".com", nil),
    (String(repeating: "a", count: 64), nil),
    (String(repeating: "a23456789.", count: 26), nil),
  ])
  func `a name is read as a person writes it`(_ text: String, _ labels: [String]?) {
    #expect(DomainName(text)?.labels == labels?.map { Array($0.utf8) })
  }

  @Test func `names are equal whatever the case of their ASCII letters`() {
    #expect(DomainName("Print.Example.COM") == DomainName("print.example.com"))
    #expect(DomainName("Ä.example") != DomainName("ä.example"))
    #expect(DomainName(labels: [[1], [2]]) != DomainName(labels: [[1, 1, 2]]))
  }

  // MARK: Bad messages

  /// Creates a message with these counts in its header, followed by `rest`.
  private func message(_ counts: [UInt8], _ rest: [UInt8]) -> DNSMessage? {
    DNSMessage([0, 1, 0x84, 0] + counts.flatMap { [0, $0] } + rest)
  }

  @Test(
    arguments: [
      [0xC0, 12],  // to itself
      [0xC0, 14, 0xC0, 12],  // forward, and back
      [1, 0x61, 0xC0, 12],  // round, longer each time
      [0xC0, 0xFF], [0xFF, 0xFF],  // behind the end
      [0x40, 0x61], [0x80, 0x61],  // kinds of labels that there are not
      [5, 0x61], [63], [], [0xC0],  // cut off
    ] as [[UInt8]])
  func `a name that leads nowhere makes no message`(_ name: [UInt8]) {
    #expect(message([1, 0, 0, 0], name + [0, 12, 0, 1]) == nil)
    #expect(message([0, 1, 0, 0], name + [0, 12, 0, 1, 0, 0, 0, 0, 0, 0]) == nil)
  }

  @Test func `a name of more than 255 octets makes no message`() {
    let label: [UInt8] = [63] + Array(repeating: 0x61, count: 63)
    func question(_ name: [UInt8]) -> DNSMessage? {
      message([1, 0, 0, 0], name + [0, 0, 12, 0, 1])
    }
    let longest = label + label + label + [61] + Array(repeating: 0x61, count: 61)
    #expect(question(longest)?.questions.first?.name.labels.count == 4)
    #expect(question(label + label + label + [62] + Array(repeating: 0x61, count: 62)) == nil)
    #expect(question(label + label + label + label) == nil)
    // Also for names of short pieces that point to each other, in the data of an unknown record, from octet 23.
    func chain(_ count: Int) -> DNSMessage? {
      var pieces: [UInt8] = [1, 0x61, 0]
      var last = 23
      for _ in 1..<count {
        let next = 23 + pieces.count
        pieces += [1, 0x61, 0xC0 | UInt8(last >> 8), UInt8(last & 0xFF)]
        last = next
      }
      let data = [UInt8(pieces.count >> 8), UInt8(pieces.count & 0xFF)] + pieces
      let reference = [0xC0 | UInt8(last >> 8), UInt8(last & 0xFF)]
      return message(
        [0, 2, 0, 0],
        [0, 0, 99, 0, 1, 0, 0, 0, 0] + data + reference + [0, 99, 0, 1, 0, 0, 0, 0, 0, 0])
    }
    #expect(chain(127)?.answers.last?.name.labels.count == 127)
    #expect(chain(128) == nil)
  }

  /// Pointers to pointers add no octets to a name, but take as long as labels.
  @Test func `a name that is led on more than 128 times makes no message`() {
    func led(_ count: Int) -> DNSMessage? {
      var pieces: [UInt8] = [0]
      var last = 23
      for _ in 1..<count {
        let next = 23 + pieces.count
        pieces += [0xC0 | UInt8(last >> 8), UInt8(last & 0xFF)]
        last = next
      }
      let data = [UInt8(pieces.count >> 8), UInt8(pieces.count & 0xFF)] + pieces
      let reference = [0xC0 | UInt8(last >> 8), UInt8(last & 0xFF)]
      return message(
        [0, 2, 0, 0],
        [0, 0, 99, 0, 1, 0, 0, 0, 0] + data + reference + [0, 99, 0, 1, 0, 0, 0, 0, 0, 0])
    }
    #expect(led(128)?.answers.last?.name.labels == [])
    #expect(led(129) == nil)
  }

  @Test func `a message that ends before what it announces is none`() throws {
    let name = try #require(name)
    var whole = DNSMessage()
    whole.answers = [
      DNSRecord(name, DNSType.pointer, timeToLive: 1, data: .pointer(name)),
      DNSRecord(name, DNSType.text, timeToLive: 1, data: .text([[1, 2, 3]])),
    ]
    let bytes = try #require(whole.bytes)
    for count in bytes.indices { #expect(DNSMessage(Array(bytes.prefix(count))) == nil) }
    var lying = bytes
    lying[7] = 3
    #expect(DNSMessage(lying) == nil)
    lying[7] = 1
    #expect(DNSMessage(lying)?.answers == [whole.answers[0]])
    #expect(DNSMessage([UInt8](repeating: 0xFF, count: 65_535)) == nil)
    #expect(DNSMessage(bytes + [UInt8](repeating: 0, count: 65_536)) == nil)
  }

  /// A TYPE and the data of a record, which is kept unparsed if it is not valid for the type.
  @Test(
    arguments: [
      (DNSType.a, [1, 2, 3]), (DNSType.a, [1, 2, 3, 4, 5]), (DNSType.aaaa, [1, 2, 3, 4]),
      (DNSType.text, [4, 0x61]), (DNSType.pointer, [1, 0x61]), (DNSType.pointer, [0, 0]),
      (DNSType.service, [0, 0, 0, 0, 0]), (DNSType.service, [0, 0, 0, 0, 2, 119]),
      (DNSType.pointer, [0xC0, 0xFF]), (99, [7]),
    ] as [(UInt16, [UInt8])])
  func `data that lie about their length are kept unread`(_ type: UInt16, _ data: [UInt8]) {
    let record = [0, 0, UInt8(type), 0, 1, 0, 0, 0, 0, 0, UInt8(data.count)] + data
    let good: [UInt8] = [0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 192, 0, 2, 7]
    let read = message([0, 2, 0, 0], record + good)
    #expect(read?.answers.map(\.data) == [.other(data), .address([192, 0, 2, 7])])
  }

  @Test func `a TXT record fills the message, and one string more does not fit`() throws {
    let name = try #require(name)
    let room = 65_535 - 12 - 30 - 10
    var strings = Array(
      repeating: [UInt8](repeating: 0x61, count: 255), count: room / 256)
    strings.append([UInt8](repeating: 0x62, count: room % 256 - 1))
    var message = DNSMessage()
    message.answers = [DNSRecord(name, DNSType.text, timeToLive: 1, data: .text(strings))]
    let bytes = try #require(message.bytes)
    #expect(bytes.count == 65_535)
    #expect(DNSMessage(bytes) == message)
    message.answers[0].data = .text(strings + [[]])
    #expect(message.bytes == nil)
    message.answers[0].data = .text([[UInt8](repeating: 0, count: 256)])
    #expect(message.bytes == nil)
  }

  // MARK: Answers

  @Test func `aliases are followed, not in circles`() throws {
    let names = try ["a.example", "b.example", "c.example"].map { try #require(DomainName($0)) }
    func alias(_ from: Int, _ to: Int) -> DNSRecord {
      DNSRecord(names[from], DNSType.alias, timeToLive: 1, data: .alias(names[to]))
    }
    let address = DNSRecord(names[2], DNSType.a, timeToLive: 1, data: .address([192, 0, 2, 7]))
    var message = DNSMessage()
    message.answers = [address, alias(1, 2), alias(0, 1)]
    #expect(message.answers(of: DNSType.a, for: names[0]).records == [address])
    message.answers = [alias(0, 1)]
    #expect(message.answers(of: DNSType.a, for: names[0]).name == names[1])
    message.answers = [alias(0, 1), alias(1, 0), address]
    #expect(message.answers(of: DNSType.a, for: names[0]).records.isEmpty)
  }

  @Test func `what was not asked for does not count`() throws {
    let name = try #require(name)
    let other = try #require(DomainName("bank.example"))
    var message = DNSMessage()
    let stranger = DNSRecord(other, DNSType.a, timeToLive: 1, data: .address([192, 0, 2, 66]))
    message.answers = [
      stranger,
      DNSRecord(name, DNSType.a, classField: 3, timeToLive: 1, data: .address([192, 0, 2, 66])),
    ]
    message.additionals = [
      DNSRecord(name, DNSType.a, timeToLive: 1, data: .address([192, 0, 2, 66]))
    ]
    #expect(message.answers(of: DNSType.a, for: name).records.isEmpty)
  }
}
