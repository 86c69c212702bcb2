internal import AirprintContext
internal import Conversion
internal import PrintModel
internal import System

/// The converters that turn a document into pages, one after the other: Markdown into HTML, HTML into a PDF.
struct ConverterChain {
  var steps: [Converter]

  /// Finds the shortest chain from a media type to one that is drawn without a converter; of several, the first whose
  /// programs are installed.
  ///
  /// nil if no converter reads the type.
  init?(from mediaType: String, in converters: Converters) {
    let ways = ConverterChain.ways(from: mediaType, in: converters, longest: 3)
    let best = ways.first { $0.allSatisfy(\.isInstalled) } ?? ways.first
    guard let best else { return nil }
    steps = best
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
    var losses: [Loss] = []
    var suffix = suffix
    for step in steps {
      let mediaType = made?.mediaType
      let known = suffix ?? mediaType.map(Converter.suffix(of:)) ?? step.usualSuffix
      var conversion = Conversion(
        step, suffix: known, base: base, box: box, temporary: context.temporary)
      if let pageTime { conversion.processorTime = pageTime }
      let next = try conversion.run(on: made?.descriptor ?? document, cancellation: cancellation)
      losses += next.losses
      // Append this after those of this document: --strict reports the first one.
      if !conversion.isSandboxed { losses.append(step.isUnwalled) }
      made = next
      suffix = nil
    }
    guard let made else { throw Failure(.fault, "A document has no converter.") }
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
