internal import CCups

/// Hashes a job's PIN into job-password, by one of the methods of job-password-encryption (PWG 5100.11 §5.1.3; IANA's
/// registry has their names).
package enum JobPassword {
  /// Hash methods, best first: the one that printers support if they support any, then the longer ones, then plain
  /// text.
  package static let methods = [
    "sha2-256", "sha2-384", "sha2-512", "sha2-512_256", "sha2-512_224", "sha2-224", "none",
  ]

  /// Returns the hash; nil for a method that libcups does not support.
  package static func hash(_ pin: String, by method: String) -> [UInt8]? {
    let bytes = Array(pin.utf8)
    if method == "none" { return bytes }
    return hashed(bytes, by: method)
  }
}

/// Returns a hash; nil for a method that libcups does not support, or that this machine's policy forbids.
///
/// - `method`: in libcups' terms, such as `md5` or `sha2-256`.
func hashed(_ bytes: [UInt8], by method: String) -> [UInt8]? {
  var hash = [UInt8](repeating: 0, count: 64)
  let count = cupsHashData(method, bytes, bytes.count, &hash, hash.count)
  return count > 0 ? Array(hash[..<Int(count)]) : nil
}
