/// The characters for drawing lines.
package struct Glyphs: Sendable, Equatable {
  package var pointer: Character
  package var spinner: [Character]
  package var barDone: Character
  package var barLeft: Character

  package static let unicode = Glyphs(
    pointer: "❯", spinner: Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"), barDone: "━", barLeft: "─")

  /// For the Linux console, whose fonts have at most 512 characters.
  package static let ascii = Glyphs(
    pointer: ">", spinner: Array("|/-\\"), barDone: "=", barLeft: "-")
}
