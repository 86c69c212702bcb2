/// Where keys and tables stand in a TOML file, for messages: a list of printers may have thousands of mistakes.
final class TOMLLines {
  private let text: String
  /// Lines, from 1, by the paths of keys and tables; made for the first message.
  private lazy var lines = TOMLLines.lines(of: text)

  init(_ text: String) { self.text = text }

  /// The number of the line of a key, else that of the table that it would be in.
  ///
  /// - `entry`: of several tables of one name, counted from 0.
  func line(of key: String, in table: String?, _ entry: Int) -> Int? {
    let place = table.map { TOMLLines.plain($0).filter { $0 != "[" && $0 != "]" } }
    let path = place.map { "\(TOMLLines.numbered($0, entry)).\(TOMLLines.plain(key))" }
    return TOMLLines.withParents(path ?? TOMLLines.plain(key)).lazy.compactMap { self.lines[$0] }
      .first
  }

  /// Without what a key may be written with, or without.
  private static func plain(_ text: some StringProtocol) -> String {
    String(text.filter { $0 != " " && $0 != "\"" && $0 != "'" })
  }

  private static func numbered(_ table: String, _ entry: Int) -> String {
    entry == 0 ? table : "\(table)#\(entry)"
  }

  /// Returns `a.b.c`, `a.b` and `a`, as far as any setting is in as many tables.
  private static func withParents(_ path: String) -> [String] {
    let dots = path.indices.lazy.filter { path[$0] == "." }.prefix(8)
    return [path] + dots.reversed().map { String(path[..<$0]) }
  }

  private static func lines(of text: String) -> [String: Int] {
    var lines: [String: Int] = [:]
    var entries: [String: Int] = [:]
    var table = ""
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let line = plain(line)
      var path = line.prefix { $0 != "=" }
      if line.first == "[" {
        table = String(line.drop { $0 == "[" }.prefix { $0 != "]" })
        let entry = entries[table, default: 0]
        entries[table] = entry + 1
        table = numbered(table, entry)
        path = table[...]
      } else if path.endIndex == line.endIndex {
        continue
      } else if !table.isEmpty {
        path = "\(table).\(path)"
      }
      for place in withParents(String(path)) where lines[place] == nil { lines[place] = index + 1 }
    }
    return lines
  }
}
