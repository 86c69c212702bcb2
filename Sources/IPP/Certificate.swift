internal import CCups
internal import CGnuTLS
package import PrintModel

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
