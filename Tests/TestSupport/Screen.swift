/// The screen of a VT100 with xterm's usual additions, after some output.
///
/// Colors are parsed and ignored.
package struct Screen: Sendable {
  package private(set) var columns: Int
  package private(set) var rows: Int
  /// True if the program has hidden the cursor.
  package private(set) var isCursorHidden = false
  /// True if the program draws on the alternate screen; the first one is restored afterwards.
  package private(set) var isAlternate = false
  package private(set) var row = 0
  package private(set) var column = 0
  private var cells: [[String]]
  private var saved: (row: Int, column: Int) = (0, 0)
  private var first: [[String]] = []
  /// True if the last column was written: the cursor stays there until the next character wraps.
  private var wrapsNext = false

  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    cells = Screen.blank(columns, rows)
  }

  /// The rows, without trailing blanks.
  package var lines: [String] {
    cells.map { row in
      let end = row.lastIndex { $0 != " " }.map { $0 + 1 } ?? 0
      return row[..<end].joined()
    }
  }

  /// All rows, without the empty ones at the end.
  package var text: String {
    let lines = lines
    let end = lines.lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? 0
    return lines[..<end].joined(separator: "\n")
  }

  package mutating func write(_ output: String) {
    var rest = output.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\u{1B}": escape(&rest)
      case "\r": move(to: row, 0)
      case "\n", "\u{B}", "\u{C}": lineFeed()
      case "\u{8}": move(to: row, column - 1)
      case "\t": move(to: row, (column / 8 + 1) * 8)
      case "\0"..."\u{1F}", "\u{7F}": break
      default: put(scalar)
      }
    }
  }

  /// Cuts or extends at the right and at the bottom; wrapped lines are not rewrapped.
  package mutating func resize(columns: Int, rows: Int) {
    cells = cells.prefix(rows).map { row in
      row.prefix(columns) + Array(repeating: " ", count: max(0, columns - row.count))
    }
    cells += Screen.blank(columns, rows - cells.count)
    (self.columns, self.rows) = (columns, rows)
    first = isAlternate ? Screen.blank(columns, rows) : []
    move(to: row, column)
  }

  private static func blank(_ columns: Int, _ rows: Int) -> [[String]] {
    Array(repeating: Array(repeating: " ", count: columns), count: rows)
  }

  // MARK: Characters

  private mutating func put(_ scalar: Unicode.Scalar) {
    let width = Screen.width(of: scalar)
    guard width > 0 else {
      // The scalar combines with the character before it.
      let before = wrapsNext ? column : max(0, column - 1)
      cells[row][before] += String(scalar)
      return
    }
    if wrapsNext || column + width > columns {
      column = 0
      lineFeed()
    }
    wrapsNext = false
    cells[row][column] = String(scalar)
    if width == 2, column + 1 < columns { cells[row][column + 1] = "" }
    if column + width < columns { column += width } else { wrapsNext = true }
  }

  private mutating func lineFeed() {
    wrapsNext = false
    guard row == rows - 1 else { return row += 1 }
    cells.removeFirst()
    cells.append(Array(repeating: " ", count: columns))
  }

  private mutating func move(to row: Int, _ column: Int) {
    wrapsNext = false
    self.row = min(max(row, 0), rows - 1)
    self.column = min(max(column, 0), columns - 1)
  }

  /// Returns 0 for scalars that combine with the character before them, 2 for East Asian wide characters and emoji.
  private static func width(of scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
      0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }

  // MARK: Escape sequences (ECMA-48)

  private mutating func escape(_ rest: inout Substring.UnicodeScalarView) {
    switch rest.popFirst() {
    case "[": control(&rest)
    case "]": skipString(&rest)
    case "7": saved = (row, column)
    case "8": move(to: saved.row, saved.column)
    case "D": lineFeed()
    case "E":
      column = 0
      lineFeed()
    case "M": move(to: row - 1, column)
    case "c": self = Screen(columns: columns, rows: rows)
    case "(", ")": _ = rest.popFirst()
    default: break
    }
  }

  /// Skips an operating system command, such as one that sets the window's title, up to BEL or ESC \.
  private func skipString(_ rest: inout Substring.UnicodeScalarView) {
    while let scalar = rest.popFirst(), scalar != "\u{7}" {
      guard scalar == "\u{1B}" else { continue }
      _ = rest.popFirst()
      return
    }
  }

  private mutating func control(_ rest: inout Substring.UnicodeScalarView) {
    var parameters = ""
    while let scalar = rest.popFirst() {
      guard ("@"..."~").contains(scalar) else {
        parameters.unicodeScalars.append(scalar)
        continue
      }
      // The keyboard modes of xterm and Kitty (`CSI = 0 u`), which fish sets, show nothing.
      if let first = parameters.first, "<=>".contains(first) { return }
      let isPrivate = parameters.hasPrefix("?")
      let numbers = parameters.drop { $0 == "?" }
        .split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
      if isPrivate {
        for number in numbers { setMode(number, scalar == "h") }
      } else {
        perform(scalar, numbers)
      }
      return
    }
  }

  private mutating func perform(_ command: Unicode.Scalar, _ numbers: [Int]) {
    let first = numbers.first ?? 0
    let count = max(first, 1)
    switch command {
    case "A": move(to: row - count, column)
    case "B": move(to: row + count, column)
    case "C": move(to: row, column + count)
    case "D": move(to: row, column - count)
    case "E": move(to: row + count, 0)
    case "F": move(to: row - count, 0)
    case "G": move(to: row, count - 1)
    case "d": move(to: count - 1, column)
    case "H", "f": move(to: count - 1, (numbers.count > 1 ? max(numbers[1], 1) : 1) - 1)
    case "J": eraseDisplay(first)
    case "K": eraseLine(first)
    case "P":
      cells[row].removeSubrange(column..<min(column + count, columns))
      cells[row] += Array(repeating: " ", count: columns - cells[row].count)
    case "X": erase(row, column..<min(column + count, columns))
    case "L", "M": shiftLines(command == "L" ? count : -count)
    case "s": saved = (row, column)
    case "u": move(to: saved.row, saved.column)
    default: break  // colors and reports
    }
  }

  private mutating func setMode(_ number: Int, _ isOn: Bool) {
    switch number {
    case 25: isCursorHidden = !isOn
    case 47, 1047, 1049:
      guard isOn != isAlternate else { return }
      isAlternate = isOn
      if isOn {
        first = cells
        saved = (row, column)
        cells = Screen.blank(columns, rows)
      } else {
        cells = first
        move(to: saved.row, saved.column)
      }
    default: break
    }
  }

  // MARK: Erasing

  private mutating func erase(_ row: Int, _ range: Range<Int>) {
    for column in range { cells[row][column] = " " }
  }

  private mutating func eraseLine(_ part: Int) {
    erase(row, part == 0 ? column..<columns : part == 1 ? 0..<column + 1 : 0..<columns)
  }

  private mutating func eraseDisplay(_ part: Int) {
    if part < 2 { eraseLine(part) }
    let others = part == 0 ? row + 1..<rows : part == 1 ? 0..<row : 0..<rows
    for row in others { erase(row, 0..<columns) }
  }

  private mutating func shiftLines(_ count: Int) {
    let number = min(abs(count), rows - row)
    let blanks = Screen.blank(columns, number)
    if count > 0 {
      cells.insert(contentsOf: blanks, at: row)
      cells.removeLast(number)
    } else {
      cells.removeSubrange(row..<row + number)
      cells += blanks
    }
  }
}
