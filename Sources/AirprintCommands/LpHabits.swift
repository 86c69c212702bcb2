/// What people who come from `lp` type, in the form that the parser reads.
enum LpHabits {
  /// The short options that take a value.
  private static let valued: Set<Character> = ["d", "n", "P", "t", "o"]

  /// Splits joined short options (`-n2`, `-doffice`, `-osides=one-sided`), and spells `--help-all` as
  /// the parser knows it. Arguments after `--` and the values of other options stay as they are.
  static func translated(_ arguments: [String]) -> [String] {
    var result: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" { return result + [argument] + rest }
      let letters = Array(argument.prefix(2))
      if argument == "--help-all" {
        result.append("--help-hidden")
      } else if argument.count > 2, letters[0] == "-", valued.contains(letters[1]) {
        result += [String(argument.prefix(2)), String(argument.dropFirst(2))]
      } else {
        result.append(argument)
      }
    }
    return result
  }
}
