internal import PrintModel

/// The meaning of a name used with `lp -o`.
enum LpMeaning {
  /// This option; the dictionary maps values with another name, in lower case.
  case option(PrintOption, [String: String] = [:])
  /// These values request the usual behavior; any other is refused with this sentence.
  case usual([String], otherwise: String)
  /// The order of copies: these values request one set after the other, the last all copies of a sheet together.
  case copyOrder([String], uncollated: String)
  /// An attribute for the printer, unless the value requests nothing.
  case printers(but: [String])
  /// Size, tray and medium in one.
  case medium
  /// The file is sent unchanged, perhaps as this type.
  case raw
  /// The file's type, unless the value leaves it to airprint.
  case documentType
  /// Points left blank at one side.
  case margin(any WritableKeyPath<Margins, Hundredths> & Sendable)

  /// Meanings by name in lower case: Job Template attributes (RFC 8011 §5.2), CUPS' own options (lp(1), "Command-Line
  /// Printing and Options") and the keywords that most PPDs share.
  static let of: [String: LpMeaning] = [
    // Paper
    "media": .medium, "media-size-name": .medium, "pagesize": .medium, "pageregion": .medium,
    "media-source": .option(.tray), "media-type": .option(.mediaType),
    "inputslot": .medium, "mediatype": .medium, "output-bin": .option(.outputBin),
    "page-left": .margin(\.left), "page-right": .margin(\.right),
    "page-top": .margin(\.top), "page-bottom": .margin(\.bottom),

    // Pages
    "copies": .option(.copies),
    "page-ranges": .option(.pages),
    "page-set": .option(.pageSet), "outputorder": .option(.outputOrder),
    "collate": .copyOrder(["true"], uncollated: "false"),
    "sheet-collate": .copyOrder(["collated"], uncollated: "uncollated"),
    "multiple-document-handling": .copyOrder(
      ["separate-documents-collated-copies", "single-document-new-sheet"],
      uncollated: "separate-documents-uncollated-copies"),

    // Sides
    "sides": .option(.sides, sides), "duplex": .option(.sides, sides),

    // Ink
    "print-color-mode": .option(.color, inks), "output-mode": .option(.color, inks),
    "colormodel": .option(.color, inks), "colormode": .option(.color, inks),
    "print-quality": .option(.quality, ["3": "draft", "4": "normal", "5": "high"]),
    "cupsprintquality": .option(.quality),
    "printer-resolution": .option(.resolution), "resolution": .option(.resolution),
    "brightness": .usual(["100"], otherwise: asItIs), "gamma": .usual(["1000"], otherwise: asItIs),
    "hue": .usual(["0"], otherwise: asItIs), "saturation": .usual(["100"], otherwise: asItIs),

    // Scaling and place
    "print-scaling": .option(.scaling),
    "fit-to-page": .option(.scaling, fits), "fitplot": .option(.scaling, fits),
    "fill": .option(.scaling, ["true": "fill", "false": "auto"]),
    "crop-to-fit": .option(.scaling, ["true": "none", "false": "auto"]),
    "scaling": .option(.scaling, ["100": "fit"]),
    "natural-scaling": .option(.scaling, ["100": "none"]),
    "ppi": .usual(
      [], otherwise: "a picture's size is its own; --paper and --scaling fit change it"),
    "orientation-requested": .option(.orientation, ["3": "portrait", "4": "landscape"]),
    "landscape": .option(.orientation, ["true": "landscape", "false": "portrait"]),
    "position": .option(.position),
    "number-up": .option(.numberUp),
    "number-up-layout": .usual(["lrtb"], otherwise: "--number-up lays pages in reading order"),
    "page-border": .option(.pageBorder),
    "mirror": .usual(["false"], otherwise: "pages are never mirrored; print a mirrored document"),

    // Text
    "wrap": .usual(["true"], otherwise: "long lines are always wrapped"),
    "prettyprint": .usual(["false"], otherwise: "--header and --footer name pages"),
    "columns": .usual(["1"], otherwise: "--number-up 2 puts two pages on a side"),
    "cpi": .usual(["10"], otherwise: "--font \"Monospace 10\" sets the size of text"),
    "lpi": .usual(["6"], otherwise: "--font \"Monospace 10\" sets the size of text"),

    // The job
    "job-hold-until": .printers(but: ["no-hold"]),
    "job-hold-until-time": .usual([], otherwise: "--hold 18:00 holds the job until then"),
    "job-sheets": .printers(but: ["none", "none,none"]),
    "job-name": .usual([], otherwise: "--title names the job"),
    "document-name": .usual([], otherwise: "--title names the job"),
    "document-format": .documentType,
    "raw": .raw,
  ]

  private static let sides = [
    "one-sided": "one", "two-sided-long-edge": "long", "two-sided-short-edge": "short",
    "none": "one", "true": "long", "false": "one", "duplexnotumble": "long",
    "duplextumble": "short",
  ]

  private static let inks = [
    "monochrome": "gray", "process-monochrome": "gray", "auto-monochrome": "gray",
    "gray": "gray", "grayscale": "gray", "grey": "gray", "greyscale": "gray", "black": "gray",
    "mono": "gray", "k": "gray", "w": "gray",
    "rgb": "color", "srgb": "color", "cmyk": "color", "cmy": "color", "colour": "color",
  ]

  private static let fits = ["true": "fit", "false": "auto"]

  private static let asItIs = "colors are printed as the document has them"
}
