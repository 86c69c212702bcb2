internal import AirprintContext
internal import ArgumentParser
internal import Desktop
internal import ForeignText
internal import FoundationEssentials
internal import Glibc
internal import Jobs
internal import Printers
internal import Printing
internal import PrintModel
internal import PrintOptions
internal import Synchronization
internal import System
internal import Terminal

/// `airprint render`.
struct Render: AirprintCommand, RenderOptions {
  static let configuration = CommandConfiguration(
    "render", "Save the data that would be sent to a printer: URF, PWG Raster, PDF or JPEG.",
    usage: "[<file>] [--output <file>]",
    examples: [
      "airprint render report.pdf -o report.urf -d \"Office Laser\"",
      "airprint render report.pdf -o report.pwg --paper A4 --color gray",
    ],
    notes: """
      Without -d, no printer is contacted: the region's paper without margins, 300 dpi, and the format \
      that the output's suffix names (urf, pwg, pdf, ps, jpg), else PWG Raster.

      Without -o the data goes to standard output, but never to a terminal.

      It takes print's options; render --help-all shows every option.
      """
  ).ofAirprint

  @OptionGroup var document: DocumentArgument
  @OptionGroup(title: HelpTitle.everyday) var destination: RenderDestination
  @OptionGroup(title: HelpTitle.everyday) var everyday: EverydayOptions
  @OptionGroup(title: HelpTitle.paper, visibility: .rare) var sheet: PaperOptions
  @OptionGroup(title: HelpTitle.page, visibility: .rare) var page: PageOptions
  @OptionGroup(title: HelpTitle.job, visibility: .rare) var insistence: InsistenceOptions
  @OptionGroup(title: HelpTitle.page, visibility: .rare) var back: SheetBackOption
  @OptionGroup(title: HelpTitle.page, visibility: .rare) var protection: PasswordOption
  @OptionGroup(title: HelpTitle.job, visibility: .rare) var job: JobAttributeOption
  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    try destination.refuse(
      ["png"] + RenderDestination.unwritten,
      "render writes what a printer gets: URF, PWG Raster, PDF, PostScript or JPEG. airprint preview "
        + "writes PNG.")
    let arguments = try await arguments(context, output, usually: isatty(1) == 1 ? nil : "-")
    let ticket = try await renderFile(
      arguments, context, cancellation: Cancellation.catchingSignals())
    for warning in ticket.warnings { output.warning(warning) }
    if arguments.output == "-" { return }
    // If the data is on standard output, there is no other output.
    if output.isJSON, arguments.output != "-" {
      return try output.json(
        JSONObject([
          "output": arguments.output, "format": ticket.format, "resolution": ticket.resolution,
          "paper": ticket.paper, "warnings": ticket.warnings, "losses": ticket.ledger.losses,
        ]))
    }
    output.success(
      "Wrote \(arguments.output): \(ticket.format), \(ticket.resolution), \(ticket.paper.title).")
  }
}

/// `airprint preview`.
struct Preview: AirprintCommand, RenderOptions {
  static let configuration = CommandConfiguration(
    "preview", "Show or save a picture of the printed pages.",
    usage: "[<file>] [--output <file>] [--open]",
    examples: [
      "airprint preview report.pdf", "airprint preview --open report.pdf --paper A4",
      "airprint preview receipt.pdf -o receipt.png -d Till --type receipt",
    ],
    notes: """
      The sheets are shown as print would print them, turned so that the pages are upright, with the \
      margin that the printer can't reach tinted. Without -d, the pages are drawn for the printer that \
      print would choose, from what it last reported; -d PRINTER asks that printer. --no-printer uses the region's paper.

      The output's suffix decides: .png, .jpg or .pdf, which holds all sides; several pictures become \
      OUT-1.png, OUT-2.png and so on; standard output takes one. Without a name, a terminal that supports \
      pictures shows them; otherwise they are written to NAME-preview.png. --open shows a temporary PDF on \
      the desktop.

      It takes print's options; preview --help-all shows every option.
      """
  ).ofAirprint

  @OptionGroup var document: DocumentArgument
  @OptionGroup(title: HelpTitle.everyday) var destination: RenderDestination
  @OptionGroup(title: HelpTitle.everyday) var everyday: EverydayOptions
  @OptionGroup(title: HelpTitle.paper, visibility: .rare) var sheet: PaperOptions
  @OptionGroup(title: HelpTitle.page, visibility: .rare) var page: PageOptions
  @OptionGroup(title: HelpTitle.job, visibility: .rare) var insistence: InsistenceOptions
  @OptionGroup(title: HelpTitle.page, visibility: .rare) var back: SheetBackOption
  @OptionGroup(title: HelpTitle.page, visibility: .rare) var protection: PasswordOption
  @OptionGroup(title: HelpTitle.job, visibility: .rare) var job: JobAttributeOption
  @OptionGroup var global: GlobalOptions
  @OptionGroup(title: HelpTitle.everyday) var showing: ShowingOption

  /// The document's picture in a folder, or the file itself.
  private func file(at output: String) -> String {
    guard output != "-", output.hasSuffix("/") || FileStatus(output)?.kind == S_IFDIR else {
      return output
    }
    return "\(output)\(output.hasSuffix("/") ? "" : "/")\(document.title)-preview.png"
  }

  /// Reports the names in AIRPRINT_PRINTER of printers that are not saved: nothing else shows that.
  private func tellUnknown(_ lists: [String], _ context: Context) throws {
    let names = try lists.flatMap { try printerNames($0, context) }
    for (name, suggestion) in try unknownPrinters(names, context) {
      context.note(
        "AIRPRINT_PRINTER: No printer is saved as \"\(name)\"\(suggestion). The pages are not drawn for it."
      )
    }
  }

  func run(_ context: Context, _ output: CommandOutput) async throws {
    var context = context
    context.note = output.message
    if showing.open, destination.output == "-" {
      throw Failure.usage("--open shows a file, and standard output is not one.")
    }
    if showing.noPrinter, destination.printer != nil {
      throw Failure.usage("-d and --no-printer can't be used together.")
    }
    try destination.refuse(
      ["urf", "pwg", "ps", "prn"] + RenderDestination.unwritten,
      "preview writes PNG, JPEG (.jpg) and PDF; airprint render writes what a printer gets.")
    let viewer = showing.open ? try Viewer(context.environment, temporary: context.temporary) : nil
    let place = try destination.output ?? viewer?.place(for: document.title)
    var arguments = try await arguments(
      context, output, usually: place ?? "\(document.title)-preview.png")
    arguments.output = file(at: arguments.output)
    if arguments.target == nil, !showing.noPrinter {
      arguments.print.printers = [context.printerName(typed: nil)].compactMap { $0 }
      arguments.print.choosesPrinter =
        arguments.print.printers.isEmpty && arguments.print.type == nil
      if arguments.print.choosesPrinter, arguments.print.files == ["-"] {
        try await onThread { [context] () throws(Failure) in
          try InputFile.keepStandardInput(context)
        }
      }
      arguments.isForLikelyPrinter = true
      try tellUnknown(arguments.print.printers, context)
    }
    if place == nil, !output.isJSON, !output.isQuiet,
      let terminal = PictureTerminal.detect(output.out, environment: context.environment)
    {
      return try await show(arguments, on: terminal, context, output)
    }
    let (names, ticket) = try await previewFile(
      arguments, context, cancellation: Cancellation.catchingSignals())
    for warning in ticket.warnings { output.warning(warning) }
    if output.isJSON {
      if names != ["-"] { try output.json(names) }
    } else {
      let written = names.filter { $0 != "-" }
      if written.count > 1, let first = written.first, let last = written.last {
        output.success("Wrote \(written.count) sides: \(first) to \(last).")
      } else {
        for name in written { output.success("Wrote \(name).") }
      }
    }
    if let viewer, let first = names.first { try await viewer.show(first) }
  }

  /// Shows the first pages on the terminal, each followed by its line.
  private func show(
    _ arguments: RenderArguments, on terminal: PictureTerminal, _ context: Context,
    _ output: CommandOutput
  ) async throws {
    let screen = output.out
    let (sides, ticket, place) = try await previewOnTerminal(
      arguments, asSixels: terminal.way == .sixel, room: (terminal.width, terminal.height),
      upTo: Preview.mostOnTerminal, context, cancellation: Cancellation.catchingSignals()
    ) { (picture) throws(Failure) in
      do throws(TerminalError) {
        try screen.write(
          terminal.showing(picture, base64: Data(picture).base64EncodedString()))
      } catch {
        throw .cannotWrite(error.description)
      }
    }
    for warning in ticket.warnings { output.warning(warning) }
    var words = "\(ticket.paper.title)\(place.map { " on \($0)" } ?? "")"
    if sides > Preview.mostOnTerminal {
      words += ", the first \(Preview.mostOnTerminal) of \(sides) sides; -o FILE.pdf writes all"
    }
    output.message("\(words).")
  }

  private static let mostOnTerminal = 4

  struct ShowingOption: ParsableArguments {
    @Flag(help: "Open the result in the desktop's viewer.")
    var open = false

    @Flag(help: "Draw for no printer: the region's paper, without margins.")
    var noPrinter = false
  }
}

/// Options of `render` and `preview`.
protocol RenderOptions: PrintFlags {
  var document: DocumentArgument { get }
  var destination: RenderDestination { get }
  var back: SheetBackOption { get }
  var protection: PasswordOption { get }
  var job: JobAttributeOption { get }
}

extension RenderOptions {
  /// Makes the arguments.
  ///
  /// - `usually`: the default output; nil: -o is required.
  func arguments(
    _ context: Context, _ commandOutput: CommandOutput, usually: String?
  ) async throws(Failure) -> RenderArguments {
    guard let output = destination.output ?? usually else {
      throw .usage("No output file: use -o FILE, or -o - for standard output.")
    }
    if output == "-" { CommandOutput.isTaken.store(true, ordering: .relaxed) }
    guard document.typed != nil || isatty(0) == 0 else {
      throw .usage("No document: name a file, or pipe one in.")
    }
    var print = try self.arguments(files: [document.file], jobOptions: job.option)
    try print.refusePrintersAmongFiles(context, for: nil)
    print.password = try await protection.password()
    if print.password == nil {
      print.password = await askForDocumentPassword(of: print.files, context, commandOutput)
    }
    if let queued = try await argumentsOfJob(document.file, context) { print = queued.under(print) }
    var target: PrinterReference?
    if let printer = destination.printer {
      target = try await findPrinter(printer, for: print.type, context)
    }
    var arguments = RenderArguments(print, target: target, output: output)
    if let sheetBack = back.sheetBack {
      guard let back = SheetBack(rawValue: sheetBack.lowercased()) else {
        let names = SheetBack.allCases.map(\.rawValue)
        throw .usage("--sheet-back \(sheetBack): takes \(names.inWords(joinedBy: "or")).")
      }
      arguments.sheetBack = back
    }
    return arguments
  }
}

/// The document of `render` and `preview`.
struct DocumentArgument: ParsableArguments {
  @Argument(
    help: .init(
      "The document, or a queued job; without it, or with -, standard input.", valueName: "file"),
    completion: .from(.queuedJobsAndFiles))
  var typed: String?

  var file: String { typed ?? "-" }

  /// The file's name without its suffix: `report` for report.pdf.
  var title: String {
    let name = file == "-" ? "stdin" : Context.lastComponent(file)
    return name.lastIndex(of: ".").map { $0 == name.startIndex ? name : String(name[..<$0]) }
      ?? name
  }
}

/// Options for the destination of the bytes, and the printer for which they are made.
struct RenderDestination: ParsableArguments {
  @Option(
    "File to write; - is standard output.", value: "file", name: [.short, .long],
    completion: .file())
  var output: String?

  @Option(
    "Draw for this printer, after asking what it supports and what is loaded.", value: "printer",
    name: [.customShort("d"), .customLong("to")], completion: .from(.savedPrinters))
  var printer: String?

  /// Suffixes of picture formats that neither `render` nor `preview` writes.
  static let unwritten = ["gif", "tif", "tiff", "webp", "bmp", "heic", "svg"]

  /// Throws exit 64 for an output whose suffix is that of an unsupported format, and for an option of `print -o`.
  ///
  /// Any other suffix may be part of a name. Exit 73 for a name that is not UTF-8.
  ///
  /// - `suffixes`: without their dots.
  /// - `reason`: a sentence about the supported formats.
  func refuse(_ suffixes: [String], _ reason: String) throws(Failure) {
    if let output, PrintOption.isJobOption(output) {
      throw .usage(
        "-o \(output): -o names the output file here; use --option \(output), or -o ./\(output) for a file."
      )
    }
    if let output { try Context.refuseRepaired(output: output) }
    let name = output?.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex,
      suffixes.contains(name[name.index(after: dot)...].lowercased())
    else { return }
    throw .usage("-o \(name): \(reason)")
  }
}

/// `--sheet-back`.
struct SheetBackOption: ParsableArguments {
  @Option(
    "How back sides are turned if no printer says (default: normal): normal, flipped, rotated or "
      + "manual-tumble.", value: "turn", completion: .words(SheetBack.self))
  var sheetBack: String?
}

/// `airprint paper`.
struct PaperCommand: AirprintCommand, PrintFlags {
  static let configuration = CommandConfiguration(
    "paper", "Show the paper a job would be printed on.", usage: "[<printer>]",
    examples: ["airprint paper", "airprint paper Till --type receipt --json"],
    notes: """
      It takes print's options; paper --help-all shows every option.
      """)

  @OptionGroup var printer: PrinterArgument
  @OptionGroup var credentials: CredentialsOption
  @OptionGroup(title: HelpTitle.everyday) var everyday: EverydayOptions
  @OptionGroup(title: HelpTitle.paper, visibility: .rare) var sheet: PaperOptions
  @OptionGroup(title: HelpTitle.page, visibility: .rare) var page: PageOptions
  @OptionGroup(title: HelpTitle.job, visibility: .rare) var insistence: InsistenceOptions
  @OptionGroup(title: HelpTitle.job, visibility: .rare) var job: JobAttributeOption
  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    let context = try credentials.context(context, output)
    let arguments = try arguments(files: [], jobOptions: job.option)
    if let word = printer.printer, word.contains("."), access(word, F_OK) == 0 {
      throw Failure.usage(
        "\(word) is a file. To see the paper it would be printed on: airprint print --dry-run "
          + ShellWord.quoted(word))
    }
    let target = try await printer.target(for: arguments.type, context)
    let ticket = try await choosePaper(arguments, at: target, context)
    if output.isJSON { return try output.json(ticket.paper) }
    let paper = ticket.paper
    try output.line(paper.inWords + (paper.isReady ? "" : ", not known to be loaded"))
    // People measure in millimeters; programs that place things use points.
    let isShown = output.out.isTerminal
    try output.line("sheet      \(paper.paperRect.inWords(inMillimeters: isShown))")
    try output.line("printable  \(paper.printableRect.inWords(inMillimeters: isShown))")
  }
}

extension Rectangle {
  /// Returns the rectangle in words: `576 x 842 pt at 9.5, 12`, or `203.2 x 297 mm at 3.4, 4.2`.
  fileprivate func inWords(inMillimeters: Bool) -> String {
    let (scale, unit) = inMillimeters ? (25.4 / 72, "mm") : (1, "pt")
    func text(_ points: Double) -> String { (points * scale).short }
    return "\(text(width)) x \(text(height)) \(unit) at \(text(x)), \(text(y))"
  }
}

extension Double {
  /// The number with at most one decimal.
  var short: String {
    let tenths = (self * 10).rounded() / 10
    return Int(exactly: tenths).map { "\($0)" } ?? "\(tenths)"
  }
}

/// `airprint check`.
struct Check: AirprintCommand {
  static let configuration = CommandConfiguration(
    "check", "Check whether files can be printed, with or without a printer.",
    usage: "[<file> ...]",
    examples: ["airprint check report.pdf photo.jpg", "airprint check -d Till receipt.txt"])

  @Argument("Files to check; - is standard input.", value: "file", completion: .file())
  var files: [String] = []

  @Option(
    "Check for this printer, and ask it, as print --dry-run --ask does.", value: "printer",
    name: [.customShort("d"), .customLong("to")], completion: .from(.savedPrinterList))
  var printer: String?

  @Flag(help: "List every MIME type that can be printed and what reads it.")
  var formats = false

  @OptionGroup var protection: PasswordOption
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    if files.isEmpty && !formats { throw ValidationError("Name a file, or ask for --formats.") }
  }

  func run(_ context: Context, _ output: CommandOutput) async throws {
    if formats { return try show(FormatReport.all(context), output) }
    if let printer, !output.isJSON {
      var print = try Print.parse(["--dry-run", "--ask", "--to", printer, "--"] + files)
      print.protection = protection
      return try await print.run(context, output)
    }
    let password = try await protection.password()
    try PrintArguments(files: files).refusePrintersAmongFiles(context, for: "check")
    var targets: [PrinterReference] = []
    if let printer {
      targets = try await findPrinters(try printerNames(printer, context), for: nil, context)
      if files.contains("-") { try InputFile.keepStandardInput(context) }
    }
    let cancellation = Cancellation.catchingSignals()
    var reports: [FileReport] = []
    for file in files {
      reports.append(
        await checkFile(
          file, password: password, for: targets, context, cancellation: cancellation))
      // After Ctrl-C, the converter has removed its files.
      if let signal = cancellation.signal { Cancellation.takeItsCourse(signal: signal) }
    }
    if output.isJSON { try output.json(reports) }
    for report in reports {
      for warning in report.warnings { output.message("\(report.shownFile): \(warning)") }
      if let message = report.message {
        let name = report.exitCode == .configuration ? "" : "\(report.shownFile): "
        output.complain("airprint: \(name)\(message)")
      } else if !output.isJSON, !output.isQuiet {
        try output.line(report.inWords)
      }
    }
    try SilentExit.end(withWorstOf: reports.map(\.exitCode))
  }

  private func show(_ formats: [FormatReport], _ output: CommandOutput) throws {
    if output.isJSON { return try output.json(formats) }
    try output.table(
      [Column("MIME TYPE", usual: 24, importance: 1), Column("READ BY", usual: 60)],
      formats.map { [Cell($0.mediaType), Cell($0.reader)] })
  }
}

extension FileReport {
  fileprivate var shownFile: String { Context.title(of: file) }

  /// The report in words: `report.pdf: application/pdf, 3 pages of A4, prints as document`.
  fileprivate var inWords: String {
    // The pages of a receipt are made for its roll or sheet.
    if type == .receipt {
      return "\(shownFile): \(mediaType ?? ""), as wide as its paper, prints as receipt"
    }
    guard let pages else { return "\(shownFile): \(mediaType ?? ""), sent as it is" }
    let count = pages.counted("page")
    let titles = Set(pageSizes.map { $0.media.title })
    let size = titles.count == 1 ? " of \(titles.first ?? "")" : " of several sizes"
    return "\(shownFile): \(mediaType ?? ""), \(count)\(size), prints as \(type?.rawValue ?? "")"
  }
}

extension MediaSize {
  private var upright: MediaSize { width > length ? rotated : self }

  /// The name of the size, `A4`, in either orientation; else the size as it is, `476x317mm`.
  fileprivate var title: String {
    if StandardMedia(of: upright) != nil { return MediaName.title(of: upright) }
    func millimeters(_ length: Hundredths) -> Int { (length.count + 50) / 100 }
    return "\(millimeters(width))x\(millimeters(length))mm"
  }
}
