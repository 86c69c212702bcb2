internal import CCups

/// libcups' version as the library itself says it (`2.4.2`); it tells printers so, and nobody else.
package let cupsVersion: String = {
  let words = cupsUserAgent().map { String(cString: $0) } ?? ""
  let product = words.split(separator: " ").first { $0.hasPrefix("CUPS/") }
  return product.map { String($0.dropFirst(5)) } ?? "unknown"
}()
