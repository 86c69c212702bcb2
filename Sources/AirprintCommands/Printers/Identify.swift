internal import AirprintContext
internal import ArgumentParser
internal import PrintModel
internal import Printers

/// `airprint identify`.
struct Identify: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    "identify", "Make a printer flash or beep.", usage: "[<printer>]",
    examples: ["airprint identify Till"])

  @OptionGroup var printer: PrinterArgument
  @OptionGroup var credentials: CredentialsOption
  @OptionGroup var global: GlobalOptions

  mutating func run() async throws {
    let output = CommandOutput(global, environment: Context.current.environment)
    let context = try credentials.context(output)
    let target = try await printer.target(for: nil, context)
    let actions = try await identifyPrinter(target, context)
    if output.isJSON { return try output.json(["actions": actions]) }
    let how = actions.isEmpty ? "" : " (\(actions.joined(separator: ", ")))"
    output.message("\(target.name) is identifying itself\(how).")
  }
}
