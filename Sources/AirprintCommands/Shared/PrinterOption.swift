internal import AirprintContext
internal import ArgumentParser
internal import Glibc
internal import Printers
internal import PrintModel
internal import PrintOptions
internal import System

/// `-d/--to PRINTER` of commands that choose a printer by type.
struct PrinterOption: ParsableArguments {
  @Option(
    "The printer: a saved name, an address, a URI, a name on the network or part of a name; of "
      + "several separated by commas, the first that is ready (default: the one saved for the "
      + "type, or the default printer).", value: "printer",
    name: [.customShort("d"), .customLong("to")], completion: .from(.savedPrinterList))
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
    "Use this printer instead of the one the job asked for.", value: "printer",
    name: [.customShort("d"), .customLong("to")], completion: .from(.savedPrinters))
  var printer: String?
}

/// `--password-file`.
struct CredentialsOption: ParsableArguments {
  @Option(
    "Read USER:PASSWORD from the first line of this file (default: what airprint login saved).",
    value: "file", completion: .file())
  var passwordFile: String?

  /// Returns the context of one command, with messages passed to the user; exit 66 for a file that can't be read, even if
  /// no printer asks for its contents.
  func context(_ context: Context, _ output: CommandOutput) throws(Failure) -> Context {
    if let file = passwordFile, access(file, R_OK) != 0 {
      throw .unreadable("--password-file \(file): \(SystemError()).")
    }
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

extension Sequence {
  /// Sorts by the names of printers in natural order; those with the same name by their URIs.
  func sortedByName(_ printer: (Element) -> FoundPrinter) -> [Element] {
    let named: [(order: NaturalOrder, element: Element)] = map { element in
      (NaturalOrder(printer(element).printer.name), element)
    }
    let sorted = named.sorted { one, other in
      one.order == other.order
        ? printer(one.element).printer.uri < printer(other.element).printer.uri
        : one.order < other.order
    }
    return sorted.map(\.element)
  }
}

extension [String] {
  /// Parses the types of `--type`: a comma-separated list, or repeated.
  ///
  /// Without duplicates, in their usual order; exit 64 for an invalid word.
  func jobTypes() throws(Failure) -> [JobType] {
    var types: Set<JobType> = []
    for list in self {
      for word in list.split(separator: ",") { types.insert(try JobType.named(String(word))) }
    }
    return types.sorted()
  }
}

extension JobType {
  /// The names of all types.
  static let list = allCases.map(\.rawValue).joined(separator: ", ")

  /// Returns the type with this name; exit 64 with all names if there is none.
  static func named(_ word: String) throws(Failure) -> JobType {
    if let type = JobType(rawValue: word.trimmed.lowercased()) { return type }
    let names = JobType.allCases.map(\.rawValue)
    throw .usage(
      "--type \(word.isEmpty ? "\"\"" : word): no such type\(names.suggestion(for: word)). Types: \(list)."
    )
  }
}
