internal import Discovery
internal import PrintModel
internal import Settings

extension Context {
  /// Places to look for printers: on the link, in config.toml's `domains`, and where the network
  /// recommends; with `--domain` there alone.
  func searchScope(only domain: String? = nil) throws(Failure) -> SearchScope {
    if let domain { return SearchScope(only: [domain]) }
    return SearchScope(besides: try Configuration(places).domains)
  }
}
