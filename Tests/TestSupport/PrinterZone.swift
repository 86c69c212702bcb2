/// A zone of unicast DNS that contains printers, as an administrator would write it (RFC 1035 §5, RFC 6763).
package struct PrinterZone: Sendable {
  package let domain: String
  private var lines: [String]

  package init(_ domain: String, timeToLive: Int = 120) {
    self.domain = domain
    lines = [
      "$ORIGIN \(domain).", "$TTL \(timeToLive)",
      "@ SOA ns hostmaster 1 3600 900 604800 60", "@ NS ns", "ns A \(RoutedNetwork.server)",
    ]
  }

  /// The text of the zone file.
  package var text: String { lines.joined(separator: "\n") + "\n" }

  /// Adds a line to the file.
  package mutating func add(_ line: String) { lines.append(line) }

  /// Adds a printer.
  ///
  /// - `subtypes`: the subtypes under which it is also registered.
  /// - `isUntyped`: true if it is registered under its subtypes only.
  package mutating func add(
    printer instance: String, type: String = "_ipp._tcp", subtypes: [String] = ["_universal"],
    isUntyped: Bool = false, host: String = "ns", port: Int = 631, txt: [String] = []
  ) {
    let name = "\(Self.escaped(instance)).\(type)"
    if !isUntyped { lines.append("\(type) PTR \(name)") }
    for subtype in subtypes { lines.append("\(subtype)._sub.\(type) PTR \(name)") }
    lines.append("\(name) SRV 0 0 \(port) \(host)")
    let strings = (["txtvers=1"] + txt).map { "\"\(Self.escaped($0))\"" }
    lines.append("\(name) TXT \(strings.joined(separator: " "))")
  }

  /// Escapes characters that have a meaning in zone files.
  private static func escaped(_ text: String) -> String {
    text.utf8.reduce(into: "") { result, byte in
      let character = Character(Unicode.Scalar(byte))
      if byte < 0x80, character.isLetter || character.isNumber || "-_=/,".contains(character) {
        result.append(character)
      } else {
        let digits = String(byte)
        result += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
      }
    }
  }
}
