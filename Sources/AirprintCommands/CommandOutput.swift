internal import ForeignText
internal import FoundationEssentials
internal import Glibc
internal import System
internal import Terminal

/// The one gate to the outside: data on standard output, as text or as JSON; everything else, for
/// people, on standard error.
///
/// What comes from a network is cleaned before it reaches a terminal.
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

  /// One JSON document, laid out for people too.
  func json(_ value: some Encodable) throws {
    try write(value, [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
  }

  /// One JSON object on a line of its own, for results that come one by one.
  func jsonLine(_ value: some Encodable) throws {
    try write(value, [.sortedKeys, .withoutEscapingSlashes])
  }

  private func write(_ value: some Encodable, _ format: JSONEncoder.OutputFormatting) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = format
    let document = String(decoding: try encoder.encode(value), as: UTF8.self)
    try out.print(terminalSafeJSON(document))
  }

  /// A line of data for people.
  func line(_ text: String) throws { try out.print(out.shown(text)) }

  /// A line of data that continues on the next ones, `indent` deep, where the terminal is too narrow for it.
  ///
  /// Blanks between words stay, so that what stands in columns does.
  func folded(_ text: String, indent: Int) throws { try wrapped("", text, indent: indent) }

  /// The same behind `start`, which has its colors.
  func wrapped(
    _ start: String, _ text: String, _ styled: (String) -> String = { $0 }, indent: Int = 0
  ) throws {
    let text = out.shown(text)
    guard let width = out.lineWidth, width > 20 else {
      return try out.print(start + styled(text))
    }
    // In a narrow window what follows a long start begins on a line of its own.
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

  /// Writes data on a job that has been accepted, or is over, by `write`.
  ///
  /// An error of standard output is then reported on standard error, with the job, and not thrown: the
  /// exit status is about the paper, and 73 would say that none came out.
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
      let name = file == "-" ? "standard input" : file
      let which = job.map { "\(name) was accepted as job \($0)" } ?? name
      complain("airprint: \(which), but standard output can't be written: \(why).")
    }
  }

  /// The rows of a table, or nothing when there are none.
  ///
  /// For other programs they are separated by tabs, without a heading and without cuts.
  func table(_ columns: [Column], _ rows: [[Cell]]) throws {
    guard out.isTerminal else {
      for row in rows { try out.print(row.map(\.text).joined(separator: "\t")) }
      return
    }
    let lines = Table(columns).lines(rows, width: out.lineWidth, colors: out.hasColours)
    for line in lines { try out.print(line) }
  }

  /// A sentence for people, unless they want quiet.
  func message(_ text: String) {
    guard !isQuiet else { return }
    complain(text)
  }

  /// Reports a success, its first word green where there are colors.
  func success(_ text: String) {
    guard !isQuiet else { return }
    try? err.print(shown(text).withFirstWord(.green, if: hasColors))
  }

  /// Reports a surprise, yellow where there are colors.
  func warning(_ text: String) {
    guard !isQuiet else { return }
    try? err.print(shown(text).styled([.yellow], if: hasColors))
  }

  /// A sentence for people that quiet does not silence; the program's name before an error is red.
  func complain(_ text: String) {
    // A user who closed standard error does not want to know.
    try? err.print(
      shown(text).withFirstWord(
        .red, if: hasColors && text.hasPrefix("airprint: ")))
  }

  /// A message as it may stand on standard error.
  private func shown(_ text: String) -> String { err.folded(err.shown(text, keepingLines: true)) }

  /// A user reads results and messages on one terminal: a result that a message has needs no line of its own.
  var saysAll: Bool { out.isTerminal && err.isTerminal && !isQuiet }

  /// Standard error shows colors.
  var hasColors: Bool { err.isTerminal && err.hasColours }
}

/// `2026-11-21 14:03`, local time, of seconds since 1970.
func localTime(_ seconds: Double) -> String { localTime(seconds, as: "%F %R") }

/// The same as a list has it: `14:03` today, `Nov 21 14:03` in the last months, else `Nov 21 2025`.
func shortTime(_ seconds: Double, now: Double = Double(time(nil))) -> String {
  if localTime(seconds, as: "%F") == localTime(now, as: "%F") {
    return localTime(seconds, as: "%R")
  }
  let isNear = abs(now - seconds) < 182 * 86_400
  return localTime(seconds, as: isNear ? "%b %e %R" : "%b %e %Y")
}

private func localTime(_ seconds: Double, as format: String) -> String {
  var time = time_t(seconds)
  var parts = tm()
  localtime_r(&time, &parts)
  var text = [CChar](repeating: 0, count: 32)
  strftime(&text, text.count, format, &parts)
  return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}

extension String {
  /// Its first word in a color, bold.
  func withFirstWord(_ color: TerminalStyle, if allowed: Bool) -> String {
    let word = prefix { $0 != " " }
    return String(word).styled([color, .bold], if: allowed) + dropFirst(word.count)
  }
}
