internal import ArgumentParser
internal import VirtualPrinters

// The facts that the manual pages and the completion scripts are made of (Tools/Docs).

/// airprint's version.
package let version = Airprint.version

/// Every command with its options and help texts, as ArgumentParser's `--experimental-dump-help` gives
/// them: JSON, its serialization version 0.
package func commandsAsJSON() -> String { Airprint._dumpHelp() }

/// The shells that there is a completion script for.
package let shellsWithCompletions = CompletionShell.allCases.map(\.rawValue).sorted()

/// The profiles of `simulate`, each as a row below `columns`, its name first; and what its trays hold, in
/// words.
package func profilesAsTable() -> (
  columns: [String], rows: [[String]], trays: [(profile: String, trays: [(String, String)])]
) {
  (ProfileTable.columns, ProfileTable.rows, ProfileTable.trays)
}
