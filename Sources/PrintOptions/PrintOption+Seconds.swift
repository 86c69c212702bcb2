extension PrintOption {
  /// Parses `90`, `90s`, `5m` and `1h` into seconds, for `--timeout` and `timeout`; nil for anything else.
  package static func seconds(_ text: String) -> Int? {
    let units = ["": 1, "s": 1, "m": 60, "min": 60, "h": 3_600]
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unit = text.dropFirst(digits.count).drop { $0 == " " }
    guard let number = Int(digits), let factor = units[String(unit)],
      (1...31_536_000).contains(number)
    else { return nil }
    return number * factor
  }
}
