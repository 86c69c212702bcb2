internal import AirprintContext
internal import ArgumentParser
internal import ForeignText
internal import PrintModel
internal import Printers
internal import Terminal

/// `airprint pick`.
struct Pick: AirprintCommand {
  static let configuration = CommandConfiguration(
    "pick", "Choose a printer and save it.", usage: "[<printer>]",
    examples: [
      "airprint pick", "airprint pick \"Office Laser\"",
      "airprint pick ipp://192.0.2.7/ipp/print --as till --type receipt",
      "sudo airprint pick --system --from printers.toml",
    ],
    notes: """
      Without a printer's name, a live list is shown: arrows move, typing filters, Enter chooses, Esc \
      changes nothing. The printer becomes the default, unless it is picked for \
      job types, as a role (--as with --set), or under another name while there is a default.
      """)

  @Argument(
    help:
      "A name on the network or part of one, an address, a URI or a saved name. Without it, choose from a list.",
    completion: .from(.savedPrinters))
  var printer: String?

  @OptionGroup(title: HelpTitle.saving) var saving: SavingOptions
  @OptionGroup var credentials: CredentialsOption
  @OptionGroup var options: DiscoveryOptions
  @OptionGroup var global: GlobalOptions

  struct SavingOptions: ParsableArguments {
    @Option(
      "Use it for these types: \(JobType.list). The list shows only printers that support all of them.",
      value: "types", name: .customLong("type"), completion: .from(.jobTypeList))
    var types: [String] = []

    @Option("Save it under this name.", value: "name", name: .customLong("as"))
    var savedName: String?

    @Flag(name: .customLong("default"), help: "Make it the default printer.")
    var asDefault = false

    @Option(
      "Save a print option with the printer: paper=80mm, quality=draft.", value: "option=value",
      name: .customLong("set"))
    var settings: [String] = []

    @Flag(help: "Save it in /etc/airprint, for all users.")
    var system = false

    @Flag(help: "Save it for types that the printer does not print, too.")
    var force = false

    @Option(
      "The oldest TLS version to accept (default: 1.2); 1.0 for an old printer.", value: "version",
      name: .customLong("tls"), completion: .list(TLSVersion.allCases.map(\.rawValue)))
    var lowestTLS: String?

    @Flag(help: "Save a URI, or a list, without contacting the printer.")
    var noContact = false

    @Option(
      "Save all printers of a list: a printers.toml, or an Apple profile (.mobileconfig).",
      value: "file", completion: .file())
    var from: String?

    func tlsVersion() throws(Failure) -> TLSVersion? {
      guard let lowestTLS else { return nil }
      guard let version = TLSVersion(rawValue: lowestTLS) else {
        let all = TLSVersion.allCases.map(\.rawValue)
        throw .usage("--tls \(lowestTLS): takes \(all.inWords(joinedBy: "or")).")
      }
      return version
    }
  }

  /// Exit 64 for `pick PRINTER --name NAME`, where `--as` is meant.
  private func refuseNameFilter() throws(Failure) {
    guard let pattern = options.filters.name else { return }
    throw .usage(
      "--name filters a list, and can't be used with a printer's name; to save it under a name, use "
        + "--as \(ShellWord.quoted(pattern)).")
  }

  func run(_ context: Context, _ output: CommandOutput) async throws {
    var context = try credentials.context(context, output)
    context.askForCredentials = askForCredentials
    var arguments = PickArguments()
    arguments.types = try saving.types.jobTypes()
    arguments.name = saving.savedName
    arguments.domains = options.search.domain
    arguments.timeout = try options.timeout()
    arguments.asDefault = saving.asDefault
    arguments.settings = saving.settings
    if let name = saving.savedName,
      !name.unicodeScalars.contains(where: {
        $0.properties.isAlphabetic || ("0"..."9").contains($0)
      })
        || name.unicodeScalars.contains(where: { $0.value < 0x20 })
    {
      throw Failure.usage(
        "--as \(name.debugDescription): a name has letters or digits, in one line.")
    }
    arguments.system = saving.system
    arguments.force = saving.force
    if saving.system { try context.directories.refuseUnwritableSystem("printers.toml") }
    arguments.lowestTLS = try saving.tlsVersion()
    arguments.skipsContact = saving.noContact
    if output.mayAsk(context) { arguments.mayReplace = askToReplace }
    if let list = saving.from {
      guard printer == nil else {
        throw Failure.usage(
          "--from saves the printers of a list, and can't be used with a printer's name.")
      }
      return try await pickFromList(list, arguments, context, output)
    }
    let result: PickResult
    if let printer {
      try refuseNameFilter()
      result = try await pick(printer, arguments, context, output)
    } else {
      result = try await pickOnTerminal(try options.arguments(arguments.types), arguments, context)
    }
    if output.isJSON { return try output.json(result) }
    output.success("Saved \(result.printer.name.safeName) (\(result.printer.uri)).")
    if let certificate = result.printer.certificate, result.isNewCertificate || global.verbose {
      output.message(
        "Certificate saved (SHA-256 \(global.verbose ? certificate.text : certificate.short)).")
    }
    for line in result.assignment.sentences { output.message(line) }
  }

  /// Asks if a saved printer may be replaced by another one of its name.
  private func askToReplace(_ saved: SavedPrinter) async throws(Failure) -> Bool {
    let question = "\(saved.name.safeName) is another saved printer (\(saved.uri)). Replace it?"
    return (try? await confirm(question, default: false)) ?? false
  }

  /// Picks the printer with this name.
  ///
  /// A part of several names opens the list on a terminal, with the matching printers; a server with several printers
  /// opens its own list.
  private func pick(
    _ printer: String, _ arguments: PickArguments, _ context: Context, _ output: CommandOutput
  ) async throws -> PickResult {
    do throws(Failure) {
      let progress = output.progress("Asking \(printer)")
      defer { progress?.end() }
      var context = context
      context.note = { [note = context.note] text in progress.aside { note(text) } }
      return try await pickPrinter(printer, arguments, context)
    } catch {
      let isServer = error.reason == .severalPrinters
      guard error.reason == .ambiguousPrinter || isServer, output.mayAsk(context) else {
        throw error
      }
      var search = try options.arguments(arguments.types)
      if isServer { search.server = printer }
      return try await pickOnTerminal(
        search, arguments, context, filter: isServer ? "" : printer)
    }
  }
}

/// Saves the printers of a list for `airprint pick --from FILE`, and reports them line by line.
func pickFromList(
  _ path: String, _ arguments: PickArguments, _ context: Context, _ output: CommandOutput
) async throws {
  guard arguments.name == nil, arguments.types.isEmpty, arguments.settings.isEmpty,
    !arguments.asDefault,
    arguments.lowestTLS == nil
  else {
    throw Failure.usage(
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
  try SilentExit.end(withWorstOf: printers.map(\.exitCode))
  if printers.isEmpty { throw SilentExit(exitCode: .nothing) }
}
