internal import ForeignText

/// Builds `ipp://` and `ipps://` URIs (RFC 3510, RFC 7472) from network announcements.
enum AdvertisedURI {
  /// Makes a URI.
  ///
  /// - `host`: a name, or a numeric address, IPv6 with or without its zone.
  /// - `port`: left out if it is 631, the default of both schemes.
  /// - `path`: without the leading slash. Percent-encoded bytes in it are kept.
  static func make(isSecure: Bool, host: String, port: Int, path: String) -> String {
    let scheme = isSecure ? "ipps" : "ipp"
    let authority = port == 631 ? bracketed(host) : "\(bracketed(host)):\(port)"
    return "\(scheme)://\(authority)/\(encodedPath(path))"
  }

  /// Writes a zone as RFC 6874 specifies: `[fe80::1%25eth0]`.
  private static func bracketed(_ host: String) -> String {
    guard host.contains(":") else { return encoded(host) }
    let parts = host.split(separator: "%", maxSplits: 1).map(String.init)
    let zone = parts.count == 2 ? "%25" + encoded(parts[1]) : ""
    return "[\(encoded(parts[0], allowing: ":"))\(zone)]"
  }

  private static func encodedPath(_ path: String) -> String {
    let pieces = path.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)
      .map { encoded(String(Substring($0)), allowing: "/:@!$&'()*+,;=") }
    return pieces.dropFirst().reduce(pieces.first ?? "") { path, piece in
      path + (piece.utf8.prefix(2).count(where: isHexadecimal) == 2 ? "%" : "%25") + piece
    }
  }

  /// Percent-encodes all bytes but RFC 3986's unreserved ones and `others`.
  private static func encoded(_ text: String, allowing others: String = "") -> String {
    percentEncoded(text) { byte in
      isLetterOrDigit(byte) || "-._~".utf8.contains(byte) || others.utf8.contains(byte)
    }
  }
}
