/// Where keys and tables stand in a TOML file, for messages: a list of printers may have thousands of mistakes.
final class TOMLLines {
  private let text: String
  /// Made for the first message.
  private lazy var index = Index(text)

  init(_ text: String) { self.text = text }

  /// The number of the first line that begins with the key, or is a header with it; after the table's header, if `table`
  /// is given.
  ///
  /// - `entry`: of several tables of one name, counted from 0.
  func line(of key: String, in table: String?, _ entry: Int) -> Int? {
    let header = table.map { TOMLLines.plain($0).filter { $0 != "[" && $0 != "]" } }
    let headers = header.flatMap { index.headers[$0] } ?? []
    let start = headers.dropFirst(entry).first ?? 1
    let places = index.keys[TOMLLines.plain(key)] ?? []
    // The places are in order.
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle] < start { low = middle + 1 } else { high = middle }
    }
    return low < places.count ? places[low] : nil
  }

  /// Without what a key may be written with, or without.
  private static func plain(_ text: some StringProtocol) -> String {
    String(text.filter { $0 != " " && $0 != "\"" && $0 != "'" })
  }

  private struct Index {
    /// Lines, from 1, by the whole header.
    var headers: [String: [Int]] = [:]
    /// Lines by the key that they begin with, and of a header by its beginnings and ends: `a`, `a.b` and `b` of
    /// `[a.b]`.
    var keys: [String: [Int]] = [:]
    /// No setting is in as many tables.
    static let deepest = 8

    init(_ text: String) {
      for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated()
      {
        let line = TOMLLines.plain(line)
        guard line.first == "[" else {
          if let end = line.firstIndex(of: "=") {
            keys[String(line[..<end]), default: []].append(index + 1)
          }
          continue
        }
        let header = line.drop { $0 == "[" }.prefix { $0 != "]" }
        headers[String(header), default: []].append(index + 1)
        let dots = header.indices.lazy.filter { header[$0] == "." }.prefix(Index.deepest)
        for dot in dots {
          keys[String(header[..<dot]), default: []].append(index + 1)
          keys[String(header[header.index(after: dot)...]), default: []].append(index + 1)
        }
        keys[String(header), default: []].append(index + 1)
      }
    }
  }
}
