internal import AirprintCommands

/// Escapes text for mdoc(7): backslashes, hyphens that must stay hyphens when copied, a dot or a quote at the start
/// of a line, and characters beyond ASCII.
func mdoc(_ text: String) -> String {
  var result = text.first == "." || text.first == "'" ? "\\&" : ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\\": result += "\\e"
    case "-": result += "\\-"
    case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
    default:
      let digits = String(scalar.value, radix: 16, uppercase: true)
      result += "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
    }
  }
  return result
}

/// Escapes sentences, each on a separate line as is usual in mdoc(7).
func sentences(_ text: String) -> String { mdoc(text).replacing(". ", with: ".\n") }

/// Escapes an argument of a macro, and quotes it if it contains spaces.
func argument(_ text: String) -> String {
  text.contains(" ") ? "\"\(mdoc(text))\"" : mdoc(text)
}

extension ArgumentInfo {
  /// `Fl d , \-to Ar printer`, for `.It`.
  var heading: String {
    let value = argument(valueName ?? "")
    switch kind {
    case .positional: return "Ar \(value)" + (isRepeating ? " ..." : "")
    case .flag: return flags
    case .option: return "\(flags) Ar \(value)"
    }
  }

  /// `Op Fl d Ar printer`, for the synopsis.
  var usage: String {
    let value = argument(valueName ?? "")
    let words: String
    switch kind {
    case .positional: words = "Ar \(value)" + (isRepeating ? " ..." : "")
    case .flag: words = "Fl \(longest)"
    case .option: words = "Fl \(longest) Ar \(value)"
    }
    return isOptional ? ".Op \(words)" : ".\(words)"
  }

  private var flags: String {
    (names ?? []).map { "Fl \(mdoc(String($0.typed.dropFirst())))" }.joined(separator: " , ")
  }

  private var longest: String {
    mdoc(String((names?.first { $0.kind == "long" } ?? names?.first)?.typed.dropFirst() ?? ""))
  }
}
