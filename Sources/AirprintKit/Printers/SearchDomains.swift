internal import Discovery
internal import PrintModel
internal import Settings

extension Context {
  /// Places to look for printers: on the link, in config.toml's `domains`, and where the network
  /// recommends; with `--domain` there alone.
  func searchScope(only domains: [String] = []) throws(Failure) -> SearchScope {
    guard domains.isEmpty else { return SearchScope(only: domains) }
    return SearchScope(besides: try Configuration(places).domains)
  }
}
