internal import AirprintContext
internal import ForeignText
internal import FoundationEssentials
internal import PrintModel
internal import Synchronization
internal import System
internal import Terminal

/// All output of a command: data on standard output, as text or as JSON; everything else, for people, on standard
/// error.
///
/// Text from a network is cleaned before it reaches a terminal.
struct CommandOutput: Sendable {
  let isJSON: Bool
  let isQuiet: Bool
  let out: Screen
  let err: Screen

  init(_ options: GlobalOptions, environment: [String: String]) {
    isJSON = options.json
    isQuiet = options.quiet
    out = Screen(descriptor: 1, environment: environment)
    err = Screen(descriptor: 2, environment: environment)
    if options.verbose { VerboseLog.start() }
  }

  /// True if the user may be asked: at a terminal, and neither `--json` nor `--quiet` was given.
  func mayAsk(_ context: Context) -> Bool { context.isInteractive && !isJSON && !isQuiet }

  /// Shows a progress line until its end; nil if output is quiet.
  func progress(_ text: String) -> ProgressLine? {
    isQuiet ? nil : ProgressLine(text, on: err)
  }

  /// True once standard output has its JSON document, or other data.
  static let isTaken = Atomic<Bool>(false)

  /// Prints one JSON document, formatted to be readable.
  func json(_ value: some Encodable) throws {
    Self.isTaken.store(true, ordering: .relaxed)
    try out.print(Self.document(value, Self.readable))
  }

  /// Prints a JSON array in the same format, one element at a time: there may be thousands.
  func json(list values: some Sequence<some Encodable>) throws {
    var last: String?
    for value in values {
      try out.print(last.map { $0 + "," } ?? "[")
      let lines = try Self.document(value, Self.readable).split(separator: "\n")
      last = lines.map { "  " + $0 }.joined(separator: "\n")
    }
    Self.isTaken.store(true, ordering: .relaxed)
    guard let last else { return try json([String]()) }
    try out.print(last + "\n]")
  }

  private static let readable: JSONEncoder.OutputFormatting = [
    .prettyPrinted, .sortedKeys, .withoutEscapingSlashes,
  ]

  /// Prints one JSON object on a single line, for results that arrive one by one.
  func jsonLine(_ value: some Encodable) throws {
    try out.print(Self.text(of: value))
  }

  /// Returns one JSON object on a single line.
  static func text(of value: some Encodable) throws -> String {
    try document(value, [.sortedKeys, .withoutEscapingSlashes])
  }

  private static func document(
    _ value: some Encodable, _ format: JSONEncoder.OutputFormatting
  ) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = format
    return terminalSafeJSON(String(decoding: try encoder.encode(value), as: UTF8.self))
  }

  /// Prints a line of data for people.
  func line(_ text: String) throws { try out.print(out.shown(text)) }

  /// Prints a line of data, wrapped with an indentation of `indent` if the terminal is too narrow.
  ///
  /// Blanks between words are kept, which preserves columns.
  func folded(_ text: String, indent: Int) throws { try wrapped("", text, indent: indent) }

  /// Prints facts, each on a line behind its name; one without a text is left out.
  func facts(_ facts: [(String, String?)]) throws {
    for case (let name, let text?) in facts where !text.isEmpty {
      try folded("\(name.padded(to: 11)) \(text)", indent: 12)
    }
  }

  /// Prints the same after `start`, which contains its colors.
  func wrapped(
    _ start: String, _ text: String, _ styled: (String) -> String = { $0 }, indent: Int = 0
  ) throws {
    let text = out.shown(text)
    guard let width = out.lineWidth, width > 20 else {
      return try out.print(start + styled(text))
    }
    // In a narrow window, the text after a long start begins on a new line.
    let isNarrow = width < indent + 20
    let depth = isNarrow ? min(indent, 4) : indent
    var lines = text.wrapped(to: width, first: start.isEmpty ? 0 : depth, rest: depth)
    if isNarrow, !start.isEmpty {
      try out.print(start)
    } else if !lines.isEmpty {
      try out.print(start + styled(lines.removeFirst()))
    }
    for line in lines {
      try out.print(String(repeating: " ", count: depth) + styled(line))
    }
  }

  /// Calls `write` to print data about a job that has been accepted, or has ended.
  ///
  /// Errors of standard output are then reported on standard error, with the job, instead of thrown: the exit status
  /// describes the paper, and 73 would mean that nothing was printed.
  func tell(of job: String?, _ file: String, _ write: () throws -> Void) {
    do {
      try write()
    } catch {
      let why =
        switch error as? TerminalError {
        case .closed: "no program reads it"
        case .system(_, let number): SystemError(number).description
        default: "\(error)"
        }
      let name = Context.title(of: file)
      let which = job.map { "\(name) was accepted as job \($0)" } ?? name
      complain("airprint: \(which), but standard output can't be written: \(why).")
    }
  }

  /// Prints the rows of a table; nothing if there are none.
  ///
  /// For other programs, they are separated by tabs, without a heading and uncut.
  ///
  /// - `isLong`: nothing is left out or cut.
  func table(_ columns: [Column], _ rows: [[Cell]], isLong: Bool = false) throws {
    guard out.isTerminal else {
      for row in rows { try out.print(row.map(\.text).joined(separator: "\t")) }
      return
    }
    let width = isLong ? nil : out.lineWidth
    for line in Table(columns).lines(rows, width: width, colors: out.hasColors) {
      try out.print(line)
    }
  }

  /// Prints a sentence for people, unless output is quiet.
  func message(_ text: String) {
    if !isQuiet { complain(text) }
  }

  /// Reports a success, with its first word green if colors are supported.
  func success(_ text: String) {
    guard !isQuiet else { return }
    try? err.print(shown(text).withFirstWord(.green, if: hasColors))
  }

  /// Reports a warning, in yellow if colors are supported.
  func warning(_ text: String) {
    guard !isQuiet else { return }
    try? err.print(shown(text).styled([.yellow], if: hasColors))
  }

  /// Reports the failure of one of several jobs; with `--json`, also as a line.
  func fail(_ failure: Failure, of job: String? = nil) {
    // Standard error has the message as well, if standard output is closed.
    if isJSON { try? out.print(failure.jsonLine(of: job)) }
    complain("airprint: \(failure.message)")
  }

  /// Prints a sentence for people even if output is quiet.
  func complain(_ text: String) { err.complain(text) }

  /// Returns a message in a form that is safe for standard error.
  private func shown(_ text: String) -> String { err.folded(err.shown(text, keepingLines: true)) }

  /// True if results and messages go to the same terminal: then a result that a message contains needs no line of its
  /// own.
  var saysAll: Bool { out.isTerminal && err.isTerminal && !isQuiet }

  /// True if standard error supports colors.
  var hasColors: Bool { err.isTerminal && err.hasColors }
}

/// A failure as JSON.
private struct FailureReport: Encodable {
  /// The job that it is about, as it was named; left out for a command that takes none.
  var job: String?
  var exitCode: PrintModel.ExitCode
  var reason: FailureReason
  var message: String
}

extension Failure {
  /// The failure as an object on a line of JSON, of one of several jobs as it was named.
  func jsonLine(of job: String? = nil) throws -> String {
    try CommandOutput.text(
      of: FailureReport(job: job, exitCode: code, reason: reason, message: message))
  }
}

extension Screen {
  /// Prints a sentence for people, made safe for this screen; the program's name before an error is red.
  func complain(_ text: String) {
    let isRed = isTerminal && hasColors && text.hasPrefix("airprint: ")
    // A failure is ignored: the user has closed standard error.
    try? print(folded(shown(text, keepingLines: true)).withFirstWord(.red, if: isRed))
  }
}

/// Asks on the terminal; a signal that ends the question ends this process.
func asking<Answer>(
  _ ask: (Prompt) async throws(TerminalError) -> Answer
) async throws(TerminalError) -> Answer {
  do throws(TerminalError) {
    return try await ask(Prompt())
  } catch {
    if case .interrupted(let signal) = error { Cancellation.takeItsCourse(signal: signal) }
    throw error
  }
}

/// Asks a yes/no question on the terminal, like `asking`.
func confirm(_ question: String, default usual: Bool) async throws(TerminalError) -> Bool {
  try await asking { (prompt) throws(TerminalError) in
    try await prompt.confirm(question, default: usual)
  }
}

/// Formats seconds since 1970 as local time: `2026-11-21 14:03`.
func localTime(_ seconds: Double) -> String { WallClock.text("%F %R", seconds) }

/// Formats a time for lists: `14:03` today, `Nov 21 14:03` in the last months, else `Nov 21 2025`.
func shortTime(_ seconds: Double) -> String {
  if WallClock.text("%F", seconds) == WallClock.today { return WallClock.text("%R", seconds) }
  let isNear = abs(WallClock.seconds - seconds) < 182 * 86_400
  return WallClock.text(isNear ? "%b %e %R" : "%b %e %Y", seconds)
}

extension String {
  /// The text up to the end of its first sentence.
  var firstSentence: String {
    firstRange(of: ". ").map { "\(self[..<$0.lowerBound])." } ?? self
  }

  /// Returns the text with its first word bold and in a color.
  func withFirstWord(_ color: TerminalStyle, if allowed: Bool) -> String {
    let word = prefix { $0 != " " }
    return String(word).styled([color, .bold], if: allowed) + dropFirst(word.count)
  }
}
