internal import ArgumentParser
internal import VirtualPrinters

// The data for the manual pages and the completion scripts (Tools/Docs).

/// airprint's version.
package let version = Airprint.version

/// Returns every command with its options and help texts, in the format of ArgumentParser's `--experimental-dump-help`:
/// JSON, serialization version 0.
package func commandsAsJSON() -> String { Airprint._dumpHelp() }

/// The shells with a completion script.
package let shellsWithCompletions = CompletionShell.allCases.map(\.rawValue).sorted()

/// Returns the profiles of `simulate`, each as a row below `columns`, starting with its name, and the contents of its
/// trays in words.
package func profilesAsTable() -> (
  columns: [String], rows: [[String]], trays: [(profile: String, trays: [(String, String)])]
) {
  (ProfileTable.columns, ProfileTable.rows, ProfileTable.trays)
}
