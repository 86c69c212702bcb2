package import AirprintContext
internal import IPP
package import PrintModel

extension AttributeSet {
  /// Reads a printer's last answer, with all of its attributes as IPP encodes them, from a file of the cache; nil if it
  /// is empty, or if libcups is missing.
  package init?(remembered cache: StatusCache) {
    guard let answer = cache.read().flatMap(Response.init(recorded:)) else { return nil }
    self = answer.printer
  }
}

extension PrinterConnection {
  /// Caches the printer's latest attributes for `preview`.
  package func rememberAnswer(_ context: Context) {
    let answer = Response(status: .ok, printer: capabilities.attributes)
    StatusCache(context.places, key: target.saved?.uri ?? target.uri, of: .attributes)
      .write(answer.recorded)
  }
}
