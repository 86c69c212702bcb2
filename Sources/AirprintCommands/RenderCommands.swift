internal import AirprintKit
internal import ArgumentParser
internal import PrintModel
internal import Terminal
internal import Threading

/// `airprint render`.
struct Render: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write the bytes that a printer would get: URF, PWG Raster, PDF or JPEG.",
    discussion: """
      airprint render report.pdf -o report.pwg --paper A4 --resolution 600 --color gray
      airprint render report.pdf -o report.urf -d Office

      Without -d no printer is asked: the region's paper without hardware margins, 300 dpi, and \
      the format that the output's suffix names, else PWG Raster.
      """)

  @OptionGroup var common: RenderOptions

  mutating func run() async throws {
    let context = Context.current
    let output = Output(common.global, environment: context.environment)
    let wish = try await common.wish(context)
    let ticket = try await renderFile(
      wish, context, interruption: Interruption.catchingSignals())
    if wish.output == "-" { return }
    output.message(
      "Wrote \(wish.output): \(ticket.format), \(ticket.resolution), \(ticket.paper.title).")
  }
}

/// `airprint preview`.
struct Preview: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write a picture of the pages as they would come out.",
    discussion: """
      airprint preview receipt.pdf -o receipt.png --type receipt -d Till

      The sheet with its unprintable margin tinted. Several sides become OUT-1.png, OUT-2.png and \
      so on; a PDF holds all of them. Without -d no printer is asked.
      """)

  @OptionGroup var common: RenderOptions

  mutating func run() async throws {
    let context = Context.current
    let output = Output(common.global, environment: context.environment)
    let wish = try await common.wish(context)
    let names = try await previewFile(
      wish, context, interruption: Interruption.catchingSignals())
    if output.isJSON { return try output.json(names) }
    for name in names where name != "-" { output.message("Wrote \(name).") }
  }
}

/// What `render` and `preview` take.
struct RenderOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The document; - is standard input.", valueName: "file"),
    completion: .file())
  var file: String

  @Option(
    name: [.short, .long], help: ArgumentHelp("Where to write; - is standard output."),
    completion: .file())
  var output: String

  @OptionGroup var printer: PrinterOption
  @OptionGroup var options: PrintOptions

  @Option(
    help: ArgumentHelp(
      "How back sides are turned without a printer: normal, flipped, rotated or manual-tumble.",
      visibility: .hidden))
  var sheetBack: String?

  @Option(
    help: ArgumentHelp(
      "Any IPP job attribute that the printer knows.", valueName: "name=value",
      visibility: .hidden))
  var option: [String] = []

  @OptionGroup var global: GlobalOptions

  func wish(_ context: Context) async throws(Failure) -> RenderWish {
    let print = try options.wish(files: [file], jobOptions: option)
    var target: Target?
    if let printer = printer.printer {
      target = try await findPrinter(printer, for: print.type, context)
    }
    var wish = RenderWish(print, target: target, output: output)
    if let sheetBack {
      guard let back = SheetBack(rawValue: sheetBack.lowercased()) else {
        let names = SheetBack.allCases.map(\.rawValue)
        throw Failure(.usage, "--sheet-back \(sheetBack): takes \(names.inWords(joinedBy: "or")).")
      }
      wish.sheetBack = back
    }
    return wish
  }
}
