extension Paper {
  /// `A4`, `the 80 mm roll`.
  package var titleToLoad: String { (isRoll ? "the " : "") + title }

  /// Its tray in words (`tray 2`, `the main roll`), from media-source's keywords (PWG 5101.1); nil if the printer
  /// chooses.
  package var trayInWords: String? { source.flatMap(Paper.inWords(tray:)) }

  /// Returns a tray in words, from its keyword; nil for `auto`.
  package static func inWords(tray source: String) -> String? {
    let words = source.split(separator: "-").joined(separator: " ")
    switch source {
    case "auto": return nil
    case let name where name.hasPrefix("tray-") || name.hasPrefix("roll-"): return words
    case "by-pass-tray": return "the by-pass tray"
    case let name where name.hasSuffix("roll") || name.hasSuffix("tray"): return "the \(words)"
    default: return "the \(words) tray"
    }
  }

  /// The warning before a job that its tray is empty, in the words of the printer's state while the job waits.
  package func emptyWarning(of printer: String) -> String? {
    trayInWords.map { tray in
      let words = PrinterStatus.outOfPaper(["\(tray) of \(printer)"], load: titleToLoad)
      return words.capitalizedFirst + "."
    }
  }
}
