// Settings: the user's and the administrator's files, read, checked and laid over each other; the
// picker's file, written. The only module that sees TOML.

/// Folders of airprint's files, by the XDG Base Directory Specification.
package struct Directories: Sendable, Equatable {
  /// `config.toml` and `printers.toml` of the user.
  package var configuration: String
  /// `jobs/`: the journal.
  package var state: String
  /// May be deleted at any time.
  package var cache: String
  /// Folder to which `~/` leads.
  package var home: String
  /// The administrator's `config.toml` and `printers.toml`.
  package var system = "/etc/airprint"

  /// Relative XDG paths are ignored, as the specification wants.
  package init(environment: [String: String]) {
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/"
    func place(_ variable: String, _ usual: String) -> String {
      let stated = environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
      return (stated ?? "\(home)/\(usual)") + "/airprint"
    }
    self.home = home
    configuration = place("XDG_CONFIG_HOME", ".config")
    state = place("XDG_STATE_HOME", ".local/state")
    cache = place("XDG_CACHE_HOME", ".cache")
  }
}
