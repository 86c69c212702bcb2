package import AirprintContext
package import PrintModel
package import Printers
package import System

/// The report of `check` about a file: its properties, and if it can be printed.
///
/// No printer is contacted.
package struct FileReport: Sendable, Encodable {
  package var file: String
  @Null package var mediaType: String? = nil
  @Null package var pages: Int? = nil
  package var pageSizes: [PageSize]
  /// The document's own page labels; nil if they are 1, 2, 3.
  @Null package var pageLabels: [String]? = nil
  @Null package var type: JobType? = nil
  @Null package var title: String? = nil
  package var exitCode: ExitCode
  @Null package var reason: FailureReason? = nil
  @Null package var message: String? = nil
  /// Problems that `print` would report, as sentences.
  package var warnings: [String] = []
  package var losses: [Loss] = []
  /// What a printer would do with it; nil if none was named, or if it would not print it.
  @Null package var plan: PrintPlan? = nil

  /// Takes over the failure of the file.
  mutating func fail(_ failure: Failure) {
    (exitCode, reason, message) = (failure.code, failure.reason, failure.message)
  }
}

/// Checks one file.
///
/// `password` opens it if it is protected. The printers are asked what they would do with it.
package func checkFile(
  _ path: String, password: String?, for targets: [PrinterReference], _ context: Context,
  cancellation: Cancellation
) async -> FileReport {
  await onThread {
    var report = FileReport(file: Context.named(path), pageSizes: [], exitCode: .success)
    do throws(Failure) {
      var handling = DocumentHandling()
      handling.password = password
      let document = try OpenDocument(
        path, context, handling: handling, cancellation: cancellation)
      report.mediaType = document.file.mediaType
      if document.info.isRaw {
        report.warnings.append("\(document.whatItIs).")
        return report
      }
      let laidOut = try document.layOutForNone(context)
      let info = laidOut.info
      report.pages = info.pages.count
      // A receipt is as wide as its paper, and as long as its content.
      let isMade = document.file.mediaType == DocumentFormat.receipt
      report.pageSizes = isMade ? [] : info.pages.map(\.size)
      report.pageLabels = info.pageLabels.isEmpty ? nil : info.pageLabels
      report.type = info.guessedType
      report.title = info.title
      // What depends on a printer's paper is not known.
      let losses = laidOut.ticket.ledger.losses.filter { $0.reason.failure == .document }
      var ledger = Ledger()
      try ledger.add(losses + laidOut.drawFirst().losses, strict: false)
      (report.losses, report.warnings) = (ledger.losses, ledger.warnings)
    } catch {
      report.fail(error)
    }
    if targets.isEmpty { return report }
    var arguments = PrintArguments(files: [path])
    (arguments.password, arguments.isDryRun, arguments.asks) = (password, true, true)
    let plan = Monitor<PrintPlan?>(nil)
    let result = PrintRun(arguments, targets, context, cancellation) { event in
      if case .plan(let made) = event { plan.withLock { $0 = made } }
    }.printFile(path)
    report.plan = plan.withLock { $0 }
    if let ticket = report.plan?.ticket ?? result.ticket {
      (report.warnings, report.losses) = (ticket.warnings, ticket.ledger.losses)
    }
    if let reason = result.reason { report.fail(Failure(reason, result.message ?? "")) }
    return report
  }
}

extension OpenDocument {
  /// Lays it out for no printer, on the usual paper: with the settings, as `print` does.
  fileprivate func layOutForNone(_ context: Context) throws(Failure) -> LaidOutDocument {
    let type = info.guessedType
    var request = try PrintArguments(files: [file.path]).request(
      type: type, on: nil, context.settings.configuration())
    request.format = .pwg
    let anything = Capabilities.virtual(
      paper: request.paper, type: type, resolution: request.resolution ?? Resolution(300),
      sheetBack: .normal, context.region)
    return try layOut(for: request, on: anything)
  }
}

/// A media type that can be printed, and the library or program that reads it: `check --formats`.
package struct FormatReport: Sendable, Encodable {
  package var mediaType: String
  package var reader: String

  private static let builtIn =
    [
      FormatReport(mediaType: DocumentFormat.pdf, reader: "Poppler")
    ] + DocumentFormat.pictures.map { FormatReport(mediaType: $0, reader: $1) } + [
      FormatReport(mediaType: DocumentFormat.text, reader: "Pango"),
      FormatReport(mediaType: DocumentFormat.receipt, reader: "Pango and libzint"),
      FormatReport(mediaType: DocumentFormat.urf, reader: "airprint"),
      FormatReport(mediaType: DocumentFormat.pwg, reader: "airprint"),
    ]

  /// Returns every type: those that airprint reads itself, then those of the converters with their programs.
  ///
  /// Exit 78 if a converter's file is invalid.
  package static func all(_ context: Context) throws(Failure) -> [FormatReport] {
    let converters = try context.settings.converters()
    let types = Set(converters.all.flatMap(\.types.keys)).subtracting(DocumentFormat.builtIn)
    return builtIn
      + types.sorted().compactMap { type in
        ConverterChain(from: type, in: converters).map {
          FormatReport(mediaType: type, reader: $0.inWords)
        }
      }
  }
}
