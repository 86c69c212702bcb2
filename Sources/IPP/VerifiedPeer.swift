internal import CCups
internal import CGnuTLS
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
  /// - Throws: `.untrusted` for any other certificate than the pin, or than the first one that was shown, unless an
  ///   authority vouches for it, and for none if there is a pin or `needsEncryption`.
  func verify(
    _ shown: Certificate?, known: Fingerprint?, needsEncryption: Bool, at host: String
  ) throws(IPPError) -> VerifiedPeer? {
    guard let shown else {
      guard pin == nil, !needsEncryption else { throw refusal(of: nil, host) }
      return nil
    }
    used.show(shown.fingerprint)
    if let expected, expected != shown.fingerprint {
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

/// A certificate that a printer presented in a TLS handshake.
///
/// libcups 2.4 verifies none of it.
package struct Certificate: Sendable {
  /// The leaf's fingerprint.
  package let fingerprint: Fingerprint
  /// The chain in DER, leaf first.
  private let chain: [[UInt8]]

  /// Longest chain read: no real printer's is longer, and each certificate in it costs work.
  private static let longestChain = 10

  /// Copies the certificate; nil if the connection is not encrypted, or the other end presented none.
  init?(of http: OpaquePointer) {
    var list: OpaquePointer?
    guard httpCopyCredentials(http, &list) == 0, let list else { return nil }
    defer { httpFreeCredentials(list) }
    var chain: [[UInt8]] = []
    var next = cupsArrayFirst(list)
    while let entry = next, chain.count < Certificate.longestChain {
      let credential = entry.assumingMemoryBound(to: http_credential_t.self).pointee
      chain.append(
        Array(UnsafeRawBufferPointer(start: credential.data, count: credential.datalen)))
      next = cupsArrayNext(list)
    }
    guard let leaf = chain.first, let hash = hashed(leaf, by: "sha2-256"),
      let fingerprint = Fingerprint(bytes: hash)
    else { return nil }
    self.chain = chain
    self.fingerprint = fingerprint
  }

  /// Returns true if an authority that this machine trusts (`/etc/ssl/certs`) vouches that the printer is `host`.
  ///
  /// GnuTLS checks the chain, the dates against now, the purpose and the name. httpCredentialsGetTrust would accept any
  /// unknown host, and any certificate that is newer than the last one (cups/tls-gnutls.c).
  package func isVouchedFor(as host: String) -> Bool {
    var trust: gnutls_x509_trust_list_t?
    guard gnutls_x509_trust_list_init(&trust, 0) == 0 else { return false }
    defer { gnutls_x509_trust_list_deinit(trust, 1) }
    guard gnutls_x509_trust_list_add_system_trust(trust, 0, 0) > 0 else { return false }
    var certificates: [gnutls_x509_crt_t?] = []
    defer { for certificate in certificates { gnutls_x509_crt_deinit(certificate) } }
    for bytes in chain {
      guard let certificate = Certificate.read(bytes) else { return false }
      certificates.append(certificate)
    }
    var verdict: UInt32 = 0
    let answer = host.withCString { name in
      Certificate.webServer.withCString { purpose in
        var facts = [
          Certificate.fact(GNUTLS_DT_DNS_HOSTNAME, name),
          Certificate.fact(GNUTLS_DT_KEY_PURPOSE_OID, purpose),
        ]
        return gnutls_x509_trust_list_verify_crt2(
          trust, &certificates, UInt32(certificates.count), &facts, UInt32(facts.count), 0,
          &verdict, nil)
      }
    }
    return answer == 0 && verdict == 0
  }

  /// GNUTLS_KP_TLS_WWW_SERVER.
  private static let webServer = "1.3.6.1.5.5.7.3.1"

  private static func fact(
    _ type: gnutls_vdata_types_t, _ text: UnsafePointer<CChar>
  ) -> gnutls_typed_vdata_st {
    gnutls_typed_vdata_st(
      type: type,
      data: UnsafeMutableRawPointer(mutating: text).assumingMemoryBound(to: UInt8.self), size: 0)
  }

  private static func read(_ bytes: [UInt8]) -> gnutls_x509_crt_t? {
    var certificate: gnutls_x509_crt_t?
    guard gnutls_x509_crt_init(&certificate) == 0 else { return nil }
    var bytes = bytes
    let status = bytes.withUnsafeMutableBufferPointer { buffer in
      var data = gnutls_datum_t(data: buffer.baseAddress, size: UInt32(buffer.count))
      return gnutls_x509_crt_import(certificate, &data, GNUTLS_X509_FMT_DER)
    }
    guard status == 0 else {
      gnutls_x509_crt_deinit(certificate)
      return nil
    }
    return certificate
  }
}
