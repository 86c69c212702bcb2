internal import FoundationEssentials
internal import PrintModel

/// The identity of a simulated printer; everything else is in its profile.
package struct Identity: Sendable {
  /// Name on the network and in messages: `Sim Laser`.
  package var name: String
  package var location: String
  package var port: Int
  /// If set, clients must send name and password before a job is accepted.
  package var password: String?

  /// A UUID derived from this machine and the printer's name, so that a saved printer is found again when it is
  /// simulated again.
  package var uuid: String {
    let host = (try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8)) ?? "localhost"
    var bytes = ["airprint", "simulate"].flatMap { part in
      withUnsafeBytes(of: fingerprint("\(part)/\(host)/\(name)").bigEndian, Array.init)
    }
    // RFC 9562 §5.8: version 8, with custom contents.
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }.uuidString
      .lowercased()
  }

  /// FNV-1a, 64 bits: unlike Swift's own hashes, it does not change between runs.
  private func fingerprint(_ text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  static let resource = "/ipp/print"
}

/// A time as RFC 2579's DateAndTime, in UTC.
func dateTime(_ moment: Date) -> Attribute.Value {
  .dateTime(UTCTime(seconds: Int(moment.timeIntervalSince1970.rounded(.down))).octets)
}
