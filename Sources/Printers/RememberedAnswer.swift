package import AirprintContext
internal import IPP
package import PrintModel
package import Settings

/// A printer's last answer with all of its attributes, as IPP encodes them, in a file of the cache.
package struct RememberedAnswer {
  /// Time of the answer, in seconds since 1970.
  package let asked: Double
  package let attributes: AttributeSet

  /// Reads the cache; nil if it is empty, or if libcups is missing.
  package init?(_ cache: StatusCache) {
    guard let bytes = cache.read(), let asked = cache.written,
      let answer = Response(recorded: bytes)
    else { return nil }
    self.asked = asked
    attributes = answer.printer
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
