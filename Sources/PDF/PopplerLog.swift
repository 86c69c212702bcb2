internal import CGLib
internal import Drawing
internal import LibraryPatches
internal import PrintModel

/// Problems that Poppler only reports in its log, while it leaves something out of a page.
///
/// GLib's handlers get no more than a line of English. Every error is taken for something that is missing, except for
/// those after which nothing is; Poppler makes up for what it only warns of, but for shadings.
struct PopplerLog {
  /// True if nothing of a picture in JPEG 2000 can be decoded.
  private(set) var hasBadJPEG2000 = false
  /// True if something may be missing from the page.
  private(set) var hasErrors = false
  /// What Poppler does not even report: fonts that are missing, characters that fonts lack, and the share of the resolution
  /// at which pictures were drawn.
  private var fonts: [SubstitutedFonts.Font] = []
  private var lacksGlyphs = false
  private var share: String?

  /// Names of fonts that a content uses, and that its resources lack.
  ///
  /// Poppler also asks for some, and makes up for them, when it draws a form's fields itself: no text is missing then.
  var unknownFonts: [String] { hasErrors ? askedFonts : [] }
  private var askedFonts: [String] = []

  /// Set by Poppler, on the only thread that draws.
  nonisolated(unsafe) private static var heard = PopplerLog()

  private static let mostFonts = 20

  /// The message that follows those of OpenJPEG, after all formats were tried (JPEG2000Stream.cc).
  static let badJPEG2000 = "opening JPX Stream."

  /// Parts of errors that lose nothing, or nothing that isn't told of otherwise.
  private static let harmless = [
    // A text that needs the font has "No font in show". `SubstitutedFonts` has those that are not embedded.
    "Unknown font tag", "non-embedded font using identity encoding", "Embedded font file",
    "Couldn't create a font",
    // Poppler looks for the end of the stream; a bare codestream is no JP2 file.
    "Missing 'endstream'", "Unknown operator 'endstream'", "Bad 'Length' attribute",
    "first box must be JPEG 2000 signature box",
    // The second error about a reference to no object: Poppler looks for it in the whole file.
    "Couldn't find trailer dictionary",
    // Nothing is missing of a space; `DrawnBoxes` has what is.
    "Missing or bad Type3 CharProc entry",
    // Has a status of cairo's as well: the page is drawn by Splash.
    "cairo context error",
    // What text means, and how it is structured.
    "Unknown character collection", "Unknown CID font collection", "ToUnicode", "Marked Content",
    "'BDC'", "DID NOT find",
    "name token is longer",
    // Numbers behind the last operator, and a color's: what it is for is drawn in the color before.
    "Leftover args", "Incorrect number of arguments in",
    // Object 0 is none in any file.
    "Invalid XRef entry 0",
    // Parts of annotations and forms that are not drawn; `PDFOmissions` has those that would be.
    "Fields array", "ByteRange", "Signature string", "file spec", "FileSpec", " action",
    "Bad Annot ", "Bad bounding box for annotation", "missing AS value",
    "in field's DA string", "radiosInUnison",
  ]

  /// Starts to read the log, as its only reader.
  static func listen() { _ = handler }

  private static let handler: UInt32 = {
    // G_LOG_LEVEL_INFO and _DEBUG, whose names newer GLib headers don't export to Swift.
    let levels = GLogLevelFlags(rawValue: 1 << 6 | 1 << 7)
    return g_log_set_handler(
      "Poppler", levels,
      { _, _, message, _ in
        if let message { PopplerLog.heard.add(String(cString: message)) }
      }, nil)
  }()

  /// Messages since the last call, and what functions in place of its libraries' have seen.
  static func take() -> PopplerLog {
    defer { heard = PopplerLog() }
    let seen = [DamagedPictures.take(), MisplacedText.take()]
    heard.hasErrors = heard.hasErrors || seen.contains(true)
    heard.fonts = SubstitutedFonts.take()
    heard.lacksGlyphs = DrawnBoxes.takeLackOfGlyphs()
    heard.share = CoarsePictures.take()
    return heard
  }

  /// Adds a line: "Syntax error at position 1079: Bad pattern bitmap".
  mutating func add(_ message: String) {
    let kind = message.lowercased()
    if kind.hasPrefix("syntax warning") {
      // A shading that can't be read is left out.
      hasErrors = hasErrors || kind.contains("shading")
      return
    }
    guard !message.isEmpty else { return }
    if message.contains(PopplerLog.badJPEG2000) { hasBadJPEG2000 = true }
    if !PopplerLog.harmless.contains(where: message.contains) { hasErrors = true }
    if let tag = message.firstRange(of: "Unknown font tag '") {
      let name = String(message[tag.upperBound...].prefix { $0 != "'" })
      if askedFonts.count < PopplerLog.mostFonts, !askedFonts.contains(name) {
        askedFonts.append(name)
      }
    }
  }

  /// What is missing from a page (an index from 0); `isPicture`: it is one, and so is the file.
  func losses(on index: Int, ofPicture isPicture: Bool) -> [Loss] {
    var all = fonts.map {
      Loss(
        .font, page: index + 1,
        "Text in \($0.name.isEmpty ? "an unnamed font" : $0.name) is printed in \($0.substitute)"
          + ($0.isWrong ? ", and may be wrong or missing" : "")
          + ": the PDF includes no usable font.")
    }
    if lacksGlyphs {
      all.append(
        Loss(
          .character, page: index + 1,
          "Some characters on page \(index + 1) are missing or printed as boxes: their font lacks them."
        ))
    }
    // Vectors keep the picture as it is in the file.
    if let share, HairlineStrokes.isEnforced {
      all.append(
        Loss(
          .coarse, page: index + 1,
          (isPicture ? "The picture" : "A picture on page \(index + 1)")
            + " is drawn at \(share) of its resolution: more would take more memory than page-memory in "
            + "config.toml allows."))
    }
    if hasErrors { all.append(isPicture ? DamagedPicture.loss : PopplerLog.damage(on: index)) }
    return all
  }

  static func damage(on index: Int) -> Loss {
    Loss(
      .damage, page: index + 1,
      "Page \(index + 1) has damaged data; something may be missing from it.")
  }
}
