internal import FoundationEssentials
internal import PrintModel

/// Identity of a simulated printer, beside its profile.
package struct Identity: Sendable {
  /// On the network and in messages: `Sim Laser`.
  package var name: String
  package var location: String
  package var port: Int
  /// Name and password are asked for before a job is taken.
  package var password: String?

  package init(name: String, location: String, port: Int, password: String? = nil) {
    self.name = name
    self.location = location
    self.port = port
    self.password = password
  }

  /// The same each time that a printer of this name is simulated on this machine, so that whoever saved
  /// it finds it again.
  package var uuid: String {
    let host = (try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8)) ?? "localhost"
    var bytes: [UInt8] = []
    for part in ["airprint", "simulate"] {
      bytes += withUnsafeBytes(of: fingerprint("\(part)/\(host)/\(name)").bigEndian, Array.init)
    }
    // RFC 9562 §5.8: version 8, of one's own making.
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    var text = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text += "-" }
      text.append(digit)
    }
    return text
  }

  /// FNV-1a, 64 bits: a hash that is the same on every day, unlike Swift's own.
  private func fingerprint(_ text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  static let resource = "/ipp/print"
}

/// RFC 2579's DateAndTime for a moment, in UTC.
func dateTime(_ moment: Date) -> Attribute.Value {
  .dateTime(UTCTime(seconds: Int(moment.timeIntervalSince1970.rounded(.down))).octets)
}
