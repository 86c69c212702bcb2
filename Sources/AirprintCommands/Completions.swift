internal import AirprintContext
internal import ArgumentParser
internal import ForeignText
internal import Jobs
package import PrintModel
internal import PrintOptions
internal import Printers
internal import Printing
internal import Settings
internal import VirtualPrinters

/// The words offered by completion.
///
/// Words that depend on this machine are requested from this program on completion; the others are part of the script.
extension CompletionKind {
  /// Names of the saved printers.
  static var savedPrinters: CompletionKind {
    .custom { _, _, typed in
      // An unreadable printers.toml is reported by the next command, not by completion.
      let store = try? Context.current.settings.printers()
      return offers((store?.printers ?? []).map { CompletionOffer($0.name) }, typed: typed)
    }
  }

  /// The same for `-d A,B`: after a comma, those not yet listed.
  static var savedPrinterList: CompletionKind {
    .custom { _, _, typed in
      let names = ((try? Context.current.settings.printers())?.printers ?? []).map(\.name)
      return offers(
        (names + lists(of: names, completing: typed)).map { CompletionOffer($0) }, typed: typed)
    }
  }

  /// The journal's jobs, with their names if the shell can show them.
  static var jobs: CompletionKind { jobs(.all) }

  /// The jobs that wait in the queue.
  static var queuedJobs: CompletionKind { jobs(.queued) }

  /// The jobs that have not ended.
  static var unfinishedJobs: CompletionKind { jobs(.unfinished) }

  /// The jobs that their printer holds.
  static var heldJobs: CompletionKind { jobs(.held) }

  /// The journal's jobs, and the saved printers.
  static var jobsAndPrinters: CompletionKind {
    .custom { _, _, typed in
      let context = Context.current
      let jobs = knownJobs(.all, context).map { CompletionOffer($0.job, described: $0.title) }
      let printers = (try? context.settings.printers())?.printers ?? []
      return offers(printers.map { CompletionOffer($0.name) } + jobs, typed: typed)
    }
  }

  /// Not asynchronous: the parser answers completion before asynchronous code can run.
  private static func jobs(_ which: KnownJobs) -> CompletionKind {
    .custom { words, index, typed in
      let others = Set(words.enumerated().filter { $0.offset != index }.map(\.element))
      let jobs = knownJobs(which, Context.current).filter { !others.contains($0.job) }
      return offers(jobs.map { CompletionOffer($0.job, described: $0.title) }, typed: typed)
    }
  }

  /// The trays of the printer in question if it has answered before; else the usual ones.
  static var trays: CompletionKind { ofPrinter(\.trays, else: PrintOption.usualTrays) }

  /// The media of the printer in question.
  static var mediaTypes: CompletionKind {
    ofPrinter(\.mediaTypes, else: PrintOption.usualMediaTypes)
  }

  private static func ofPrinter(
    _ member: any KeyPath<PrinterStatusSnapshot, [String]> & Sendable, else usual: [String]
  ) -> CompletionKind {
    .custom { words, _, typed in
      let context = Context.current
      let snapshot = cachedStatus(at: context.printerName(typed: printer(in: words)), context)
      let known = snapshot?[keyPath: member] ?? []
      return offers((known.isEmpty ? usual : known).map { CompletionOffer($0) }, typed: typed)
    }
  }

  /// The values of `--paper`, including those after a comma: those of the printer in question if it has answered
  /// before.
  static var papers: CompletionKind {
    .custom { words, _, typed in
      let context = Context.current
      let known = rememberedPapers(
        of: context.printerName(typed: printer(in: words)), context)
      return offers(
        paperNames(completing: typedValue(typed), among: known).map { CompletionOffer($0) },
        typed: typed)
    }
  }

  /// Profiles and actions of `simulate`, and after an action the running printers.
  static var simulation: CompletionKind {
    .custom { words, index, typed in
      let told = words.firstIndex { ["load", "supply", "fault", "clear", "pin"].contains($0) }
      if let told, index > told + 1, told + 1 < words.count {
        let printer = TypedWord(words[told + 1]).text
        if words[told] == "load", let tray = trayBeforeEquals(words, index) {
          let papers = simulatedPapers(in: tray.name, of: printer, Context.current)
          // In bash, the word before the cursor may be the equals sign, after which it inserts.
          return offers(
            papers.map { CompletionOffer(tray.start + $0) }, typed: typed == "=" ? "" : typed)
        }
        return offers(
          simulatedChanges(words[told], of: printer).map { CompletionOffer($0) }, typed: typed)
      }
      let names = told == nil ? SimulateOptions.words : simulatedPrinters(Context.current)
      return offers(names.map { CompletionOffer($0) }, typed: typed)
    }
  }

  /// The keys of `config set`: those for all jobs, and after `types.` and `printers.` the others.
  static var settingKeys: CompletionKind {
    .custom { _, _, typed in
      offers(
        keysOfSettings(completing: TypedWord(typed).text).map { CompletionOffer($0) }, typed: typed)
    }
  }

  /// The keys set in either of the two files.
  static var keysThatAreSet: CompletionKind {
    .custom { _, _, typed in
      var keys: Set<String> = []
      for isSystem in [true, false] {
        guard let file = try? ConfigurationFile(Context.current.places, system: isSystem),
          let settings = try? file.settings()
        else { continue }
        for setting in settings { keys.insert(setting.key) }
      }
      return offers(keys.sorted().map { CompletionOffer($0) }, typed: typed)
    }
  }

  static var jobTypes: CompletionKind { .words(JobType.self) }

  /// Types, also several separated by commas.
  static var jobTypeList: CompletionKind {
    .custom { _, _, typed in
      let types = JobType.allCases.map(\.rawValue)
      return offers(
        (types + lists(of: types, completing: typed)).map { CompletionOffer($0) }, typed: typed)
    }
  }

  /// The values of the setting named by the word before.
  static var settingValues: CompletionKind {
    .custom { words, index, typed in
      let key = words.indices.contains(index - 1) ? TypedWord(words[index - 1]).text : ""
      return offers(valuesOfSetting(key).map { CompletionOffer($0) }, typed: typed)
    }
  }

  /// The raw values of an enumeration.
  static func words<Words>(_: Words.Type) -> CompletionKind
  where Words: RawRepresentable<String> & CaseIterable {
    .list(Words.allCases.map(\.rawValue))
  }

  private static func offers(_ offers: [CompletionOffer], typed: String) -> [String] {
    let shell = CompletionShell.requesting?.rawValue
    return offers.compactMap { $0.line(completing: typed, for: shell) }
  }
}

/// Returns the tray of `main=A4`, and what precedes the paper in the word before the cursor; nil if there is no `=`.
///
/// In bash, which divides words at `=`, nothing precedes it.
package func trayBeforeEquals(_ words: [String], _ index: Int) -> (name: String, start: String)? {
  guard words.indices.contains(index) else { return nil }
  let word = TypedWord(words[index]).text
  if word == "=" { return (TypedWord(words[index - 1]).text, "") }
  if let equals = word.firstIndex(of: "=") {
    return (String(word[..<equals]), word[...equals] + "")
  }
  guard index > 1, words[index - 1] == "=" else { return nil }
  return (TypedWord(words[index - 2]).text, "")
}

/// Returns the arguments after the printer for `simulate load`, `supply` and `fault`; those of other actions are
/// unknown.
private func simulatedChanges(_ action: String, of printer: String) -> [String] {
  switch action {
  case "load":
    let state = simulatedPrinterState(printer, Context.current)
    return (state?.paper ?? []).compactMap { $0.split(separator: "=").first }.map { "\($0)=" }
  case "supply":
    return simulatedSupplies(of: printer, Context.current).map { "\($0)=" }
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
  guard begun.isEmpty else {
    return begun.flatMap { table in PrintOption.settings.map { table + $0.rawValue } }
      .filter { $0.hasPrefix(typed) }
  }
  return (Configuration.plainKeys + tables).filter { $0.hasPrefix(typed) }
}

/// Returns the usual values of a setting, such as `types.photo.sides`; empty if any text will do.
package func valuesOfSetting(_ key: String) -> [String] {
  let name = key.split(separator: ".").last.map(String.init) ?? ""
  if name == "on-timeout" { return ["cancel", "leave"] }
  if ["later-when-offline", "notify"].contains(name) { return ["true", "false"] }
  return switch PrintOption(rawValue: name) {
  case .paper: paperNames(completing: "")
  case .tray: PrintOption.usualTrays
  case .mediaType: PrintOption.usualMediaTypes
  case .sides: PrintRequest.SidesOption.allCases.map(\.rawValue)
  case .color: PrintRequest.ColorOption.allCases.map(\.rawValue)
  case .quality: Quality.allCases.map(\.keyword)
  case .scaling: Scaling.allCases.map(\.rawValue)
  case .orientation: PrintRequest.OrientationOption.allCases.map(\.rawValue)
  case .format: PrintRequest.FormatOption.allCases.map(\.rawValue)
  case .pageBorder: PageBorder.allCases.map(\.rawValue)
  case .position: PrintRequest.Position.allCases.map(\.rawValue)
  case .align: TextStyle.Alignment.allCases.map(\.rawValue)
  case .textColor: TextStyle.Ink.names.keys.sorted()
  case .borderless, .booklet, .numberLines: ["true", "false"]
  default: []
  }
}

/// Returns a typed value, of `--NAME=VALUE` too, without quotes and backslashes.
private func typedValue(_ typed: String) -> String {
  let text = TypedWord(typed).text
  guard text.hasPrefix("--"), let equals = text.firstIndex(of: "=") else { return text }
  return String(text[text.index(after: equals)...])
}

/// Returns the lists that continue `A,B`: with every word that is not in it yet; empty without a comma.
///
/// Words that a list can't contain are left out.
package func lists(of words: [String], completing typed: String) -> [String] {
  let text = typedValue(typed)
  guard let comma = text.lastIndex(of: ",") else { return [] }
  let listed = text[..<comma].split(separator: ",").map(String.init)
  return words.filter { !listed.contains($0) && !$0.contains(",") && $0.isPlainName }
    .map { text[...comma] + $0 }
}

/// Returns the printer that the incomplete command line names, without quotes and backslashes.
package func printer(in words: [String]) -> String? {
  var name: String?
  for (index, word) in words.enumerated() {
    if ["-d", "--to"].contains(word), index + 1 < words.count {
      name = words[index + 1]
    } else if word.hasPrefix("--to=") {
      name = String(word.dropFirst(5))
    } else if word.hasPrefix("-d"), word.count > 2 {
      name = String(word.dropFirst(2))
    }
  }
  return name.map { TypedWord($0).text }
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
    let known = StandardMedia.all.first { $0.size.matches(size, within: MediaSize.near) }
    return known?.word ?? title.filter { $0 != " " }
  }
}

extension StandardMedia {
  /// The everyday name as one word.
  fileprivate var word: String { title.contains(" ") ? aliases.first ?? name : title }
}
