internal import AirprintContext
internal import ForeignText
internal import PrintModel
internal import Printers

/// Saves the printers of a list for `airprint pick --from FILE`, and reports them line by line.
func pickFromList(
  _ path: String, _ arguments: PickArguments, _ context: Context, _ output: CommandOutput
) async throws {
  guard arguments.name == nil, arguments.types.isEmpty, arguments.settings.isEmpty,
    !arguments.asDefault,
    arguments.lowestTLS == nil
  else {
    throw Failure(
      .usage,
      "--from takes names, types and settings from the list: leave out the options for them.")
  }
  let printers = try await pickPrinters(from: path, arguments, context)
  if output.isJSON {
    try output.json(printers)
  } else {
    for printer in printers {
      if let name = printer.name {
        output.message("Saved \(name.safeName) (\(printer.uri ?? "")).")
      } else {
        output.message("Not saved: \(printer.entry.onOneLine): \(printer.problem ?? "")")
      }
    }
    if printers.isEmpty { output.message("\(path) has no printers.") }
  }
  let worst = printers.first { $0.exitCode != .success }?.exitCode
  if let worst { throw SilentExit(exitCode: worst) }
  if printers.isEmpty { throw SilentExit(exitCode: .nothing) }
}
