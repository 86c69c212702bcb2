package import AirprintContext
internal import Discovery
package import PrintModel
internal import Settings

extension SearchScope {
  /// Places to look for printers: on the link, in config.toml's `domains`, and where the network
  /// recommends; with `--domain` there alone.
  ///
  /// Exit 78 where config.toml is wrong.
  package init(_ context: Context, only domains: [String] = []) throws(Failure) {
    self =
      domains.isEmpty
      ? SearchScope(besides: try context.settings.configuration().domains)
      : SearchScope(only: domains)
  }
}
