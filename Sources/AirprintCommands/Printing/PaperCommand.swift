internal import AirprintContext
internal import ArgumentParser
internal import ForeignText
internal import Glibc
internal import PrintModel
internal import Printing
internal import Terminal

/// `airprint paper`.
struct PaperCommand: AirprintCommand, PrintFlags {
  static let configuration = CommandConfiguration(
    "paper", "Show the paper a job would be printed on.", usage: "[<printer>]",
    examples: ["airprint paper", "airprint paper Till --type receipt --json"],
    notes: """
      It takes print's options; paper --help-all shows every option.
      """)

  @OptionGroup var printer: PrinterArgument
  @OptionGroup var credentials: CredentialsOption
  @OptionGroup(title: HelpTitle.everyday) var everyday: EverydayOptions
  @OptionGroup(title: HelpTitle.paper, visibility: .rare) var sheet: PaperOptions
  @OptionGroup(title: HelpTitle.page, visibility: .rare) var page: PageOptions
  @OptionGroup(title: HelpTitle.job, visibility: .rare) var insistence: InsistenceOptions
  @OptionGroup(title: HelpTitle.job, visibility: .rare) var job: JobAttributeOption
  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    let context = try credentials.context(context, output)
    let arguments = try arguments(files: [], jobOptions: job.option)
    if let word = printer.printer, word.contains("."), access(word, F_OK) == 0 {
      throw Failure(
        .usage,
        "\(word) is a file. To see the paper it would be printed on: airprint print --dry-run "
          + ShellWord.quoted(word))
    }
    let target = try await printer.target(for: arguments.type, context)
    let ticket = try await choosePaper(arguments, at: target, context)
    if output.isJSON { return try output.json(ticket.paper) }
    let paper = ticket.paper
    try output.line(paper.inWords + (paper.isReady ? "" : ", not known to be loaded"))
    // People measure in millimeters; programs that place things use points.
    let isShown = output.out.isTerminal
    try output.line("sheet      \(paper.paperRect.inWords(inMillimeters: isShown))")
    try output.line("printable  \(paper.printableRect.inWords(inMillimeters: isShown))")
  }
}

extension Rectangle {
  /// Returns the rectangle in words: `576 x 842 pt at 9.5, 12`, or `203.2 x 297 mm at 3.4, 4.2`.
  fileprivate func inWords(inMillimeters: Bool) -> String {
    let (scale, unit) = inMillimeters ? (25.4 / 72, "mm") : (1, "pt")
    func text(_ points: Double) -> String { (points * scale).short }
    return "\(text(width)) x \(text(height)) \(unit) at \(text(x)), \(text(y))"
  }
}

extension Double {
  /// The number with at most one decimal.
  var short: String {
    let tenths = (self * 10).rounded() / 10
    return Int(exactly: tenths).map { "\($0)" } ?? "\(tenths)"
  }
}
