internal import AirprintContext
internal import ArgumentParser
internal import Desktop
internal import ForeignText
internal import Glibc
internal import PrintModel
internal import System
internal import Terminal
internal import VirtualPrinters

/// `airprint simulate`.
struct Simulate: AirprintCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Simulate network printers that print to image files.",
    usage: """
      airprint simulate [<options>] [<profile> ...]
      airprint simulate load|supply|fault|clear|pin <name> [<what> ...]
      airprint simulate list
      """,
    discussion: """
        airprint simulate laser receipt --output pages
        airprint simulate receipt --output pages --exec './print-receipts.sh'
        airprint simulate load "Sim Laser" main=legal
        airprint simulate fault "Sim Laser" media-empty@3
        airprint simulate clear "Sim Laser"

      Profiles are laser, inkjet, photo, receipt, label, envelope, large-format, save-original, \
      office and labels-gap, \
      or all; without one, laser. A simulated printer runs until Ctrl-C, or until the command of \
      --exec ends. Every job becomes a folder with the document as received, the job's options, a \
      picture of each side, and all sides as a PDF.

      load, supply, fault, clear and pin change a simulated printer that is running, by its name or part \
      of it; list shows the running ones.
      """)

  @Argument(
    "Profiles; or a subcommand, a printer and what to do.", value: "profile",
    completion: .from(.simulation))
  var words: [String] = []

  @OptionGroup var options: SimulateOptions
  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    switch words.first {
    case "list": return try list(context, output)
    case "load", "supply", "fault", "clear", "pin": return try control(context, output)
    default: break
    }
    let view = SimulationView(
      output: output,
      viewer: options.open ? try Viewer(context.environment, temporary: context.temporary) : nil)
    let cancellation = Cancellation.catchingSignals()
    let code = try await simulate(
      try options.arguments(words), context, cancellation: cancellation
    ) { view.show($0) }
    // The terminal's ^C is not the start of the shell's line.
    if cancellation.signal == SIGINT, output.out.isTerminal, !output.isJSON { try output.line("") }
    // A code of the executed command, which need not be one of airprint's.
    if code != 0 { throw ArgumentParser.ExitCode(code) }
  }

  private func list(_ context: Context, _ output: CommandOutput) throws {
    let names = simulatedPrinters(context)
    if output.isJSON {
      return try output.json(names.compactMap { simulatedPrinterState($0, context) })
    }
    if names.isEmpty { output.message("No printer is being simulated.") }
    try output.table(
      [
        Column("NAME", minimum: 12, usual: 32, importance: 5), Column("PORT", importance: 4),
        Column("PROFILE", usual: 14, importance: 2), Column("PAPER", usual: 40, importance: 1),
        Column("STATE", usual: 24, importance: 3),
      ],
      names.map { name in
        guard let state = simulatedPrinterState(name, context) else { return [Cell(name, .bold)] }
        let isWell = state.reasons.isEmpty
        return [
          Cell(name, .bold), Cell("\(state.port)"), Cell(state.profile),
          Cell(state.paper.joined(separator: ", ")),
          Cell(isWell ? "ready" : state.reasons.joined(separator: ", "), isWell ? .green : .red),
        ]
      })
  }

  /// Arguments of the subcommands after the printer: in words, and as an example.
  private static let needs = [
    "load": (" and paper", " main=legal"), "supply": (" and a level", " black=8"),
    "fault": (" and a fault", " media-empty@3"), "clear": ("", ""),
    "pin": (" and a job's PIN", " 1234"),
  ]

  private func control(_ context: Context, _ output: CommandOutput) throws {
    guard words.count > (words[0] == "clear" ? 1 : 2) else {
      let (needs, example) = Self.needs[words[0]] ?? ("", "")
      throw Failure.usage(
        "airprint simulate \(words[0]) needs a printer\(needs), such as: airprint simulate \(words[0]) "
          + "'Sim Laser'\(example)")
    }
    if words.count > 2 {
      let start = "\(words[1]) \(words[2])".lowercased()
      if let whole = simulatedPrinters(context).first(where: { $0.lowercased().hasPrefix(start) }) {
        throw Failure.usage(
          "\(whole) is one name: quote it, as in airprint simulate \(words[0]) "
            + "\(ShellWord.quoted(whole.safeName))\(Self.needs[words[0]]?.1 ?? "")")
      }
    }
    let name = try tellSimulatedPrinter(
      words[1], words[0], Array(words.dropFirst(2)), context)
    if output.isJSON { return try output.json(["printer": name]) }
    output.message("\(name): \(Self.told(words[0], Array(words.dropFirst(2)))).")
  }

  /// What was done, in words: `loaded main=legal`, `emptied main`, `cover-open is set`.
  private static func told(_ action: String, _ what: [String]) -> String {
    let text = what.joined(separator: " ")
    switch action {
    case "load":
      return what.map {
        $0.lowercased().hasSuffix("=none") ? "emptied \($0.dropLast(5))" : "loaded \($0)"
      }.inWords()
    case "clear": return "all faults are cleared"
    case "pin": return "the PIN was entered"
    default: return "\(text) is set"
    }
  }
}

/// Options for simulating printers.
struct SimulateOptions: ParsableArguments {
  @Option(
    help: "The printer's name on the network (default: Sim and its profile, such as Sim Laser).")
  var name: String?

  @Option(
    "Port of the first printer; each further printer gets the next one; 0: any free port "
      + "(default: the first free one from 8631).", value: "number")
  var port: Int?

  @Option(
    help: .init(
      "Accept jobs from lo, this machine only, or from all, everyone on the network.",
      valueName: "lo|all"), completion: .list(["lo", "all"]))
  var listen = "lo"

  @Option(
    "Folder for the jobs (default: a temporary folder, removed at the end).", value: "folder",
    name: [.short, .long], completion: .directory)
  var output: String?

  @Option(
    "Run a shell command while the printers run, with AIRPRINT_PRINTER set to the first "
      + "one's URI, and exit with its status.", value: "command")
  var exec: String?

  @Option("Load paper into a tray; none empties it.", value: "tray=paper")
  var load: [String] = []

  @Option("Set a supply's level in percent.", value: "color=level")
  var supply: [String] = []

  @Option(
    help: .init(
      "Cause a fault: media-empty@3, cover-open, jam@2, toner-low, cancel@2, abort, "
        + "busy:10s, forget, new-certificate, drop@100k, slow:50k/s, sleep:20s, restart, miscount:-1, "
        + "print-job-only, one-bit."), completion: .list(faultNames))
  var fault: [String] = []

  @Option(help: .init("The printer's location.", valueName: "place"))
  var location = ""

  @Option(
    "Imitate a printer on the network, or one whose attributes are in a file.",
    value: "printer|file", completion: .from(.savedPrintersAndFiles))
  var like: String?

  @Flag(help: "Print at the pace of a real printer.")
  var printTimes = false

  @Flag(help: "Report supported paper but not what is loaded.")
  var noSensors = false

  @Option(
    help: ArgumentHelp(
      "on: show the unprintable margin and what fell into it; off: leave it white.",
      valueName: "on|off"), completion: .list(["on", "off"]))
  var printableArea = "on"

  @Flag(help: "Require a password, shown at the start.")
  var requirePassword = false

  @Flag(help: "Serve all printers at the first one's port, which lists them.")
  var server = false

  @Flag(help: "Open each job's pages when it is done.")
  var open = false

  /// Possible values of the first argument.
  static let words =
    profileNames + ["all", "load", "supply", "fault", "clear", "pin", "list"]

  func arguments(_ profiles: [String]) throws(Failure) -> SimulateArguments {
    var arguments = SimulateArguments()
    arguments.profiles = profiles
    arguments.name = name
    if let port, !(0...65_535).contains(port) {
      throw .usage("--port \(port): a port is a number from 0 to 65535.")
    }
    arguments.port = port
    arguments.servesNetwork = try choice(listen, "--listen", no: "lo", yes: "all")
    arguments.location = location
    arguments.load = load
    arguments.supplies = supply
    arguments.faults = fault
    arguments.like = like
    arguments.hasPrintTimes = printTimes
    arguments.hasSensors = !noSensors
    arguments.showsPrintableArea = try choice(
      printableArea, "--printable-area", no: "off", yes: "on")
    arguments.requiresPassword = requirePassword
    arguments.isServer = server
    arguments.output = output
    arguments.command = exec
    return arguments
  }

  private func choice(
    _ word: String, _ option: String, no: String, yes: String
  ) throws(Failure) -> Bool {
    switch word.lowercased() {
    case no: return false
    case yes: return true
    default: throw .usage("\(option) \(word): takes \(no) or \(yes).")
    }
  }
}

/// Help for the words that `simulate` accepts instead of a profile.
enum SimulateHelp {
  private static let texts: [String: (usage: String, does: String, examples: [String])] = [
    "load": (
      "load <name> <tray=paper> ...", "Load paper into trays of a simulated printer.",
      ["load \"Sim Laser\" main=legal", "load Till main-roll=80mm", "load Till main-roll=none"]
    ),
    "supply": (
      "supply <name> <color=level> ...",
      "Set the levels of a simulated printer's supplies, in percent.",
      ["supply \"Sim Laser\" black=4"]
    ),
    "fault": (
      "fault <name> <fault> ...", "Cause faults in a simulated printer, now or at a page.",
      ["fault \"Sim Laser\" cover-open", "fault \"Sim Laser\" media-empty@3"]
    ),
    "clear": (
      "clear <name> [<fault> ...]",
      "Remove faults from a simulated printer: those that are named, or all.",
      ["clear \"Sim Laser\""]
    ),
    "pin": (
      "pin <name> <pin>", "Type the PIN that a job on a simulated printer waits for.",
      ["pin \"Sim Laser\" 4711"]
    ),
    "list": ("list [--json]", "List the printers that are being simulated.", ["list"]),
  ]

  /// Returns the help; nil if the arguments do not request one of these.
  static func text(for arguments: [String]) -> String? {
    guard arguments.count > 2, arguments[0] == "simulate", let text = texts[arguments[1]],
      arguments.dropFirst(2).contains(where: Airprint.helpOptions.contains)
    else { return nil }
    let faults =
      arguments[1] == "fault"
      ? ["", "Faults:"]
        + faultNames.joined(separator: ", ").wrapped(to: 80, first: 2, rest: 2).map { "  \($0)" }
        + [""]
      : [""]
    return """
      \(text.does)

      \(text.examples.map { "  airprint simulate \($0)" }.joined(separator: "\n"))

      USAGE: airprint simulate \(text.usage)
      \(faults.joined(separator: "\n"))
      airprint-simulate(1) has the rest.

      """
  }
}

/// Shows the events of simulated printers: lines for people on standard error, or JSON objects, one per line, on
/// standard output.
struct SimulationView: Sendable {
  let output: CommandOutput
  /// Shows a job's pages when they are complete.
  let viewer: Viewer?

  func show(_ event: SimulationEvent) {
    if output.isJSON { try? output.jsonLine(event) }
    let bell = event.isIdentification && isatty(2) == 1 ? "\u{7}" : ""
    for sentence in event.sentences {
      if event.isFailure {
        output.complain("airprint: \(sentence)")
      } else {
        output.message(sentence + bell)
      }
    }
    if let pages = event.pages { open(pages) }
  }

  private func open(_ path: String) {
    guard let viewer else { return }
    Task {
      do throws(Failure) {
        try await viewer.show(path)
      } catch {
        output.complain("airprint: \(error.message)")
      }
    }
  }
}
