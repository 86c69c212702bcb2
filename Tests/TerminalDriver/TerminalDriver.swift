// The program that TerminalTests starts on a pseudo-terminal: it runs one part of Terminal.

import Dispatch
import Glibc
import Terminal

@main
enum TerminalDriver {
  static func main() async {
    let environment = currentEnvironment()
    let arguments = CommandLine.arguments.dropFirst()
    do {
      switch arguments.first {
      case "pick": say("\(try await pick(start: arguments.dropFirst().first, environment))")
      case "confirm": say("\(try await Prompt().confirm("Go on?", default: false))")
      case "secret": say("\(try await Prompt().secret("Password") ?? "nothing")")
      case "progress": try await work(environment)
      case "wait":
        let progress = ProgressLine(
          "Sending five.txt", on: Screen(descriptor: 2, environment: environment))
        _ = readLine()
        progress.end()
      default: say("what?")
      }
    } catch {
      say("error: \(error)")
    }
    // In glibc 2.42, exit(3) waits for a thread that reads standard input.
    _exit(0)
  }

  /// Runs the picker; each line of stdin is a whole list, with rows separated by `;`, fields by `|`, columns by `,`.
  private static func pick(
    start: String?, _ environment: [String: String]
  ) async throws(TerminalError) -> PickerResult {
    let (rows, feed) = AsyncStream<[PickerRow]>.makeStream()
    DispatchQueue(label: "stdin").async {
      while let line = readLine() { feed.yield(line.split(separator: ";").map(row)) }
      feed.finish()
    }
    var text = PickerText(title: "Select a printer")
    text.hint = "↑↓ move · type to filter · Enter saves · Esc leaves"
    (text.searching, text.nothing) = ("Looking for printers", "No printer found.")
    text.columns = [
      Column("types", importance: 1), Column("color", importance: 0),
      Column("state", importance: 3),
    ]
    return try await pickRow(from: rows, text, start: start, environment: environment)
  }

  private static func row(_ text: Substring) -> PickerRow {
    let fields = text.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    func field(_ index: Int) -> String? { index < fields.count ? fields[index] : nil }
    return PickerRow(
      id: fields[0], title: field(1) ?? fields[0], subtitle: field(2),
      columns: (field(3) ?? "").split(separator: ",", omittingEmptySubsequences: false)
        .map(String.init),
      mark: field(4))
  }

  /// Waits, prints a message, counts, and fails.
  private static func work(_ environment: [String: String]) async throws {
    struct Failed: Error {}
    let screen = Screen(descriptor: 2, environment: environment)
    let progress = ProgressLine("Waiting for Office", on: screen)
    defer { progress.end() }
    try? await Task.sleep(for: .milliseconds(600))
    try progress.aside { try screen.print("Office is awake.") }
    progress.begin("Printing")
    for page in 1...3 {
      progress.advance(to: page, of: 4)
      try? await Task.sleep(for: .milliseconds(150))
    }
    throw Failed()
  }

  private static func say(_ text: String) {
    _ = try? Screen(descriptor: 1, environment: [:]).print(text)
  }

  private static func currentEnvironment() -> [String: String] {
    var environment: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let parts = String(cString: text).split(separator: "=", maxSplits: 1).map(String.init)
      if parts.count == 2 { environment[parts[0]] = parts[1] }
      entry += 1
    }
    return environment
  }
}
