// Settings: reads, checks and merges the user's and the administrator's files, and writes the picker's file. Only this
// folder uses TOML.

/// Folders of airprint's files, following the XDG Base Directory Specification.
package struct Directories: Sendable, Equatable {
  /// The user's `config.toml` and `printers.toml`.
  package var configuration: String
  /// `jobs/`: the journal.
  package var state: String
  /// A cache, which may be deleted at any time.
  package var cache: String
  /// The folder that `~/` stands for.
  package var home: String
  /// The administrator's `config.toml` and `printers.toml`.
  package var system = "/etc/airprint"

  /// Ignores relative XDG paths, as the specification requires.
  package init(environment: [String: String]) {
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/"
    func place(_ variable: String, _ usual: String) -> String {
      let stated = environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
      return (stated ?? (home == "/" ? "" : home) + "/\(usual)") + "/airprint"
    }
    self.home = home
    configuration = place("XDG_CONFIG_HOME", ".config")
    state = place("XDG_STATE_HOME", ".local/state")
    cache = place("XDG_CACHE_HOME", ".cache")
  }
}
