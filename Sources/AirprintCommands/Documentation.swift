internal import PrintModel
internal import VirtualPrinters

// The data for the manual pages (Tools/Docs), besides CommandInfo.

/// airprint's version.
package let version = productVersion

/// Returns the profiles of `simulate`, each as a row below `columns`, starting with its name, and the contents of its
/// trays in words.
package func profilesAsTable() -> (
  columns: [String], rows: [[String]], trays: [(profile: String, trays: [(String, String)])]
) {
  (ProfileTable.columns, ProfileTable.rows, ProfileTable.trays)
}
