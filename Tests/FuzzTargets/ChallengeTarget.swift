import IPP
import PrintModel

extension FuzzTarget {
  /// WWW-Authenticate: an answer repeats only what every parser reads in the same way.
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
      promise(order.contains(part.scheme), "a scheme that can be answered: \(part)")
      let login = Credentials(user: "kay", password: "secret")
      // MD5 may be forbidden on this machine.
      guard part.scheme == "digest",
        let field = part.answer(login, method: "POST", resource: "/", count: 1, clientNonce: "c")
      else { continue }
      promise(field.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "printable ASCII: \(field)")
      promise(field.utf8.count(where: { $0 == 0x22 }) % 2 == 0, "quotes that end: \(field)")
      // It is a single scheme for any parser: nothing inside quotes looks like another.
      promise(Challenge(field).parts.map(\.scheme) == ["digest"], "one scheme: \(field)")
    }
    let ranks = encrypted.parts.compactMap { order.firstIndex(of: $0.scheme) }
    promise(ranks == ranks.sorted(), "the strongest first: \(ranks)")
  }
}
