internal import AirprintKit
internal import ArgumentParser
internal import PrintModel
internal import Threading

/// `airprint simulate`.
struct Simulate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Simulate printers: real ones on the network, whose paper comes out as pictures.",
    usage: """
      airprint simulate [<options>] [<profile> ...]
      airprint simulate load|supply|fault|clear <name> [<what> ...]
      airprint simulate list
      """,
    discussion: """
        airprint simulate laser receipt --output pages
        airprint simulate receipt --output pages --exec './print-receipts.sh'
        airprint simulate load "Sim Laser" main=legal
        airprint simulate fault "Sim Laser" media-empty@3
        airprint simulate clear "Sim Laser"

      Profiles are laser, inkjet, photo, receipt, label, envelope, large-format and save-original, \
      or all; without one, laser. A simulated printer is there until Ctrl-C or until the command of \
      --exec ends. Every job becomes a folder with the document as it came, what was asked for, a \
      picture of each side, and all sides as a PDF.

      load, supply, fault and clear tell a printer that is being simulated, by its name or part of \
      it; list names those.
      """)

  @Argument(
    help: ArgumentHelp("Profiles; or a word, a printer and what to do.", valueName: "profile"),
    completion: .list(SimulateOptions.words))
  var words: [String] = []

  @OptionGroup var options: SimulateOptions
  @OptionGroup var global: GlobalOptions

  mutating func run() async throws {
    let context = Context.current
    let output = Output(global, environment: context.environment)
    switch words.first {
    case "list":
      return try list(context, output)
    case "load", "supply", "fault", "clear":
      return try control(context, output)
    default: break
    }
    let view = SimulationView(output, viewer: options.open ? try Viewer(context) : nil)
    let code = try await simulate(
      try options.wish(words), context, interruption: Interruption.catchingSignals()
    ) { view.show($0) }
    // A code of the command's own, which need not be one of ours.
    if code != 0 { throw ArgumentParser.ExitCode(code) }
  }

  private func list(_ context: Context, _ output: Output) throws {
    let names = simulatedPrinters(context)
    if output.isJSON { return try output.json(names) }
    for name in names { try output.line(name) }
  }

  private func control(_ context: Context, _ output: Output) throws {
    guard words.count > (words[0] == "clear" ? 1 : 2) else {
      throw Failure(.usage, "airprint simulate \(words[0]): name the printer, and what to do.")
    }
    let name = try tellSimulatedPrinter(
      words[1], words[0], Array(words.dropFirst(2)), context)
    if output.isJSON { return try output.json(["printer": name]) }
    output.message("Told \(name).")
  }
}

/// How printers are simulated.
struct SimulateOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What the printer is called on the network; without it Sim and its profile, such as Sim Laser.",
      valueName: "name"))
  var name: String?

  @Option(
    help: ArgumentHelp(
      "The first printer's port, the next one's is one more; 0: any that is free. Without it, the "
        + "first free from 8631 on.", valueName: "number"))
  var port: Int?

  @Option(
    help: ArgumentHelp(
      "Who may print: lo, this machine alone, as without it; or all, everybody on the network.",
      valueName: "lo|all"), completion: .list(["lo", "all"]))
  var listen = "lo"

  @Option(
    help: ArgumentHelp(
      "Where the jobs' folders are kept. Without it in a temporary folder, which is named at the "
        + "start and removed at the end.", valueName: "folder"), completion: .directory)
  var output: String?

  @Option(
    help: ArgumentHelp(
      "Run a command line in a shell while the printers are there, with AIRPRINT_PRINTER set to the "
        + "first one's URI, and end with its exit code.", valueName: "command"))
  var exec: String?

  @Option(
    help: ArgumentHelp(
      "Put paper into a tray; none takes it out.", valueName: "tray=paper"))
  var load: [String] = []

  @Option(help: ArgumentHelp("Set a supply's level in percent.", valueName: "colour=level"))
  var supply: [String] = []

  @Option(
    help: ArgumentHelp(
      "Make something go wrong: media-empty@3, cover-open, jam@2, toner-low, cancel@2, abort, "
        + "busy:10s, forget, new-certificate, drop@100k, slow:50k/s, sleep:20s.",
      valueName: "fault"), completion: .list(faultNames))
  var fault: [String] = []

  @Option(help: ArgumentHelp("Where the printer says that it stands.", valueName: "place"))
  var location = ""

  @Option(
    help: ArgumentHelp(
      "Be like a printer on the network, or like one whose answer a file holds.",
      valueName: "printer|file"), completion: .file())
  var like: String?

  @Flag(help: "Print at a real printer's pace.")
  var printTimes = false

  @Flag(help: "Say which papers are possible, and not what is loaded.")
  var noSensors = false

  @Option(
    help: ArgumentHelp(
      "on, as without it: show the margin that the printer can't reach, with what fell into it; off: "
        + "that is gone.",
      valueName: "on|off"), completion: .list(["on", "off"]))
  var printableArea = "on"

  @Flag(help: "Ask for a password, which is said at the start.")
  var requirePassword = false

  @Flag(help: "Open each job's pages when they are out.")
  var open = false

  /// What the first argument may be.
  static let words =
    profileNames + ["all", "load", "supply", "fault", "clear", "list"]

  func wish(_ profiles: [String]) throws(Failure) -> SimulateWish {
    var wish = SimulateWish()
    wish.profiles = profiles
    wish.name = name
    if let port, !(0...65_535).contains(port) {
      throw Failure(.usage, "--port \(port): a port is a number from 0 to 65535.")
    }
    wish.port = port
    wish.servesNetwork = try choice(listen, "--listen", no: "lo", yes: "all")
    wish.location = location
    wish.load = load
    wish.supplies = supply
    wish.faults = fault
    wish.like = like
    wish.hasPrintTimes = printTimes
    wish.hasSensors = !noSensors
    wish.showsPrintableArea = try choice(printableArea, "--printable-area", no: "off", yes: "on")
    wish.requiresPassword = requirePassword
    wish.output = output
    wish.command = exec
    return wish
  }

  private func choice(
    _ word: String, _ option: String, no: String, yes: String
  ) throws(Failure) -> Bool {
    switch word.lowercased() {
    case no: return false
    case yes: return true
    default: throw Failure(.usage, "\(option) \(word): takes \(no) or \(yes).")
    }
  }
}
