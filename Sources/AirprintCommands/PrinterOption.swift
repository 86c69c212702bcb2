internal import AirprintKit
internal import ArgumentParser
internal import PrintModel

/// `-d/--to PRINTER`.
struct PrinterOption: ParsableArguments {
  @Option(
    name: [.customShort("d"), .customLong("to")],
    help: ArgumentHelp(
      "The printer: a saved name, a URI, a UUID, a name on the network, or part of a name; else the "
        + "one saved for the type, else the default.", valueName: "printer"),
    completion: .savedPrinters)
  var printer: String?
}

/// `[PRINTER]`, for commands about a printer.
struct PrinterArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "A saved name, a URI, a UUID, a name on the network, or part of a name; else the default "
        + "printer.", valueName: "printer"), completion: .savedPrinters)
  var printer: String?

  /// The printer that is meant; exit 69 when none is.
  func target(for type: JobType?, _ context: Context) async throws(Failure) -> Target {
    guard let target = try await findPrinter(context.meant(printer), for: type, context) else {
      throw noPrinterSaved(for: type)
    }
    return target
  }
}

extension Context {
  /// What was typed, else `$AIRPRINT_PRINTER`.
  func meant(_ typed: String?) -> String? {
    typed ?? environment["AIRPRINT_PRINTER"].flatMap { $0.isEmpty ? nil : $0 }
  }
}

/// Nothing is saved and nobody can be asked: exit 69 with the command that mends it.
func noPrinterSaved(for type: JobType?) -> Failure {
  let purpose = type.map { " for \($0.rawValue)" } ?? ""
  let option = type.map { " --type \($0.rawValue)" } ?? ""
  return Failure(.unavailable, "No printer is saved\(purpose): run airprint pick\(option).")
}
