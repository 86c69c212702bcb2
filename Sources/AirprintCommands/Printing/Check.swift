internal import AirprintContext
internal import ArgumentParser
internal import PrintModel
internal import Printing
internal import System
internal import Terminal

/// `airprint check`.
struct Check: AirprintCommand {
  static let configuration = CommandConfiguration(
    "check", "Check whether files can be printed, with or without a printer.",
    usage: "[<file> ...]",
    examples: ["airprint check report.pdf photo.jpg", "airprint check -d Till receipt.txt"])

  @Argument(
    help: .init("Files to check; - is standard input.", valueName: "file"), completion: .file())
  var files: [String] = []

  @Option(
    name: [.customShort("d"), .customLong("to")],
    help: .init(
      "Check for this printer, and ask it, as print --dry-run --ask does.", valueName: "printer"),
    completion: .from(.savedPrinterList))
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
    if let printer {
      var print = try Print.parse(["--dry-run", "--ask", "--to", printer, "--"] + files)
      print.protection = protection
      return try await print.run(context, output)
    }
    let password = try await protection.password()
    try PrintArguments(files: files).refusePrintersAmongFiles(context, for: "check")
    let cancellation = Cancellation.catchingSignals()
    var reports: [FileReport] = []
    for file in files {
      reports.append(
        await checkFile(file, password: password, context, cancellation: cancellation))
      // After Ctrl-C, the converter has removed its files.
      if let signal = cancellation.signal { Cancellation.takeItsCourse(signal: signal) }
    }
    if output.isJSON { try output.json(reports) }
    for report in reports {
      for warning in report.warnings { output.message("\(report.shownFile): \(warning)") }
      if let message = report.message {
        let name = report.exitCode == .configuration ? "" : "\(report.shownFile): "
        output.complain("airprint: \(name)\(message)")
      } else if !output.isJSON {
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
    let known = StandardMedia.all.contains { $0.size.matches(upright, within: MediaSize.near) }
    if known { return MediaName.title(of: upright) }
    func millimeters(_ length: Hundredths) -> Int { (length.count + 50) / 100 }
    return "\(millimeters(width))x\(millimeters(length))mm"
  }
}
