internal import AirprintContext
internal import ArgumentParser
internal import ForeignText
internal import Jobs
package import PrintModel
internal import PrintOptions
internal import Printers
internal import Printing
internal import VirtualPrinters

/// Values that Tab offers and that depend on this machine.
///
/// An argument's declaration contains the name (`CompletionKind.from`), and ArgumentParser's description of the command
/// repeats it.
enum CompletionSource: String {
  /// Names of the saved printers; of a list, those not yet listed.
  case savedPrinters, savedPrinterList
  /// Jobs of the journal that are not named yet, with their names if the shell can show them: all, those in the queue,
  /// those that have not ended, and those that their printer holds.
  case jobs, queuedJobs, unfinishedJobs, heldJobs
  case jobsAndPrinters, queuedJobsAndFiles, savedPrintersAndFiles
  /// Types, also several separated by commas.
  case jobTypeList
  /// Those of the printer in question if it has answered before; else the usual ones.
  case papers, trays, mediaTypes, presets
  /// Profiles and actions of `simulate`, and after an action the running printers.
  case simulation
  /// The keys of `config set`: those for all jobs, and after `types.` and `printers.` the others.
  case settingKeys
  /// The keys set in either of the two files.
  case keysThatAreSet
  /// The values of the setting that is the argument before.
  case settingValues

  /// Returns the values, and files if they are possible, too.
  ///
  /// - `typed`: the value so far, without quotes.
  /// - `command`: the words before it.
  func completion(of typed: String, in command: IncompleteCommand) -> Completion {
    var completion = Completion(offers: offers(typed, command, Context.current))
    if [.queuedJobsAndFiles, .savedPrintersAndFiles].contains(self), !typed.isEmpty {
      completion.files = .files
    }
    return completion
  }

  private func offers(
    _ typed: String, _ command: IncompleteCommand, _ context: Context
  ) -> [CompletionOffer] {
    // An unreadable printers.toml is reported by the next command, not by completion.
    let saved = ((try? context.settings.printers())?.printers ?? []).map(\.name)
    func jobs(_ which: KnownJobs) -> [CompletionOffer] {
      knownJobs(which, context).filter { !command.positional.contains($0.job) }
        .map { CompletionOffer($0.job, described: $0.title) }
    }
    let words: [String]
    switch self {
    case .jobs: return jobs(.all)
    case .queuedJobs, .queuedJobsAndFiles: return jobs(.queued)
    case .unfinishedJobs: return jobs(.unfinished)
    case .heldJobs: return jobs(.held)
    case .jobsAndPrinters: return saved.map { CompletionOffer($0) } + jobs(.all)
    case .savedPrinters, .savedPrintersAndFiles: words = saved
    case .savedPrinterList: words = saved + lists(of: saved, completing: typed)
    case .jobTypeList:
      let types = JobType.allCases.map(\.rawValue)
      words = types + lists(of: types, completing: typed)
    case .papers:
      let known = rememberedPapers(of: context.printerName(typed: command.printer), context)
      words = paperNames(completing: typed, among: known)
    case .trays: words = known(\.trays, command, context) ?? PrintOption.usualTrays
    case .mediaTypes: words = known(\.mediaTypes, command, context) ?? PrintOption.usualMediaTypes
    case .presets: words = known({ $0.presets ?? [] }, command, context) ?? []
    case .simulation: words = simulated(typed, command.positional, context)
    case .settingKeys: words = keysOfSettings(completing: typed)
    case .keysThatAreSet: words = keysOfFiles(context)
    case .settingValues: words = valuesOfSetting(command.positional.last ?? "")
    }
    return words.map { CompletionOffer($0) }
  }

  /// Returns what the printer in question reported when it answered last; nil if that is nothing.
  private func known(
    _ words: (PrinterStatusSnapshot) -> [String], _ command: IncompleteCommand, _ context: Context
  ) -> [String]? {
    let snapshot = cachedStatus(at: context.printerName(typed: command.printer), context)
    return snapshot.map(words).flatMap { $0.isEmpty ? nil : $0 }
  }
}

extension CompletionKind {
  static func from(_ source: CompletionSource) -> CompletionKind { .shellCommand(source.rawValue) }

  /// The raw values of an enumeration.
  static func words<Words>(_: Words.Type) -> CompletionKind
  where Words: RawRepresentable<String> & CaseIterable {
    .list(Words.allCases.map(\.rawValue))
  }
}

private func keysOfFiles(_ context: Context) -> [String] {
  let keys = [true, false].flatMap { isSystem -> [String] in
    let file = try? ConfigurationFile(context.directories, system: isSystem)
    return (try? file?.settings())?.map(\.key) ?? []
  }
  return Set(keys).sorted()
}

/// Returns what `simulate` accepts after these words.
private func simulated(_ typed: String, _ words: [String], _ context: Context) -> [String] {
  guard let action = words.first, ["load", "supply", "fault", "clear", "pin"].contains(action)
  else {
    return SimulateOptions.words
  }
  guard words.count > 1 else { return simulatedPrinters(context) }
  switch action {
  case "load":
    guard let equals = typed.firstIndex(of: "=") else {
      let state = simulatedPrinterState(words[1], context)
      return (state?.paper ?? []).compactMap { $0.split(separator: "=").first }.map { "\($0)=" }
    }
    return simulatedPapers(in: String(typed[..<equals]), of: words[1], context)
      .map { typed[...equals] + $0 }
  case "supply": return simulatedSupplies(of: words[1], context).map { "\($0)=" }
  case "fault", "clear": return faultNames.map { String($0.prefix { $0 != "@" }) }
  default: return []
  }
}

/// Returns the keys of settings that start with `typed`: those for all jobs, and those of a type or printer once its
/// table was typed.
package func keysOfSettings(completing typed: String) -> [String] {
  let printers = ((try? Context.current.settings.printers())?.printers ?? []).map(\.name)
  let tables =
    JobType.allCases.map { "types.\($0.rawValue)." } + printers.map { "printers.\($0)." }
  let begun = tables.filter { typed.hasPrefix($0) }
  let keys =
    begun.isEmpty
    ? Configuration.plainKeys + tables
    : begun.flatMap { table in PrintOption.settings.map { table + $0.rawValue } }
  return keys.filter { $0.hasPrefix(typed) }
}

/// Returns the usual values of a setting, such as `types.photo.sides`; empty if any text will do.
package func valuesOfSetting(_ key: String) -> [String] {
  let name = key.split(separator: ".").last.map(String.init) ?? ""
  if name == "on-timeout" { return ["cancel", "leave"] }
  if ["later-when-offline", "notify"].contains(name) { return ["true", "false"] }
  let option = PrintOption(rawValue: name)
  return option == .paper ? paperNames(completing: "") : option?.usualValues ?? []
}

/// Returns the lists that continue `A,B`: with every word that is not in it yet; empty without a comma.
///
/// Words that a list can't contain are left out.
package func lists(of words: [String], completing typed: String) -> [String] {
  guard let comma = typed.lastIndex(of: ",") else { return [] }
  let listed = typed[..<comma].split(separator: ",").map(String.init)
  return words.filter { !listed.contains($0) && !$0.contains(",") && $0.isPlainName }
    .map { typed[...comma] + $0 }
}

/// Returns completions for a list like `A4,let`: everyday names, in the case of the typed text, and PWG names once
/// something is typed.
///
/// - `papers`: those of a printer; empty if unknown.
package func paperNames(completing typed: String, among papers: [Paper] = []) -> [String] {
  let start = typed.lastIndex(of: ",").map(typed.index(after:)) ?? typed.startIndex
  let part = typed[start...]
  var words = papers.isEmpty ? StandardMedia.all.map(\.word) : []
  for paper in papers where !words.contains(paper.word) { words.append(paper.word) }
  words = words.map { part.first?.isLowercase == true ? $0.lowercased() : $0 }
  let names = part.isEmpty || !papers.isEmpty ? [] : StandardMedia.all.map(\.name)
  return (words + ["best"] + names).filter { $0.hasPrefix(part) }.map { typed[..<start] + $0 }
}

extension Paper {
  /// Its value for `--paper`: `A4`, `80mm` for a roll, `62x100mm`.
  fileprivate var word: String {
    if isRoll { return "\(size.width.inMillimeters.filter { $0 != " " })" }
    return StandardMedia(of: size)?.word ?? title.filter { $0 != " " }
  }
}

extension StandardMedia {
  /// The everyday name as one word.
  fileprivate var word: String { title.contains(" ") ? aliases.first ?? name : title }
}
