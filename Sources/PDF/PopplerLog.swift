internal import CGLib
internal import Glibc

/// Problems that Poppler only reports in its log, while it leaves something out of a page.
struct PopplerLog {
  /// True if the page ended at a Q operator without a matching q.
  private(set) var hasUnmatchedRestore = false
  /// True if data of a picture or of page content can't be decoded, or text has no font.
  private(set) var hasBadData = false
  /// Data of a picture, a content or a font can't be unpacked to its end, or a page's contents are no list of streams.
  private(set) var hasBadStream = false
  /// True if a picture in JBIG2 can't be decoded.
  private(set) var hasBadJBIG2 = false
  /// True if nothing of a picture in JPEG 2000 can be decoded.
  private(set) var hasBadJPEG2000 = false
  /// True if anything at all is wrong, except that a bare codestream is no JP2 file.
  private(set) var hasErrors = false
  /// Fonts that are not embedded, though text refers to their characters by number.
  private(set) var missingFonts: [String] = []

  /// Names of fonts that a content uses, and that its resources lack.
  ///
  /// Poppler also asks for some, and makes up for them, when it draws a form's fields itself: no text is missing then.
  var unknownFonts: [String] { hasTextWithoutFont ? askedFonts : [] }
  private var askedFonts: [String] = []
  private var hasTextWithoutFont = false

  /// Set by Poppler, on the only thread that draws.
  nonisolated(unsafe) private static var heard = PopplerLog()

  private static let mostFonts = 20

  /// Poppler's messages for data that it can't decode or draw (22 to 26), from Stream.cc and Gfx.cc.
  private static let badData = [
    "flate stream", "Unknown filter", "No font in show", "args to 'Tf'", "args to 'Tj'",
    "args to 'TJ'", "args to 'Do'", "Weird page contents", badJPEG2000, "Couldn't create a font",
  ]
  /// The message that follows those of OpenJPEG, after all formats were tried (JPEG2000Stream.cc).
  private static let badJPEG2000 = "opening JPX Stream."
  /// The same from JBIG2Stream.cc, and a message for a picture that it takes to be shorter than it is.
  private static let badJBIG2 = [
    "JBIG2", "pattern bitmap", "SymbolDictSeg", "read too many bytes", "Too few symbols",
  ]
  private static let shortJBIG2 = "extraneous bytes after segment"

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

  /// Messages since the last call.
  static func take() -> PopplerLog {
    defer { heard = PopplerLog() }
    return heard
  }

  /// Adds a line: "Syntax error at position 1079: Bad pattern bitmap".
  mutating func add(_ message: String) {
    if message.contains("no valid states to pop") { hasUnmatchedRestore = true }
    guard message.lowercased().hasPrefix("syntax error") else { return }
    if message.contains(PopplerLog.badJPEG2000) { hasBadJPEG2000 = true }
    if !message.contains("first box must be JPEG 2000 signature box") { hasErrors = true }
    let isBadJBIG2 = PopplerLog.badJBIG2.contains(where: message.contains)
    if isBadJBIG2 || message.contains(PopplerLog.shortJBIG2) { hasBadJBIG2 = true }
    if isBadJBIG2 || PopplerLog.badData.contains(where: message.contains) { hasBadData = true }
    if ["flate stream", "Weird page contents"].contains(where: message.contains) {
      hasBadStream = true
    }
    let tag = "Unknown font tag '"
    if let found = message.firstRange(of: tag), askedFonts.count < PopplerLog.mostFonts {
      let name = String(message[found.upperBound...].prefix { $0 != "'" })
      if !askedFonts.contains(name) { askedFonts.append(name) }
    }
    if message.contains("No font in show") { hasTextWithoutFont = true }
    let unknown = "non-embedded font using identity encoding: "
    if let found = message.firstRange(of: unknown), missingFonts.count < PopplerLog.mostFonts {
      missingFonts.append(String(message[found.upperBound...].prefix(80)))
    }
  }
}
