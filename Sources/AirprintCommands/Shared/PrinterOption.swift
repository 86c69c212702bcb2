internal import AirprintContext
internal import ArgumentParser
internal import Glibc
internal import PrintModel
internal import Printers
internal import System

/// `-d/--to PRINTER` of commands that choose a printer by type.
struct PrinterOption: ParsableArguments {
  @Option(
    name: [.customShort("d"), .customLong("to")],
    help: .init(
      "The printer: a saved name, an address, a URI, a name on the network or part of a name; of "
        + "several separated by commas, the first that is ready (default: the one saved for the "
        + "type, or the default printer).", valueName: "printer"),
    completion: .from(.savedPrinterList))
  var printers: [String] = []

  /// The printers that were typed, else that of AIRPRINT_PRINTER.
  ///
  /// Exit 64 for an empty name, 78 if printers.toml is invalid.
  func names(_ context: Context) throws -> [String] {
    let words = printers.isEmpty ? [context.printerName(typed: nil)].compactMap(\.self) : printers
    return try words.flatMap { try printerNames($0, context) }
  }
}

/// `-d/--to PRINTER` of commands whose jobs already have a printer.
struct OtherPrinterOption: ParsableArguments {
  @Option(
    name: [.customShort("d"), .customLong("to")],
    help: .init("Use this printer instead of the one the job asked for.", valueName: "printer"),
    completion: .from(.savedPrinters))
  var printer: String?
}

/// `--password-file`.
struct CredentialsOption: ParsableArguments {
  @Option(
    help: .init(
      "Read USER:PASSWORD from the first line of this file (default: what airprint login saved).",
      valueName: "file"), completion: .file())
  var passwordFile: String?

  /// Throws exit 66 for a file that can't be read, even if no printer asks for its contents.
  func check() throws(Failure) {
    guard let file = passwordFile, access(file, R_OK) != 0 else { return }
    throw Failure(.unreadable, "--password-file \(file): \(SystemError()).")
  }

  /// Returns the context of one command, with messages passed to the user.
  func context(_ context: Context, _ output: CommandOutput) throws(Failure) -> Context {
    try check()
    var context = context
    context.note = output.message
    context.passwordFile = passwordFile
    return context
  }
}

/// `[PRINTER]`, for commands about a printer.
struct PrinterArgument: ParsableArguments {
  @Argument(
    help: .init(
      "A saved name, an address, a URI, a name on the network or part of a name, also as -d PRINTER (default: "
        + "the default printer)."), completion: .from(.savedPrinters))
  var printer: String?

  /// Returns the printer to use; exit 69 if there is none.
  func target(for type: JobType?, _ context: Context) async throws(Failure) -> PrinterReference {
    guard
      let target = try await findPrinter(context.printerName(typed: printer), for: type, context)
    else {
      throw Failure.noPrinterSaved(for: type, context)
    }
    return target
  }
}
