internal import AirprintContext
internal import ArgumentParser
internal import Printers

/// `airprint identify`.
struct Identify: AirprintCommand {
  static let configuration = CommandConfiguration(
    "identify", "Make a printer flash or beep.", usage: "[<printer>]",
    examples: ["airprint identify Till"])

  @OptionGroup var printer: PrinterArgument
  @OptionGroup var credentials: CredentialsOption
  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    let context = try credentials.context(context, output)
    let target = try await printer.target(for: nil, context)
    let actions = try await identifyPrinter(target, context)
    if output.isJSON { return try output.json(["actions": actions]) }
    let how = actions.isEmpty ? "" : " (\(actions.joined(separator: ", ")))"
    output.message("\(target.name) is identifying itself\(how).")
  }
}
