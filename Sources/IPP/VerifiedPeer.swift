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
struct NamedHost {
  fileprivate init() {}
}

extension Security {
  /// The proof for a connection to `connected`, the host in its URI; nil if the network named that host.
  func named(_ connected: String) -> NamedHost? {
    // libcups requests none for other names (cups/auth.c).
    guard connected.contains("."), connected.first?.isNumber == false else { return nil }
    return host?.lowercased() == connected.lowercased() ? NamedHost() : nil
  }
}
