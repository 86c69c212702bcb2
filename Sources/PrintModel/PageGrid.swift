/// `--number-up 3x8,2.5mm,0`: cells of equal size on a sheet, such as the labels of one.
package struct PageGrid: Sendable, Equatable {
  /// Cells beside and below each other, as the sheet's reader sees them: 1 to 50.
  package var columns: Int
  package var rows: Int
  /// Space between columns.
  package var across: Hundredths
  /// Space between rows.
  package var down: Hundredths

  package init(columns: Int, rows: Int, across: Hundredths = 0, down: Hundredths = 0) {
    self.columns = columns
    self.rows = rows
    self.across = across
    self.down = down
  }

  package var cells: Int { columns * rows }
}
