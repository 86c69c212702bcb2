/// `--poster`: one page over several sheets, which are glued together.
package struct Poster: Sendable, Equatable {
  /// Sheets beside and below each other, as the poster's reader sees them: 1 to 20, and more than one in all.
  package var columns: Int
  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  package var sheets: Int { columns * rows }

  /// What a sheet repeats of its neighbor: 10 mm.
  package static let overlap: Hundredths = 1_000
}
