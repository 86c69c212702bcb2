internal import FoundationEssentials
internal import Logging
package import PrintModel

/// The certificate of a printer that was compared with what is known about it, and accepted.
///
/// Only a comparison makes one (`Security.verify`), so a certificate that was refused can't be kept, nor receive a
/// password that is meant for another one.
package struct VerifiedPeer: Sendable {
  /// The certificate that it presented.
  package let certificate: Certificate
  /// The certificate by which it was known before this connection; nil at the first contact.
  ///
  /// If it differs from the one presented, an authority has vouched for the host that the user chose.
  package let known: Fingerprint?

  fileprivate init(_ certificate: Certificate, known: Fingerprint?) {
    self.certificate = certificate
    self.known = known
  }

  package var fingerprint: Fingerprint { certificate.fingerprint }

  /// True if the printer is not known by this certificate yet.
  package var isNews: Bool { fingerprint != known }
}

extension Security {
  /// Compares the certificate that a peer presents, nil if it does not encrypt, with what is known about the printer.
  ///
  /// - `known`: the pin before the connection was made; `pin` may be newer.
  /// - `host`: the host of the connection, for messages.
  /// - Throws: `.untrusted` for any other certificate than the pin, unless an authority vouches for it, and for none if
  ///   there is a pin or `needsEncryption`.
  func verify(
    _ shown: Certificate?, known: Fingerprint?, needsEncryption: Bool, at host: String
  ) throws(IPPError) -> VerifiedPeer? {
    guard let shown else {
      guard pin == nil, !needsEncryption else { throw refusal(of: nil, host) }
      return nil
    }
    if let pin, pin != shown.fingerprint {
      guard let chosen = self.host, shown.isVouchedFor(as: chosen) else {
        throw refusal(of: shown.fingerprint, host)
      }
      log.debug("a different certificate, and an authority vouches for \(chosen)")
    }
    return VerifiedPeer(shown, known: known)
  }
}

/// Proof that a connection is to the host that the user named, by its full name, for a Kerberos ticket.
///
/// A ticket is for a host: one for a host that only the network named could be relayed to that host's services.
package struct NamedHost {
  fileprivate let name: String
}

/// The Authorization field with a Kerberos ticket (RFC 4559) that is for the host that the user named.
///
/// By default, Kerberos' libraries ask the DNS for the host's own name (krb5.conf(5), dns_canonicalize_hostname and
/// rdns), so the network can make them request a ticket for another host: only a comparison makes one of these.
package struct KerberosTicket {
  package let field: String

  /// nil for anything but a ticket for `host`.
  package init?(_ field: String, for host: NamedHost) {
    let words = field.split(separator: " ", maxSplits: 1)
    guard words.count == 2, words[0].lowercased() == "negotiate",
      let token = Data(base64Encoded: String(words[1])), host.isServed(by: Array(token))
    else { return nil }
    self.field = field
  }
}

extension NamedHost {
  /// True if a token contains the name of one of this host's services, as a ticket does, unencrypted: a SEQUENCE of two
  /// GeneralStrings, the service and the host (RFC 4120 §5.2.2 and §5.3).
  fileprivate func isServed(by token: [UInt8]) -> Bool {
    let own = name.utf8.last == UInt8(ascii: ".") ? String(name.dropLast()) : name
    let count = own.utf8.count
    let head = [0x1B] + length(count)
    return token.indices.contains { start in
      guard token[start] == 0x1B, start + 1 < token.count else { return false }
      let service = 2 + Int(token[start + 1])
      let rest = token[start...].dropFirst(service)
      let sequence = [0x30] + length(service + head.count + count)
      return rest.starts(with: head) && token[..<start].suffix(sequence.count) == sequence[...]
        && String(decoding: rest.dropFirst(head.count).prefix(count), as: UTF8.self).lowercased()
          == own.lowercased()
    }
  }

  /// The length of a host's name, or of what contains it, in DER.
  private func length(_ count: Int) -> [UInt8] {
    count < 0x80
      ? [UInt8(count)]
      : count < 0x100
        ? [0x81, UInt8(count)] : [0x82, UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)]
  }
}

extension Security {
  /// The proof for a connection to `connected`, the host in its URI; nil if the network named that host.
  package func named(_ connected: String) -> NamedHost? {
    // libcups requests none for other names (cups/auth.c).
    guard connected.contains("."), connected.first?.isNumber == false else { return nil }
    return host?.lowercased() == connected.lowercased() ? NamedHost(name: connected) : nil
  }
}
