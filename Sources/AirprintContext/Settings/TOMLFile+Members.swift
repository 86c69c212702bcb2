internal import PrintModel
internal import PrintOptions

extension TOMLFile {
  /// Refuses the first key of `members` that is not among `keys`; throws exit 78 with its line and the nearest key.
  ///
  /// - `table`, `entry`: where the keys are, as in `failure(at:in:entry:_:)`.
  func refuseUnknown(
    _ members: [String: Value], but keys: [String], in table: String? = nil, entry: Int = 0
  ) throws(Failure) {
    for key in members.keys.sorted() where !keys.contains(key) {
      throw unknown(key, but: keys, in: table, entry: entry)
    }
  }

  /// The failure for a key that is not among `keys`; lists them all if they are few and none is similar.
  func unknown(
    _ key: String, but keys: [String], in table: String? = nil, entry: Int = 0
  ) -> Failure {
    var hint = keys.suggestion(for: key)
    if hint.isEmpty, keys.count <= 6 {
      hint = keys.count == 1 ? "; the key is \(keys[0])" : "; the keys are \(keys.inWords())"
    }
    if hint.isEmpty, path.hasSuffix("/config.toml") {
      hint = "; the manual lists all: man airprint"
    }
    return failure(at: key, in: table, entry: entry, "unknown key \"\(key)\"\(hint).")
  }

  /// A whole number in `range`, of `unit`; throws exit 78 for any other value.
  func number(
    _ value: Value, of key: String, in table: String? = nil, _ unit: String,
    _ range: ClosedRange<Int>
  ) throws(Failure) -> Int {
    guard case .number(let number) = value, range.contains(number) else {
      throw failure(
        at: key, in: table,
        "\(key) takes a number of \(unit), \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }

  /// `true` or `false`; throws exit 78 for any other value.
  func boolean(_ value: Value, of key: String) throws(Failure) -> Bool {
    guard case .boolean(let flag) = value else {
      throw failure(at: key, "\(key) takes true or false.")
    }
    return flag
  }

  /// A string that is not empty; throws exit 78 for any other value.
  func text(_ value: Value, of key: String, _ what: String = "a string") throws(Failure) -> String {
    guard let text = value.string, !text.isEmpty else {
      throw failure(at: key, "\(key) takes \(what).")
    }
    return text
  }
}
