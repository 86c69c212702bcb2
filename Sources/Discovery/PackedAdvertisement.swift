import DNSSD
import PrintModel

/// An advertisement without its service, in one array of bytes: thousands are kept while a list is open.
struct PackedAdvertisement: Equatable {
  private let bytes: [UInt8]

  init(_ advertisement: Advertisement) {
    var writer = FieldWriter()
    writer.write(advertisement.host)
    writer.write(advertisement.port)
    writer.write(advertisement.addresses)
    writer.write(advertisement.isUniversal)
    writer.write(advertisement.isUSB)
    let facts = advertisement.facts
    writer.write(facts.path)
    writer.write(facts.priority)
    for text in [facts.uuid, facts.makeAndModel, facts.location, facts.authentication] {
      writer.write(text)
    }
    writer.write(facts.types.sorted().map(\.rawValue))
    writer.write(facts.formats)
    for flag in [facts.isColor, facts.isDuplex] { writer.write(flag) }
    for flag in [facts.typesAreStated, facts.hasURF, facts.isShared, facts.isUSB] {
      writer.write(flag)
    }
    bytes = writer.bytes
  }

  func advertisement(of service: Service) -> Advertisement {
    var reader = FieldReader(bytes)
    let (host, port, addresses) = (reader.text() ?? "", reader.number(), reader.list())
    let (isUniversal, isUSB) = (reader.flag() == true, reader.flag() == true)
    var facts = PrinterTXTRecord()
    facts.path = reader.text() ?? ""
    facts.priority = reader.number()
    facts.uuid = reader.text()
    facts.makeAndModel = reader.text()
    facts.location = reader.text()
    facts.authentication = reader.text()
    facts.types = Set(reader.list().compactMap(JobType.init))
    facts.formats = reader.list()
    (facts.isColor, facts.isDuplex) = (reader.flag(), reader.flag())
    facts.typesAreStated = reader.flag() == true
    facts.hasURF = reader.flag() == true
    facts.isShared = reader.flag() == true
    facts.isUSB = reader.flag() == true
    return Advertisement(
      service, host: host, port: port, addresses: addresses, facts, isUniversal: isUniversal,
      isUSB: isUSB)
  }
}

/// Texts with their lengths, numbers of 16 bits, and flags, one after the other.
private struct FieldWriter {
  private(set) var bytes: [UInt8] = []

  mutating func write(_ number: Int) {
    bytes += [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
  }

  /// Writes at most 65,534 bytes of a text; a record's values and names are far shorter.
  mutating func write(_ text: String?) {
    guard let text else { return write(Int(UInt16.max)) }
    let octets = text.utf8.prefix(Int(UInt16.max) - 1)
    write(octets.count)
    bytes += octets
  }

  mutating func write(_ texts: [String]) {
    let texts = texts.prefix(Int(UInt16.max))
    write(texts.count)
    for text in texts { write(text) }
  }

  mutating func write(_ flag: Bool?) { bytes.append(flag.map { $0 ? 2 : 1 } ?? 0) }
}

/// Reads what `FieldWriter` wrote, in the same order.
private struct FieldReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  private mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  mutating func number() -> Int { Int(byte()) << 8 | Int(byte()) }

  mutating func text() -> String? {
    let count = number()
    guard count < Int(UInt16.max) else { return nil }
    defer { rest = rest.dropFirst(count) }
    return String(decoding: rest.prefix(count), as: UTF8.self)
  }

  mutating func list() -> [String] { (0..<number()).compactMap { _ in text() } }

  mutating func flag() -> Bool? {
    let byte = byte()
    return byte == 0 ? nil : byte == 2
  }
}
