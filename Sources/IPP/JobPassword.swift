internal import LateLibraries

/// Returns a mark of a secret, by which another one is told from it: 16 bits of its hash, by which nobody finds it out.
///
/// It has no salt: the marks of many jobs tell no more than one. nil if this machine's policy forbids the method.
package func secretMark(_ secret: String) -> Int? {
  NetworkLibraries.load()
  return hashed(Array(secret.utf8), by: "sha2-256").map { Int($0[0]) << 8 | Int($0[1]) }
}

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
