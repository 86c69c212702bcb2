internal import AirprintContext
internal import ForeignText
internal import Jobs
internal import PrintModel
internal import Printing
internal import Synchronization
internal import System
internal import Terminal

/// Shows the events of `print`: a progress line on a terminal, permanent sentences, JSON lines.
final class PrintProgress {
  private let output: CommandOutput
  private let isDryRun: Bool
  private var printer: String
  private let progress: ProgressLine?
  private var waited: [Trouble] = []
  /// True to print `lp`'s line for each job.
  private let likeLp: Bool
  /// True to suggest `--later` if the printer is off.
  private let offersLater: Bool
  private var jobs: [String: Int] = [:]
  /// Number of files, and of those that have ended.
  private let files: Int
  private var over = 0
  /// The file that the line shows; another one may be sent ahead in the meantime.
  private var current: String?
  /// Number of sides sent of files that have not ended, which the printer will count.
  private var sides: [String: Int] = [:]
  /// Phases reported last for files that have not ended.
  private var phases: [String: String] = [:]

  init(
    _ output: CommandOutput, printer: String, files: Int = 1, isDryRun: Bool, likeLp: Bool = false,
    offersLater: Bool = false
  ) {
    self.offersLater = offersLater
    self.output = output
    self.files = files
    self.likeLp = likeLp
    self.isDryRun = isDryRun
    self.printer = printer
    progress = output.progress("Printing")
  }

  /// Shows `reports` to their end, and exits with the worst of their codes, or by the signal that ended them.
  func show(all reports: AsyncStream<PrintEvent>) async throws {
    let cancellation = Cancellation.catchingSignals()
    var codes: [PrintModel.ExitCode] = []
    for await report in reports {
      if case .finished(let result) = report { codes.append(result.exitCode) }
      try show(report)
    }
    progress?.end()
    if files > 1, !isDryRun, cancellation.signal != nil {
      output.message("Stopped after \(codes.count { $0 == .success }) of \(files) files.")
    }
    let worst = PrintModel.ExitCode.worst(of: codes)
    if let signal = cancellation.signal, worst == .interrupted || worst == .terminated {
      Cancellation.takeItsCourse(signal: signal)
    }
    try SilentExit.end(withWorstOf: codes)
  }

  private func show(_ report: PrintEvent) throws {
    switch report {
    case .event(let file, let event): try show(event, file)
    case .plan(let plan): try progress.aside { try show(plan) }
    case .finished(let result):
      try progress.aside { try show(result) }
      guard current == result.file else { break }
      // The file that was sent ahead, if any.
      current = phases.keys.first
      if files > over { progress?.begin(current.flatMap { phases[$0] } ?? "Printing") }
    }
  }

  private func show(_ event: JobEvent, _ file: String) throws {
    if current == nil { current = file }
    let isCurrent = current == file
    switch event {
    case .contacting(let printer): begin("Waiting for \(printer)", file, isCurrent)
    case .reached(let name):
      printer = name
      begin("Preparing \(title(file))", file, isCurrent)
    case .created(let jobId):
      jobs[file] = jobId
      begin("Sending \(title(file))", file, isCurrent)
    case .sending(let part):
      sides[file] = part.allSides
      if isCurrent, part.allSides > 1 { progress?.advance(to: part.sides, of: part.allSides) }
    case .sent:
      if likeLp, let job = jobs[file] {
        progress.aside {
          output.tell(of: "\(lpName(printer))-\(job)", file) {
            try output.line("request id is \(lpName(printer))-\(job) (1 file(s))")
          }
        }
      }
      begin("\(printer) is printing \(title(file))", file, isCurrent)
    case .printing(let impressions, let timeLeft):
      guard isCurrent, impressions ?? 0 > 0 || timeLeft != nil else { break }
      let done = impressions ?? 0
      // The printer also counts the copies that it makes.
      let all = sides[file].flatMap { $0 > 1 && done <= $0 ? $0 : nil }
      progress?.advance(to: done, of: all, timeLeft: timeLeft)
    case .waiting(let troubles):
      // Report each state once, both for logs and for people.
      let news = troubles.filter { !waited.contains($0) }
      if isCurrent, troubles.isEmpty != waited.isEmpty { showPause(troubles, file) }
      waited = troubles
      for trouble in news { warn("\(printer): \(trouble.text).") }
    case .told(let entry):
      warn(files > 1 ? "\(cleaned(file)): \(entry.message)" : entry.message)
    case .aboutPrinter(let text): warn(text)
    case .detail: break
    }
  }

  /// Shows in the progress line that the printer is stopped, and at which of several files.
  private func showPause(_ troubles: [Trouble], _ file: String) {
    let isForPaper = troubles.contains { $0.need == .paper }
    let pause =
      "\(printer) is waiting" + (isForPaper ? " for paper" : "")
      + (files > 1 ? ": \(title(file))" : "")
    if let phase = troubles.isEmpty ? phases[file] : pause { progress?.begin(phase) }
  }

  private func begin(_ phase: String, _ file: String, _ isCurrent: Bool) {
    phases[file] = phase
    if isCurrent { progress?.begin(phase) }
  }

  /// Returns the file's name without its folder: `report.pdf`, or `report.pdf (3 of 30)`.
  private func title(_ file: String) -> String {
    let name = cleaned(Context.lastComponent(Context.title(of: file)))
    return files > 1
      ? "\(name) (\(min(files, over + (current == file ? 1 : 2))) of \(files))" : name
  }

  private func warn(_ text: String) { progress.aside { output.warning(text) } }

  private func show(_ plan: PrintPlan) throws {
    if output.isJSON { return try output.jsonLine(plan) }
    for line in plan.lines { try output.folded(line, indent: line.hasPrefix("  ") ? 4 : 12) }
  }

  private func show(_ outcome: PrintResult) throws {
    var result = outcome
    over += 1
    phases[result.file] = nil
    sides[result.file] = nil
    if result.isQueued, result.exitCode == .success { return try showQueued(result) }
    if result.reason == .unavailable, offersLater {
      result.message = result.message.map { "\($0) --later keeps the document until it is." }
    }
    // A dry run has shown its plan, which is its whole output.
    if output.isJSON, !isDryRun || result.exitCode != .success {
      output.tell(of: result.job, result.file) { try output.jsonLine(result) }
    }
    if result.exitCode == .success {
      if !isDryRun { output.success(result.praise(as: result.title)) }
    } else {
      output.complain("airprint: \(result.complaint)")
    }
  }
}

extension PrintProgress {
  /// Shows that the printer did not answer, and that the job is queued.
  private func showQueued(_ result: PrintResult) throws {
    guard let job = result.job else { return }
    output.tell(of: job, result.file) {
      if output.isJSON {
        try output.jsonLine(result)
      } else if !output.saysAll {
        try output.line(job)
      }
    }
    output.message(
      "\(result.message ?? "The printer does not answer.") Queued \(result.title) (\(job)). "
        + "Print it with: airprint queue run")
  }
}

extension PrintResult {
  var title: String { cleaned(Context.title(of: file)) }

  /// The failure after the document's name; an error in the settings does not concern the document.
  var complaint: String {
    let why = message ?? "failed"
    return exitCode == .configuration ? why : "\(title): \(why)"
  }

  /// Returns the line for a success: `Printed receipt.pdf on Till: 1 page on 80 mm roll, cut at 120 mm (job k7q2m).`.
  func praise(as name: String) -> String {
    let place = printer ?? "the printer"
    var text = state == .completed ? "Printed \(name) on \(place)" : "Sent \(name) to \(place)"
    if let ticket, ticket.isRaw {
      text += ", as is"
    } else if let ticket {
      let pages = ticket.pages.count
      text += ": \(pages.counted("page"))"
      if ticket.numberUp > 1 { text += ", \(ticket.numberUp) on each side" }
      if let poster = ticket.poster { text += ", \(poster.sheets) sheets each" }
      let isPlain = ticket.numberUp == 1 && ticket.poster == nil
      text += ticket.copies > 1 ? ", \(ticket.copies) copies" : isPlain ? "" : ","
      text += " on \(ticket.paper.title)"
      if ticket.paper.isRoll { text += ", cut at \(ticket.paper.size.length.inMillimeters)" }
    }
    if state == .held, let job {
      return text + ". It is held there: to let it print, run: airprint release \(job)"
    }
    return text + "."
  }
}

/// Writes the failure that ended a command to standard output, if JSON is requested and nothing else is there: as lines
/// of `print --json`, one for each of `files`, or as an object.
func writeResults(_ failure: Failure, of files: [String], _ arguments: [String]) {
  let options = arguments.prefix { $0 != "--" }
  let words = options.filter { !globalFlags.contains($0) }
  // Without a command, a word with a dot or a slash is meant to be a file.
  let isAboutFiles =
    words.first.map { word in
      ["print", "reprint"].contains(word)
        || !Airprint.hasCommand(word) && word.contains { "./-".contains($0) }
    } ?? true
  guard options.contains("--json"), !CommandOutput.isTaken.load(ordering: .relaxed) else { return }
  let screen = Screen(descriptor: 1, environment: Context.current.environment)
  let isPrinting =
    isAboutFiles || [["queue", "add"], ["queue", "run"]].contains(Array(words.prefix(2)))
  // Standard error has the message as well, if standard output is closed.
  guard isPrinting else {
    try? screen.print(failure.jsonLine())
    return
  }
  for file in files.isEmpty ? [""] : files {
    try? screen.print(CommandOutput.text(of: PrintResult(file: file, failure)))
  }
}

extension PrintPlan {
  /// The plan for people: the choices, then their reasons.
  fileprivate var lines: [String] {
    let ticket = self.ticket
    var lines = [
      "printer     \(printer) (\(uri))",
      "document    \(Context.title(of: file)), \(mediaType), \(pages.counted("page"))",
      "type        \(ticket.type.rawValue)",
      "paper       \(ticket.paper.title)\(ticket.paper.source.map { ", \($0)" } ?? "")"
        + (ticket.paper.isRoll ? ", cut at \(ticket.paper.size.length.inMillimeters)" : "")
        + (ticket.paper.isReady ? "" : ", not known to be loaded"),
      "format      \(ticket.format)\(ticket.isPassedThrough ? ", as is" : "")",
      "color       \(ticket.color == .gray ? "gray" : ticket.colorKeyword)",
      "quality     \(ticket.quality.keyword)",
      "sides       \(ticket.sides.words)",
      "scaling     \(ticket.scaling.rawValue)",
    ]
    // For a format sent unchanged, the resolution is up to the printer.
    if !ticket.isPassedThrough || DocumentFormat.isRaster(ticket.format) {
      lines.append("resolution  \(ticket.resolution)")
    }
    if ticket.copies > 1 { lines.append("copies      \(ticket.copies)") }
    if let sheets { lines.append("sheets      \(sheets)") }
    return lines + ["why"] + ticket.reasons.map { "  \($0)" }
  }
}
