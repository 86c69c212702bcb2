internal import ArgumentParser
internal import Glibc
internal import PrintModel
internal import PrintOptions
internal import Printing
internal import System

/// A command that accepts `print`'s options.
///
/// The options remain text: `PrintOption` parses them, as it does for settings.
///
/// It is a protocol instead of nested option groups: each level of groups makes ArgumentParser's check in a debug build
/// take five times as long, a second for `render`.
protocol PrintFlags: ParsableArguments {
  var everyday: EverydayOptions { get }
  var sheet: PaperOptions { get }
  var page: PageOptions { get }
  var insistence: InsistenceOptions { get }
}

extension PrintFlags {
  /// Returns the typed options as one value; exit 64 for invalid ones, before any file or printer is used.
  func arguments(files: [String], jobOptions: [String]) throws(Failure) -> PrintArguments {
    var arguments = PrintArguments(files: files)
    if page.even, page.odd {
      throw .usage("--even and --odd together select every page; leave both out.")
    }
    if let alternate = page.alternate.first, files.count > 1 {
      throw .usage(
        "--alternate \(alternate): it replaces one document, and \(files.count) are named.")
    }
    if let folder = page.assets, FileStatus(folder)?.kind != S_IFDIR {
      throw .unreadable("--assets \(folder): no such folder.")
    }
    if let type = everyday.type { arguments.type = try JobType.named(type) }
    arguments.typed = typed(jobOptions: jobOptions)
    arguments.handling.force = insistence.force
    arguments.handling.strict = insistence.strict
    try arguments.validate()
    return arguments
  }

  private func typed(jobOptions: [String]) -> [(option: PrintOption, value: String)] {
    var typed = everyday.printOptions + sheet.printOptions + page.printOptions
    if let borders = sheet.borders { typed.append((.borderless, "\(borders == .borderless)")) }
    if page.odd || page.even { typed.append((.pageSet, page.odd ? "odd" : "even")) }
    if page.reverse { typed.append((.outputOrder, "reverse")) }
    return typed + (jobOptions + sheet.finishings).map { (.option, $0) }
  }
}

extension ParsableArguments {
  /// The print options among its members, which have their names, with the values that were typed.
  var printOptions: [(option: PrintOption, value: String)] {
    Mirror(reflecting: self).children.flatMap {
      (name, member) -> [(option: PrintOption, value: String)] in
      // `@Option var paper` is stored as `_paper`.
      guard let option = PrintOption.byMember[String(name?.dropFirst() ?? "")] else { return [] }
      return switch member {
      case let one as Option<String?>: one.wrappedValue.map { [(option, $0)] } ?? []
      case let several as Option<[String]>: several.wrappedValue.map { (option, $0) }
      case let flag as Flag<Bool>: flag.wrappedValue ? [(option, "true")] : []
      default: []
      }
    }
  }
}

extension PrintOption {
  /// Every option by the name of its case.
  fileprivate static let byMember = Dictionary(
    uniqueKeysWithValues: allCases.map { ("\($0)", $0) })
}

/// The options that `print --help` shows.
struct EverydayOptions: ParsableArguments {
  @Option(
    help: .init(
      "What is printed: document, envelope, label, photo, postcard, receipt, roll, "
        + "large-format or disc."), completion: .words(JobType.self))
  var type: String?

  @Option("Number of copies (default: 1).", value: "number", name: [.customShort("n"), .long])
  var copies: String?

  @Option(
    "Pages to print: 1-3,7,9- by position, or labels: iv,A-1.", value: "list",
    name: [.customShort("P"), .long])
  var pages: String?

  @Option(
    "A4, letter, 4x6, 80mm, 62x100mm or a PWG name; of several, the first one loaded; best: "
      + "the closest one loaded.", value: "list", completion: .from(.papers))
  var paper: String?

  @Option(help: "One- or two-sided: one, long (edge), short (edge) or auto.")
  var sides: String?

  @Option("Print in color: auto, color or gray.", value: "ink")
  var color: String?

  @Option(help: "Print quality: draft, normal or high.")
  var quality: String?

  @Option(help: "How pages are scaled: auto, auto-fit, fit, fill or none.")
  var scaling: String?
}

/// With or without margins; each flag has its own help.
enum Borders: EnumerableFlag {
  case borderless, noBorderless

  static func help(for value: Borders) -> ArgumentHelp? {
    value == .borderless ? "Print to the edge of the paper." : "Keep a margin."
  }
}

/// Options for choosing among the loaded paper.
struct PaperOptions: ParsableArguments {
  @Option(
    help: "The tray to print from, by the printer's media-source keyword.",
    completion: .from(.trays))
  var tray: String?

  @Option(
    "The tray for the first page, such as a letterhead's; the others are from another.",
    value: "tray", completion: .from(.trays))
  var firstPageTray: String?

  @Option(
    help: "Where the printer puts the sheets, by its output-bin keyword (face-up, mailbox-1).")
  var outputBin: String?

  @Option(
    "The type of paper, by the printer's media-type keyword.", value: "keyword",
    completion: .from(.mediaTypes))
  var mediaType: String?

  @Option(
    "Values for the job that the printer keeps under this name.", value: "name",
    completion: .from(.presets))
  var preset: String?

  @Flag var borders: Borders?

  @Flag(help: "Staple the sheets; an error if the printer can't.")
  var staple = false

  @Flag(help: "Punch holes; an error if the printer can't.")
  var punch = false

  @Flag(help: "Fold the sheets; an error if the printer can't.")
  var fold = false

  @Option(
    "Where to cut a roll: auto, max or a length (120mm).", value: "length",
    completion: .list(["auto", "max"]))
  var cutLength: String?

  @Option("Darkness of labels, in percent of the printer's range.", value: "percent")
  var darkness: String?

  @Option("Speed of labels: a length for each second (100mm).", value: "length")
  var speed: String?

  @Option(
    "What happens to a printed label: tear-off, peel-off, cutter, rewind or another mode of the printer.",
    value: "mode")
  var labelMode: String?

  @Option(
    "How far a label is fed to be torn off, from the usual place (2mm, -1mm).", value: "length",
    parsing: .unconditional)
  var tearOffset: String?

  @Option(
    "Where printing begins, from the top of the label (2mm, -1mm).", value: "length",
    parsing: .unconditional)
  var topOffset: String?

  @Option("How the printer finds the next label: continuous, gap, mark or web.", value: "keyword")
  var mediaTracking: String?

  /// The finishing flags as `-o finishings=…`, which the printer's own values replace.
  var finishings: [String] {
    [("staple", staple), ("punch", punch), ("fold", fold)].filter(\.1).map {
      "finishings=\($0.0)"
    }
  }
}

/// Options for drawing pages.
struct PageOptions: ParsableArguments {
  @Flag(help: "Print only odd pages; then --even, to print two-sided by hand.")
  var odd = false

  @Flag(help: "Print only even pages.")
  var even = false

  @Flag(help: "Print the last sheet first.")
  var reverse = false

  @Flag(help: "Print a booklet: two pages a side, to fold in the middle.")
  var booklet = false

  @Option(
    "The document's type, in place of detecting it: md, html, txt, receipt or a MIME type; for standard input.",
    value: "type", completion: .list(["md", "html", "txt", "receipt", "pdf"]))
  var from: String?

  @Option("Resolution in dots per inch: 300, 600dpi or 600x1200dpi.", value: "dpi")
  var resolution: String?

  @Option(help: "Orientation: auto, portrait or landscape.")
  var orientation: String?

  @Option(
    "Turn pages on the paper, clockwise: 90, 180 or 270.", value: "degrees",
    completion: .list(["90", "180", "270"]))
  var rotate: String?

  @Option(
    "Print each page over several sheets: columns and rows (2x2).", value: "grid",
    completion: .list(["2x1", "1x2", "2x2", "3x3"]))
  var poster: String?

  @Option(
    "Pages per side: 1, 2, 4, 6, 9 or 16; or columns and rows (3x8).", value: "number",
    completion: .list(["2", "4", "6", "9", "16", "2x5", "3x8"]))
  var numberUp: String?

  @Option(
    "Lines around every page: none, single, single-thick, double or double-thick.", value: "style")
  var pageBorder: String?

  @Option("Position of pages smaller than the sheet: top or center.", value: "place")
  var position: String?

  @Option(
    "The folder with the pictures and style sheets of an HTML page, drawing or receipt (default: "
      + "the file's own).", value: "folder", completion: .directory)
  var assets: String?

  @Option(
    "Margins from the edge of the paper: 36pt or 10mm; separated by commas: top and bottom, "
      + "left and right (1in,20mm), or top, right, bottom, left.", value: "lengths")
  var margins: String?

  @Option(
    "A line at the top of every page: left|center|right, with {page} {pages} {title} {file} {date} {time}.",
    value: "text")
  var header: String?

  @Option("A line at the bottom of every page, like --header.", value: "text")
  var footer: String?

  @Option(help: "Font and size in points for plain text: \"Noto Sans 11\".")
  var font: String?

  @Option("Alignment of plain text: start, left, center, right or justify.", value: "place")
  var align: String?

  @Option("Color of plain text: a name or #rrggbb.", value: "color")
  var textColor: String?

  @Flag(help: "Number the lines of plain text.")
  var numberLines = false

  @Option(
    "A program that lays out the pages for the chosen paper, with the file as its data.",
    value: "program", completion: .file())
  var renderer: String?

  @Option("Print FILE instead when PAPER is chosen; may be repeated.", value: "paper=file")
  var alternate: [String] = []

  @Option(
    "Draw a picture, PDF, text file or text:WORDS over the pages, optionally followed by "
      + "@page=1,3-|first|last|odd|even,rect=x,y,w,h, opacity=0.3,rotate=45; or a stamp from the "
      + "configuration, by name.", value: "file", completion: .file())
  var overlay: [String] = []

  @Option("Like --overlay, but under the pages.", value: "file", completion: .file())
  var underlay: [String] = []

  @Option(help: "Format to send: auto, pdf, urf, pwg, jpeg or ps.")
  var format: String?
}

/// Options for handling options that can't be granted.
struct InsistenceOptions: ParsableArguments {
  @Flag(help: "Print even if the paper is not loaded or the printer does not support the type.")
  var force = false

  @Flag(help: "Fail instead of substituting unsupported options.")
  var strict = false
}

/// `--document-password-file`.
struct PasswordOption: ParsableArguments {
  @Option(
    "Read the document's password from the first line of this file.", value: "file",
    completion: .file())
  var documentPasswordFile: String?

  /// Reads the password; nil if none was given.
  func password() async throws(Failure) -> String? {
    guard let documentPasswordFile else { return nil }
    return try await documentPassword(in: documentPasswordFile)
  }
}

/// `--pin-file`.
struct PINOption: ParsableArguments {
  @Option(
    "Read a PIN from the first line of this file; the printer holds the job until the PIN is entered there.",
    value: "file", completion: .file())
  var pinFile: String?

  /// Reads the PIN; nil if none was given.
  func pin() async throws(Failure) -> String? {
    guard let pinFile else { return nil }
    return try await jobPIN(in: pinFile)
  }
}

/// `--option`, for commands where `-o` is the output.
struct JobAttributeOption: ParsableArguments {
  @Option(
    "Any IPP job attribute the printer supports, or an lp option: fit-to-page, media=A4,Tray2.",
    value: "name=value", completion: .list(PrintOption.lpNames))
  var option: [String] = []
}
