internal import AirprintContext
internal import ArgumentParser
internal import Jobs
internal import PrintModel
internal import Printers
internal import Printing
internal import System

/// `airprint reprint`.
struct ReprintCommand: AirprintCommand {
  static let configuration = CommandConfiguration(
    "reprint", "Print a job again.", usage: "[<job>]",
    examples: [
      "airprint reprint", "airprint reprint k7q2m -d Back -P 2-3",
      "airprint reprint --dry-run --paper A5",
    ])

  @Argument(
    help: "The job, as listed by airprint jobs (default: the last one).", completion: .from(.jobs))
  var job: String?

  @OptionGroup var printer: OtherPrinterOption

  @Option(
    name: [.customShort("P"), .long],
    help: .init("Pages to print: 1-3,7,9- by position, or labels: iv,A-1.", valueName: "list"))
  var pages: String?

  @Option(help: "What is printed, as for print.", completion: .words(JobType.self))
  var type: String?

  @Option(help: "Paper, as for print.", completion: .from(.papers))
  var paper: String?

  @Option(
    name: [.customShort("n"), .long],
    help: .init("Number of copies (default: as before).", valueName: "number"))
  var copies: String?

  @OptionGroup var trial: DryRunOption
  @OptionGroup var password: PasswordOption
  @OptionGroup var secrecy: PINOption
  @OptionGroup var credentials: CredentialsOption
  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    var context = context
    try credentials.check()
    context.passwordFile = credentials.passwordFile
    let former = try reprint(job, context)
    var arguments = former.arguments
    arguments.typed += printOptions
    if let type { arguments.type = try JobType.named(type) }
    arguments.isDryRun = trial.dryRun
    arguments.asks = trial.ask
    try arguments.validate()
    if let password = try await password.password() { arguments.password = password }
    arguments.pin = try await secrecy.pin()
    let names = try printer.printer.map { try printerNames($0, context) }
    var targets = [former.target].compactMap { $0 }
    if names != nil || targets.isEmpty {
      targets = try await findPrinters(
        names ?? former.printers, for: arguments.type, isStored: names == nil, context)
      arguments.choosesPrinter =
        names == nil && former.printers.isEmpty && arguments.type == nil
    }
    let progress = PrintProgress(
      output, printer: targets.first?.name ?? "the printer", isDryRun: trial.dryRun)
    try await progress.show(
      all: startPrinting(
        arguments, at: targets, context, cancellation: Cancellation.catchingSignals()))
  }
}
