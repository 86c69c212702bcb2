/// Options that people who come from `lp`, or from other programs that print, type, in the form
/// that the parser reads.
enum LpHabits {
  /// The short options that take a value.
  private static let valued: Set<Character> = ["d", "n", "P", "t", "o", "H"]

  /// Commands that take print's options.
  private static let printing: Set<String> = [
    "print", "preview", "render", "paper", "queue", "reprint",
  ]

  /// Options of other programs, and of other spellings.
  private static let synonyms: [String: [String]] = [
    "--duplex": ["--sides", "long"], "--simplex": ["--sides", "one"],
    "--grayscale": ["--color", "gray"], "--greyscale": ["--color", "gray"],
    "--gray": ["--color", "gray"], "--grey": ["--color", "gray"], "--bw": ["--color", "gray"],
    "--mono": ["--color", "gray"], "--monochrome": ["--color", "gray"],
    "--landscape": ["--orientation", "landscape"], "--portrait": ["--orientation", "portrait"],
    "--colour": ["--color"], "--text-colour": ["--text-color"], "--printer": ["--to"],
    "--size": ["--paper"], "--media": ["--paper"],
    "--double-sided": ["--sides", "long"], "--one-sided": ["--sides", "one"],
    "--single-sided": ["--sides", "one"], "--black-and-white": ["--color", "gray"],
    "--draft": ["--quality", "draft"], "--fit": ["--scaling", "fit"],
    "--fit-to-page": ["--scaling", "fit"], "--two-sided": ["--sides", "long"],
    "--nup": ["--number-up"], "--n-up": ["--number-up"], "--2up": ["--number-up", "2"],
    "--4up": ["--number-up", "4"], "--dpi": ["--resolution"], "--source": ["--tray"],
  ]

  /// Other words for options' values: British spelling, and what other programs call them.
  private static let values: [String: [String: String]] = {
    let gray = ["grey", "grayscale", "greyscale", "bw", "mono", "monochrome", "black"]
    let long = ["both", "two", "2", "two-sided", "duplex", "two-sided-long-edge", "long-edge"]
    let short = ["two-sided-short-edge", "short-edge", "tumble"]
    let one = ["1", "one-sided", "single", "simplex"]
    func all(_ words: [String], are word: String) -> [String: String] {
      Dictionary(uniqueKeysWithValues: words.map { ($0, word) })
    }
    return [
      "--color": all(gray, are: "gray").merging(["colour": "color"]) { $1 },
      "--sides": all(long, are: "long").merging(all(short, are: "short")) { $1 }
        .merging(all(one, are: "one")) { $1 },
      "--quality": ["best": "high", "standard": "normal", "fast": "draft", "low": "draft"],
      "--position": ["centre": "center"], "--align": ["centre": "center"],
    ]
  }()

  /// Splits joined short options (`-n2`, `-doffice`, `-osides=one-sided`), and spells `--help-all`
  /// as the parser knows it.
  ///
  /// Arguments after `--` and the values of other options stay as they are.
  static func translated(_ arguments: [String]) -> [String] {
    if arguments == ["-V"] { return ["--version"] }
    let prints = arguments.first.map(printing.contains) ?? false
    var result: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" { return result + [argument] + rest }
      let letters = Array(argument.prefix(2))
      if argument == "--help-all" {
        result.append("--help-hidden")
      } else if prints, argument == "--hold", let word = rest.first, HoldTime.isOne(word) {
        result.append("--hold-until")
      } else if prints, argument.hasPrefix("--hold=") {
        result += ["--hold-until", String(argument.dropFirst("--hold=".count))]
      } else if prints, let words = synonym(of: argument) {
        result += words
        // The next word is its value.
        if words.count == 1, let value = rest.popFirst() {
          result.append(meant(value, of: words[0]))
        }
      } else if prints, values[argument] != nil, let value = rest.popFirst() {
        result += [argument, meant(value, of: argument)]
      } else if argument.count > 2, letters[0] == "-", valued.contains(letters[1]) {
        result += [String(argument.prefix(2)), String(argument.dropFirst(2))]
      } else {
        result.append(argument)
      }
    }
    return result
  }

  private static func meant(_ value: String, of option: String) -> String {
    values[option]?[value.lowercased()] ?? value
  }

  /// `--duplex` as `--sides long`, `--colour=grey` as `--color gray`.
  private static func synonym(of argument: String) -> [String]? {
    if let words = synonyms[argument] { return words }
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let option = synonyms[String(parts[0])] ?? [String(parts[0])]
    guard option.count == 1, values[option[0]] != nil || synonyms[String(parts[0])] != nil else {
      return nil
    }
    return option + [meant(String(parts[1]), of: option[0])]
  }
}
