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
    guard host.contains(":") else { return encoded(Array(host.utf8), allowing: "") }
    let parts = host.split(separator: "%", maxSplits: 1)
    let zone = parts.count == 2 ? "%25" + encoded(Array(parts[1].utf8), allowing: "") : ""
    return "[\(encoded(Array(parts[0].utf8), allowing: ":"))\(zone)]"
  }

  private static func encodedPath(_ path: String) -> String {
    var result = ""
    var rest = Array(path.utf8)[...]
    while let byte = rest.first {
      if byte == UInt8(ascii: "%"), rest.dropFirst().prefix(2).filter(isHexadecimal).count == 2 {
        result += String(decoding: rest.prefix(3), as: UTF8.self)
        rest = rest.dropFirst(3)
      } else {
        result += encoded([byte], allowing: "/:@!$&'()*+,;=")
        rest = rest.dropFirst()
      }
    }
    return result
  }

  /// Percent-encodes all bytes but RFC 3986's unreserved ones and `others`.
  private static func encoded(_ bytes: [UInt8], allowing others: String) -> String {
    let digits = Array("0123456789ABCDEF")
    return bytes.reduce(into: "") { result, byte in
      let character = Unicode.Scalar(byte)
      if isUnreserved(character) || others.unicodeScalars.contains(character) {
        result.unicodeScalars.append(character)
      } else {
        result += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }
  }

  private static func isUnreserved(_ character: Unicode.Scalar) -> Bool {
    switch character {
    case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~": true
    default: false
    }
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    "0123456789abcdefABCDEF".utf8.contains(byte)
  }
}
