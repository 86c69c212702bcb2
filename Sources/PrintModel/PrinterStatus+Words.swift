extension PrinterStatus {
  /// Returns the reason why the printer would not print now, in words; nil if it would.
  ///
  /// - `isLoaded`: true if some tray holds paper; nil if unknown. An empty tray next to a full one stops nothing until
  ///   the printer reports that it has stopped.
  package func trouble(isLoaded: Bool?) -> String? {
    if !isAcceptingJobs { return "it is not accepting jobs" }
    let blocking = reasons.map(StateReason.init).filter(\.needsSomebody).withoutNeed
    let counted = blocking.filter { reason in
      state == .stopped || reason.severity == .error || isLoaded != true
        || !reason.needsPaper
    }
    if let reason = counted.first { return words(of: reason) ?? ownWords ?? reason.keyword }
    if isLoaded == false { return words(of: StateReason("media-empty")) }
    return state == .stopped ? message ?? ownWords ?? "it has stopped" : nil
  }

  /// The first of its messages, marked as its own: `it reports "Call service"`.
  private var ownWords: String? { messages.first.map { "it reports \"\($0)\"" } }

  /// Returns the words of a reason, without a capital and a full stop; for one without paper they name the empty trays and
  /// what to load.
  ///
  /// - `paper`: the paper of a job that waits for it; nil: what the trays are set for, if the printer reports that.
  /// - `page`: ` after page 3`, or nothing.
  package func words(
    of reason: StateReason, for paper: Paper? = nil, page: String = ""
  ) -> String? {
    guard reason.isOut else { return reason.words }
    // Nothing is kept in a tray for single sheets.
    let kept = emptyTrays.filter { !["by-pass-tray", "manual"].contains($0.source) }
    let empty = kept.isEmpty ? emptyTrays : kept
    let own = paper?.trayInWords.map { [$0] }
    let trays = own ?? empty.compactMap { Paper.inWords(tray: $0.source) }
    let papers =
      paper.map { [$0.titleToLoad] }
      ?? (empty.isEmpty ? (loaded.count == 1 ? loaded : []) : empty.compactMap(\.paper).unique)
    return PrinterStatus.outOfPaper(
      trays, page: page, load: papers.isEmpty ? nil : papers.inWords(joinedBy: "or"))
  }

  /// The sentence for trays without paper, in words; none if unknown.
  static func outOfPaper(_ trays: [String], page: String = "", load paper: String?) -> String {
    let subject = trays.isEmpty ? "" : "\(trays.inWords()) \(trays.count == 1 ? "is" : "are") "
    return "\(subject)out of paper\(page)" + (paper.map { ": load \($0)" } ?? "")
  }

  /// Ink, toner and the like with a tenth or less left, without waste containers.
  package var low: [Supply] { supplies.filter(\.isLow) }

  /// The reasons that are useful for a user, without duplicates; low supplies are left to `low` if that names them.
  package var reasonsInWords: [String] { namedReasons.compactMap { words(of: $0) }.unique }

  /// What runs low: `low on black toner 7 %`, `paper is running low`; the latter by the printer's reasons, as some report
  /// no levels.
  package var lowInWords: [String] {
    let supplies = low.compactMap(\.inWords)
    return (supplies.isEmpty ? [] : ["low on \(supplies.inWords())"])
      + namedReasons.filter(\.isLow).compactMap { words(of: $0) }.unique
  }

  /// The reasons, without those of supplies that `low` names.
  private var namedReasons: [StateReason] {
    let counted = low.isEmpty ? [] : ["toner-low", "marker-supply-low"]
    return reasons.map(StateReason.init).withoutNeed.filter { !counted.contains($0.keyword) }
  }
}

extension PrinterStatus.Supply {
  package var isLow: Bool { !type.hasPrefix("waste") && level.map { $0 <= 10 } == true }

  /// The name and type in words, without repetition, such as `black toner` or `Yellow ink`; nil if there is neither.
  package var title: String? {
    let unsaid: Set<String> = ["other", "unknown", ""]
    let kind = PrinterStatus.Supply.words(type)
    let called = unsaid.contains(name.lowercased()) ? "" : name
    guard !unsaid.contains(kind) else { return called.isEmpty ? nil : called }
    let said = Set(called.lowercased().split { !$0.isLetter }.map(String.init))
    let isSaid = kind.split(separator: " ").contains { said.contains(String($0)) }
    if called.isEmpty { return kind }
    return isSaid || said.contains("cartridge") ? called : "\(called) \(kind)"
  }

  /// The supply with its level: `black toner 7 %`.
  package var inWords: String? {
    guard title != nil || level != nil else { return nil }
    return (title ?? "supply") + (level.map { " \($0) %" } ?? "")
  }

  /// Splits a keyword into words: `inkCartridge` and `ink-cartridge` become `ink cartridge`.
  static func words(_ keyword: String) -> String {
    var words = ""
    for letter in keyword {
      if letter == "-" || letter == "_" {
        words += " "
      } else if letter.isUppercase {
        words += (words.isEmpty ? "" : " ") + letter.lowercased()
      } else {
        words.append(letter)
      }
    }
    return words
  }
}
