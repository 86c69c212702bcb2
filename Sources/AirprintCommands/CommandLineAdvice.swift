internal import AirprintContext
internal import ForeignText
internal import Glibc
internal import PrintModel
internal import PrintOptions

/// The parser's messages in airprint's words, with advice how a command line should have been typed.
enum CommandLineAdvice {
  /// Returns the same command line for sudo(8), as a hint, if only root may write the file that it changes.
  static func sudo(_ failure: Failure, _ arguments: [String]) -> [String] {
    guard failure.code == .cannotWrite, geteuid() != 0,
      failure.subject?.hasPrefix("\(Context.current.directories.system)/") == true
    else { return [] }
    return ["Run: sudo \(shellLine(arguments))"]
  }

  /// Returns the parser's message with the quotes that all others have, and without its suggestion, for which it accepts
  /// three different letters of five, such as `--quiet` for `--wait`.
  static func inOwnStyle(_ text: String) -> String {
    let end = text.firstIndex(of: "\n") ?? text.endIndex
    let starts = ["Unknown ", "Missing ", "Unexpected ", "The option '", "The value '"]
    guard
      starts.contains(where: { text.hasPrefix("Error: \($0)") })
        || text[..<end].contains(" unexpected arguments: '")
    else { return text }
    let line = text[..<end].replacing("'", with: "\"")
    let start = line.firstRange(of: ". Did you mean \"")?.lowerBound ?? line.endIndex
    return String(line[..<start] + text[end...])
  }

  /// Returns the parser's message about a missing argument as a sentence (`No file given.`).
  static func withPlainArgument(_ text: String) -> String {
    let (start, end) = ("Missing expected argument \"<", ">\"")
    guard let name = text.range(between: start, and: end).map({ text[$0] }) else { return text }
    return text.replacing("\(start)\(name)\(end)", with: "No \(name) given.", maxReplacements: 1)
  }

  /// The parser's message with a sentence for options that `lp` and other programs have (`--mirror`), unless the sentence
  /// is about an option that this command does not have.
  static func withLpAdvice(_ text: String, for arguments: [String]) -> String {
    guard let unknown = text.range(between: "Unknown option \"", and: "\""),
      let advice = LpHabits.advice(for: String(text[unknown]), in: arguments)
    else { return text }
    let option = advice.split(separator: " ").first { $0.hasPrefix("-") }
    if let option, !advice.contains("airprint "), !Airprint.help(for: arguments).contains(option) {
      return text
    }
    let end = unknown.upperBound
    return text[...end] + ": \(advice)." + text[end...].drop { $0 != "\n" }
  }

  /// Returns the parser's message about an unknown option, with the option that is similar; without a command, it may be
  /// that which is meant.
  static func withMeantOption(_ text: String, for arguments: [String]) -> String {
    let usage = "\"\nUsage: airprint "
    guard let unknown = text.range(between: "Unknown option \"", and: usage) else { return text }
    let word = String(text[unknown].drop { $0 == "-" })
    let options = ["help", "help-all", "version", "verbose", "quiet"]
    let isWithout = text[unknown.upperBound...].hasPrefix("\(usage)<subcommand>")
    let others = Airprint.help(for: isWithout ? ["print"] : arguments).filter { $0.hasPrefix("--") }
    let meant =
      options.nearest(to: word).map { "--\($0)" }
      ?? (isWithout ? Airprint.commands.nearest(to: word).map { "airprint \($0)" } : nil)
      ?? others.map { String($0.dropFirst(2)) }.sorted().nearest(to: word).map { "--\($0)" }
    // A letter is near to many words; an option may be one of print's, but not of this command.
    guard let meant, word.count > 1, meant != text[unknown] else { return text }
    return text[..<unknown.upperBound] + "\". Did you mean \"\(meant)\"?"
      + text[unknown.upperBound...].dropFirst()
  }

  /// Returns the help of all commands with the way to print without one, and what else there is to read.
  static func overview(_ text: String) -> String {
    text.replacing(
      "USAGE: airprint <subcommand>",
      with: "USAGE: airprint <file> ...\n       airprint <command> [<options>]")
      + otherCommands()
      + "\n\nMANUAL PAGES: man airprint, and man airprint-print for its command print."
  }

  /// Returns the parser's message about an unexpected argument, with the command line in which a printer's name is
  /// quoted: the shell divides `show Office Laser`.
  static func withQuotedName(_ text: String, for arguments: [String]) -> String {
    guard text.contains("nexpected argument"), let end = text.firstIndex(of: "\n"),
      let command = arguments.first
    else { return text }
    if command == "printers" {
      return text[..<end] + ". One printer is shown by airprint show" + text[end...]
    }
    guard command == "move" || LpHabits.aboutPrinter.contains(command),
      let name = dividedName(in: arguments, after: command == "move" ? 2 : 1)
    else { return text }
    let whole = arguments[name].joined(separator: " ")
    let line = shellLine(arguments[..<name.lowerBound] + [whole] + arguments[name.upperBound...])
    return text[..<end] + ". Quote the printer's name: \(line)" + text[end...]
  }

  /// Returns which words are parts of one name: a saved printer's, or unknown ones in its place.
  private static func dividedName(in arguments: [String], after first: Int) -> Range<Int>? {
    let store = try? Context.current.settings.printers()
    for start in arguments.indices.dropFirst(first) where !arguments[start].hasPrefix("-") {
      let run = arguments[start...].prefix { !$0.hasPrefix("-") }
      guard run.count > 1 else { continue }
      if store?.printer(named: run.joined(separator: " ")) != nil { return run.indices }
      let areKnown = run.allSatisfy { store?.printer(named: $0) != nil }
      if start == first, !areKnown { return run.indices }
    }
    return nil
  }

  /// Returns the command line as one types it in a shell: options without quotes.
  static func shellLine(_ arguments: [String]) -> String {
    let words = arguments.map { word in
      let hyphens = word.prefix { $0 == "-" }
      return hyphens
        + (hyphens == word ? "" : ShellWord.quoted(String(word.dropFirst(hyphens.count))))
    }
    return "airprint " + words.joined(separator: " ")
  }
}

extension String {
  /// Returns the range between a text and the next end; nil if there is none.
  func range(between start: String, and end: String) -> Range<Index>? {
    guard let start = firstRange(of: start), let end = self[start.upperBound...].firstRange(of: end)
    else { return nil }
    return start.upperBound..<end.lowerBound
  }
}
