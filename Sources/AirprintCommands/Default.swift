internal import AirprintKit
internal import ArgumentParser
internal import PrintModel

/// `airprint default`.
struct Default: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Choose the saved printer that is used when none is named.",
    discussion: "airprint default Till --type receipt")

  @Argument(
    help: ArgumentHelp("The printer's saved name.", valueName: "name"), completion: .savedPrinters)
  var name: String

  @OptionGroup var types: TypeList

  @Flag(help: "Choose in the administrator's file.")
  var system = false

  @OptionGroup var global: GlobalOptions

  mutating func run() async throws {
    let context = Context.current
    let output = Output(global, environment: context.environment)
    let types = try types.types()
    let change = try assignPrinter(name, to: types, system: system, context)
    if output.isJSON { return try output.json(change) }
    for line in change.sentences { output.message(line) }
  }
}
