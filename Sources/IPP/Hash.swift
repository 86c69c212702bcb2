internal import CCups

/// Returns a hash; nil for a method that libcups does not support, or that this machine's policy forbids.
///
/// - `method`: in libcups' terms, such as `md5` or `sha2-256`.
func hashed(_ bytes: [UInt8], by method: String) -> [UInt8]? {
  var hash = [UInt8](repeating: 0, count: 64)
  let count = cupsHashData(method, bytes, bytes.count, &hash, hash.count)
  return count > 0 ? Array(hash[..<Int(count)]) : nil
}
