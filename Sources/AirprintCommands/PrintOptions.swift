internal import AirprintKit
internal import ArgumentParser
internal import PrintModel

/// `print`'s options; `preview`, `render` and `paper` take them too. They stay as text: `PrintOption`
/// reads them, as it reads settings.
struct PrintOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What the sheet is for: document, envelope, label, photo, postcard, receipt, roll, "
        + "large-format or disc.", valueName: "type"))
  var type: String?

  @Option(
    name: [.customShort("n"), .long],
    help: ArgumentHelp("How many copies.", valueName: "number"))
  var copies: String?

  @Option(
    name: [.customShort("P"), .long],
    help: ArgumentHelp("Which pages: 1-3,7,9-.", valueName: "list"))
  var pages: String?

  @Option(
    help: ArgumentHelp(
      "A4, letter, 4x6, 80mm, 62x100mm or a PWG name; of several the first that is loaded; best: "
        + "the nearest that is loaded.", valueName: "list"))
  var paper: String?

  @Option(help: ArgumentHelp("Sides: one, long, short or auto.", valueName: "sides"))
  var sides: String?

  @Option(help: ArgumentHelp("Ink: auto, color or gray.", valueName: "ink"))
  var color: String?

  @Option(help: ArgumentHelp("Quality: draft, normal or high.", valueName: "quality"))
  var quality: String?

  @Option(
    help: ArgumentHelp(
      "How a page meets the sheet: auto, auto-fit, fit, fill or none.",
      valueName: "scaling"))
  var scaling: String?

  @Option(
    help: ArgumentHelp(
      "The tray, by the printer's media-source keyword.", valueName: "tray",
      visibility: .hidden))
  var tray: String?

  @Option(
    help: ArgumentHelp(
      "The medium, by the printer's media-type keyword.", valueName: "keyword",
      visibility: .hidden))
  var mediaType: String?

  @Flag(
    inversion: .prefixedNo,
    help: ArgumentHelp("Print to the paper's edge.", visibility: .hidden))
  var borderless: Bool?

  @Option(
    help: ArgumentHelp(
      "Where a roll is cut: auto, max or a length (120mm).", valueName: "length",
      visibility: .hidden))
  var cutLength: String?

  @Option(
    help: ArgumentHelp(
      "Dots per inch: 300, 600dpi or 600x1200dpi.", valueName: "dpi",
      visibility: .hidden))
  var resolution: String?

  @Option(
    help: ArgumentHelp(
      "auto, portrait or landscape.", valueName: "orientation",
      visibility: .hidden))
  var orientation: String?

  @Option(
    help: ArgumentHelp(
      "Pages on each side: 2, 4, 6, 9 or 16.", valueName: "number",
      visibility: .hidden))
  var numberUp: String?

  @Option(
    help: ArgumentHelp(
      "Where a page lies that is smaller than its sheet: top or center.", valueName: "place",
      visibility: .hidden))
  var position: String?

  @Option(
    help: ArgumentHelp(
      "What is sent: auto, pdf, urf, pwg or jpeg.", valueName: "format",
      visibility: .hidden))
  var format: String?

  @Flag(
    help: ArgumentHelp(
      "Take paper that is not loaded, or a type that the printer does not serve.",
      visibility: .hidden))
  var force = false

  @Flag(
    help: ArgumentHelp("Fail rather than replace what the printer can't do.", visibility: .hidden))
  var strict = false

  init() {}

  /// What was typed, as one value; nonsense is exit 64 before a file or a printer is touched.
  func wish(files: [String], jobOptions: [String]) throws(Failure) -> PrintWish {
    var wish = PrintWish(files: files)
    if let type { wish.type = try JobType.named(type) }
    wish.typed = typed(jobOptions: jobOptions)
    wish.force = force
    wish.strict = strict
    try wish.validate()
    return wish
  }

  private func typed(jobOptions: [String]) -> [(option: PrintOption, value: String)] {
    let values: [(PrintOption, String?)] = [
      (.copies, copies), (.pages, pages), (.paper, paper), (.tray, tray), (.mediaType, mediaType),
      (.borderless, borderless.map { "\($0)" }), (.cutLength, cutLength), (.sides, sides),
      (.color, color), (.quality, quality), (.resolution, resolution), (.scaling, scaling),
      (.orientation, orientation), (.format, format), (.numberUp, numberUp),
      (.position, position),
    ]
    return values.compactMap { option, value in value.map { (option, $0) } }
      + jobOptions.map { (.option, $0) }
  }
}

extension JobType {
  /// The type of this name; exit 64 with all names when there is none.
  static func named(_ word: String) throws(Failure) -> JobType {
    if let type = JobType(rawValue: word.lowercased()) { return type }
    let names = JobType.allCases.map(\.rawValue)
    throw Failure(
      .usage,
      "--type \(word): no such type\(names.suggestion(for: word)). There are \(names.inWords()).")
  }
}
