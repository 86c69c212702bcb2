import IPP

extension FuzzTarget {
  /// WWW-Authenticate: libcups gets one scheme per field, in characters that it reads as we do.
  ///
  /// No password is asked for where none may be sent.
  static let challenge = FuzzTarget("challenge") { bytes in
    let challenge = Challenge(String(decoding: bytes, as: UTF8.self))
    let plain = challenge.answerable(tellsPasswords: false, hasTicket: true)
    let encrypted = challenge.answerable(tellsPasswords: true, hasTicket: true)
    promise(!plain.has("basic"), "no password without encryption")
    promise(plain.parts.allSatisfy(encrypted.parts.contains), "encryption takes nothing away")
    let order = ["negotiate", "digest", "basic"]
    for part in encrypted.parts {
      guard let field = part.field else {
        promise(false, "only what can be answered: \(part)")
        continue
      }
      promise(order.contains(part.scheme), "a scheme that libcups has: \(field)")
      promise(field.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "printable ASCII: \(field)")
      promise(field.utf8.count(where: { $0 == 0x22 }) % 2 == 0, "quotes that end: \(field)")
      // Parsed again, it is the same single scheme for any parser: nothing inside quotes looks like another.
      let again = Challenge(field)
      promise(again.parts.count == 1 && again.parts[0].field == field, "one scheme: \(field)")
    }
    let ranks = encrypted.parts.compactMap { order.firstIndex(of: $0.scheme) }
    promise(ranks == ranks.sorted(), "the strongest first: \(ranks)")
  }
}
