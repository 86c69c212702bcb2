internal import AirprintContext
internal import Conversion
internal import DocumentBytes
internal import ForeignText
internal import Glibc
internal import Layout
internal import PrintModel
internal import PrintOptions
internal import Rendering
internal import System

/// A renderer that the user chose: a program that makes pages for the paper described in its environment
/// (UIPrintPageRenderer for the shell).
package struct PageRenderer: Sendable, Equatable {
  /// The program, as a path, and its arguments.
  var command: [String]
  /// Longest run time, in seconds.
  var timeLimit: Int

  /// Finds a renderer: by its name in the configuration, else a program on the user's PATH, else a path.
  ///
  /// Exit 64 if the program does not exist or is not executable, 78 if a setting names it.
  init(
    _ name: String, _ configuration: Configuration, _ context: Context
  ) throws(Failure) {
    let known = configuration.renderer(named: name)
    let words = known?.command ?? [name]
    let path = context.environment["PATH"] ?? ""
    guard let program = words.first.flatMap({ ProgramPath.find($0, in: path) }) else {
      let word = words.first ?? name
      let file = ProgramPath.unexecutable(word, in: path)
      let fault = file.map { "\($0) is not executable" } ?? "program \(word) not found"
      // A shell looks for a name without a slash on PATH only, too.
      let isHere = file == nil && access("./\(word)", F_OK) == 0
      let meant =
        isHere
        ? "; the one in this folder is ./\(word)"
        : file == nil && known == nil ? configuration.rendererNames.suggestion(for: name) : ""
      let failure = Failure(
        .usage, "--renderer \(name): \(fault)\(meant).",
        hints: file.map { ["Fix it with: chmod +x \(ShellWord.quoted($0))"] } ?? [])
      throw configuration.blaming(failure, for: name)
    }
    command = [program] + words.dropFirst()
    timeLimit = known?.timeLimit ?? 60
  }

  /// Makes the pages for a ticket's paper.
  func run(
    on data: Int32, for ticket: Ticket, _ context: Context, _ cancellation: Cancellation
  ) throws(Failure) -> ConvertedDocument {
    var environment = context.environment
    environment.merge(ticket.environment) { $1 }
    environment["AIRPRINT"] = Context.program
    return try makePages(
      of: data, by: command, environment: environment, timeLimit: timeLimit,
      temporary: context.temporary, cancellation: cancellation)
  }
}

extension Ticket {
  /// The paper as its reader holds it, in points, with the origin at the top left; on a roll, as long as it can be cut.
  var environment: [String: String] {
    let layout = SheetLayout(self)
    let (sheet, printable) = (layout.box.size, layout.readersPrintable)
    let lengths = [
      "AIRPRINT_PAPER_WIDTH": sheet.width, "AIRPRINT_PAPER_HEIGHT": sheet.height,
      "AIRPRINT_PRINTABLE_X": printable.x, "AIRPRINT_PRINTABLE_Y": printable.y,
      "AIRPRINT_PRINTABLE_WIDTH": printable.width, "AIRPRINT_PRINTABLE_HEIGHT": printable.height,
    ]
    var environment = lengths.mapValues(Conversion.points)
    environment["AIRPRINT_ROLL"] = paper.isRoll ? "1" : "0"
    environment["AIRPRINT_RESOLUTION"] =
      resolution.isSquare ? "\(resolution.x)" : "\(resolution.x)x\(resolution.y)"
    environment["AIRPRINT_COLOR"] = color == .gray ? "gray" : "color"
    environment["AIRPRINT_TYPE"] = type.rawValue
    return environment
  }
}

/// Runs a render worker if this process was started as one; otherwise does nothing.
///
/// Called before anything else: a worker reads no options and no settings.
package func becomeWorkerIfAsked(_ arguments: [String]) {
  guard arguments.first == Worker.command else { return }
  if arguments.contains(Worker.trial) { Worker.tryOut() }
  Worker.run(isForked: arguments.contains("forked"), readsPDF: arguments.contains("pdf"))
}

/// Uses a worker that was forked at program start for the first document of this run.
///
/// Its libraries are loaded by the time that it is known what to draw.
package func useForkedWorker(_ process: Int32, socket: Int32) {
  ForkedWorker.offer(process, socket)
}

/// The converters that turn a document into pages, one after the other: Markdown into HTML, HTML into a PDF.
struct ConverterChain {
  var steps: [Converter]
  private let mediaType: String

  /// Finds the shortest chain from a media type to one that is drawn without a converter; of several, the first whose
  /// programs are installed.
  ///
  /// nil if no converter reads the type.
  init?(from mediaType: String, in converters: Converters) {
    let ways = ConverterChain.ways(from: mediaType, in: converters, longest: 3)
    let best = ways.first { $0.allSatisfy(\.isInstalled) } ?? ways.first
    guard let best else { return nil }
    (steps, self.mediaType) = (best, mediaType)
  }

  /// Returns every chain, in the order of the converters.
  private static func ways(
    from mediaType: String, in converters: Converters, longest: Int
  ) -> [[Converter]] {
    guard longest > 0 else { return [] }
    return converters.all.filter { $0.types[mediaType] != nil }.flatMap { converter in
      DocumentFormat.builtIn.contains(converter.output)
        ? [[converter]]
        : ways(from: converter.output, in: converters, longest: longest - 1).map {
          [converter] + $0
        }
    }
  }

  /// The programs of the chain: `pandoc, then weasyprint`; for a missing one, with the command that installs it.
  var inWords: String {
    let programs = steps.map { step in
      let how = step.package.map { ": \(installing($0))" } ?? ""
      return step.isInstalled ? step.program : "\(step.program) (not installed\(how))"
    }
    return programs.joined(separator: ", then ")
  }

  /// True if a step needs the paper's size; then all of them run once that is known.
  var namesPaper: Bool { steps.contains(where: \.namesPaper) }

  /// Runs all steps.
  ///
  /// `suffix` is that of the document, without its dot.
  func run(
    on document: Int32, suffix: String?, base: String?, box: PageBox?, _ context: Context,
    _ cancellation: Cancellation
  ) throws(Failure) -> ConvertedDocument {
    let pageTime = try context.settings.configuration().pageTime
    var made: ConvertedDocument?
    let file = try MappedFile(document)
    let decoded = withExtendedLifetime(file) {
      DecodedText.decode(file.bytes, forConverterOf: mediaType)
    }
    var losses = [decoded?.loss].compactMap(\.self)
    var suffix = suffix
    for step in steps {
      let mediaType = made?.mediaType
      let known = suffix ?? mediaType.map(Converter.suffix(of:)) ?? step.usualSuffix
      var conversion = Conversion(
        step, suffix: known, base: base, box: box, temporary: context.temporary)
      if let pageTime { conversion.processorTime = pageTime }
      if made == nil { conversion.text = decoded?.text }
      let next = try conversion.run(on: made?.descriptor ?? document, cancellation: cancellation)
      losses += next.losses
      // Append this after those of this document: --strict reports the first one.
      if !conversion.isSandboxed { losses.append(step.isUnwalled) }
      made = next
      suffix = nil
    }
    guard let made else { throw .fault("A document has no converter.") }
    made.losses = losses
    return made
  }
}

extension Converter {
  /// What is told of every document that it converts without bubblewrap.
  fileprivate var isUnwalled: Loss {
    Loss(
      .sandbox,
      "\(program) ran without a sandbox, because bubblewrap is not installed or not allowed here: a malicious "
        + "document could read your files and send them.")
  }

  /// Suffix for a document whose name has no known one.
  fileprivate var usualSuffix: String {
    let first = types.sorted { $0.key < $1.key }.compactMap(\.value.first).first
    return first.map { String($0.dropFirst()) } ?? "data"
  }
}
