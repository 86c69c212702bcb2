import DNSSD
import ForeignText
import PrintModel

/// A printer's TXT record by its keys (RFC 6763 §6).
///
/// Keys are case-insensitive, the first string with a value counts, and those without a value are ignored here.
struct TextRecord {
  /// Largest number of items in a list.
  static let maximumItems = 64

  /// Values by lower-case key.
  private let values: [String: String]

  init(_ entries: [TXTEntry]) {
    values = Dictionary(
      entries.compactMap { entry in
        // Some firmware sends C strings together with the memory behind them.
        entry.value.map {
          let text = String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
          return (entry.key.lowercased(), text.onOneLine)
        }
      }, uniquingKeysWith: { first, _ in first })
  }

  func has(_ key: String) -> Bool { values[key.lowercased()] != nil }

  /// Returns a value without surrounding spaces; nil if it is empty.
  subscript(key: String) -> String? {
    guard let value = values[key.lowercased()]?.trimmed, !value.isEmpty else { return nil }
    return String(value)
  }

  /// Returns the items of a comma-separated list, in lower case.
  func list(_ key: String) -> [String] {
    let items = self[key]?.split(separator: ",", maxSplits: Self.maximumItems) ?? []
    return items.prefix(Self.maximumItems).map { $0.trimmed.lowercased() }
      .filter { !$0.isEmpty }
  }

  /// Reads `T` or `F`; `U` and everything else is unknown.
  func flag(_ key: String) -> Bool? {
    switch self[key]?.lowercased() {
    case "t": true
    case "f": false
    default: nil
    }
  }
}
