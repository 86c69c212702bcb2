package import AirprintContext
internal import Discovery
package import PrintModel

extension SearchScope {
  /// Makes the scope of a search: the link, the `domains` of config.toml, and the network's recommendations; only the
  /// given domains with `--domain`.
  ///
  /// Exit 78 if config.toml is invalid.
  package init(_ context: Context, only domains: [String] = []) throws(Failure) {
    self =
      domains.isEmpty
      ? SearchScope(besides: try context.settings.configuration().domains)
      : SearchScope(only: domains)
    if let printers = USBPrinters(context) { servedHere = { await printers.services() } }
  }
}
