internal import AirprintContext
internal import Printers
internal import PrintModel
internal import Synchronization
internal import System
internal import Terminal

/// The available printers as the picker's rows, and the actions of its keys: Tab shows a printer's paper, Ctrl-B makes
/// it identify itself, Ctrl-T sets its job types.
final class PickList: Sendable {
  private struct State {
    var printers: [String: FoundPrinter] = [:]
    /// Results of Tab and Ctrl-B, by printer.
    var notes: [String: String] = [:]
    var arguments: PickArguments
    var rows: AsyncStream<[PickerRow]>.Continuation?
    /// True if a change will be shown in a moment.
    var isDue = false
  }

  private let state: Mutex<State>
  private let store: PrinterStore
  private let context: Context
  /// Types that a printer must state to be listed.
  private let types: [JobType]
  /// True if the user may choose the printer's purpose.
  private let hasPurposes: Bool

  init(
    _ store: PrinterStore, _ arguments: PickArguments, for types: [JobType], hasPurposes: Bool,
    _ context: Context
  ) {
    self.store = store
    self.types = types
    self.context = context
    self.hasPurposes = hasPurposes
    state = Mutex(State(arguments: arguments))
  }

  /// The state is a sentence: in 80 columns, it uses the space of model and types.
  static let columns = [
    Column("MODEL", minimum: 12, usual: 20, importance: 1),
    Column("PRINTS", minimum: 12, usual: 20, importance: 3),
    Column("COLOR", minimum: 5, usual: 6, importance: 4),
    Column("SIDES", minimum: 7, usual: 8, importance: 2),
    Column("LOCK", minimum: 6, usual: 8, importance: 5),
    Column("STATE", minimum: 24, usual: 48, importance: 6),
  ]

  static func id(_ printer: SavedPrinter) -> String? {
    printer.service.map { "\($0.instance).\($0.domain)" }
  }

  private static func id(_ found: FoundPrinter) -> String {
    "\(found.printer.service.instance).\(found.printer.service.domain)"
  }

  var isEmpty: Bool { state.withLock { !$0.printers.values.contains(where: isListed) } }

  private func isListed(_ found: FoundPrinter) -> Bool {
    types.isEmpty
      || found.printer.typesAreStated && types.allSatisfy(found.printer.types.contains)
  }

  /// The sentence for printers that are not listed, because they state that they don't print the types; nil if there is
  /// none.
  var others: String? {
    let count = state.withLock { $0.printers.values.count(where: \.printer.typesAreStated) }
    guard count > 0, isEmpty else { return nil }
    let what = types.map(\.plurals).inWords()
    return count == 1
      ? "1 printer was found; it does not print \(what)."
      : "\(count) printers were found; none of them prints \(what)."
  }

  func printer(_ id: String) -> DiscoveredPrinter? {
    state.withLock { $0.printers[id]?.printer }
  }

  /// The arguments, with the purpose chosen in the list.
  var arguments: PickArguments { state.withLock { $0.arguments } }

  var title: String { PickList.title(arguments) }

  private static func title(_ arguments: PickArguments) -> String {
    guard arguments.types.isEmpty else {
      return "Choose a printer for \(arguments.types.map(\.plurals).inWords())"
    }
    return arguments.asDefault ? "Choose the default printer" : "Choose a printer"
  }

  var hint: String {
    "Enter chooses · Esc leaves · Tab paper · ^B beep"
      + (hasPurposes ? " · ^T for which type" : "")
  }

  // MARK: Rows

  /// Returns the whole list after every report, in alphabetical order.
  func rows(of reports: AsyncStream<DiscoveryUpdate>) -> AsyncStream<[PickerRow]> {
    let (rows, continuation) = AsyncStream<[PickerRow]>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    state.withLock { $0.rows = continuation }
    let task = Task {
      for await report in reports { take(report) }
      showRows()
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return rows
  }

  private func take(_ report: DiscoveryUpdate) {
    let found = report.found
    change { $0.printers[PickList.id(found)] = report.event == .vanished ? nil : found }
  }

  /// Applies a change, and shows it in a moment together with later ones: thousands of printers may appear at once.
  private func change(_ body: (inout State) -> Void) {
    let isFirst = state.withLock { state in
      body(&state)
      defer { state.isDue = true }
      return !state.isDue
    }
    guard isFirst else { return }
    Task {
      try? await Task.sleep(for: .milliseconds(30))
      showRows()
    }
  }

  private func showRows() {
    state.withLock { state in
      state.isDue = false
      state.rows?.yield(
        state.printers.values.filter(isListed).sortedByName(\.self).map {
          row(id: PickList.id($0), $0, note: state.notes[PickList.id($0)])
        })
    }
  }

  private func row(id: String, _ found: FoundPrinter, note: String?) -> PickerRow {
    let printer = found.printer
    return PickerRow(
      id: id, title: printer.name,
      subtitle: note ?? printer.location.flatMap { $0.isEmpty ? nil : $0 },
      columns: [
        printer.makeAndModel ?? "",
        printer.types.sorted().map(\.rawValue).joined(separator: ", "),
        printer.isColor.map { $0 ? "color" : "gray" } ?? "",
        printer.isDuplex.map { $0 ? "2 sides" : "1 side" } ?? "",
        printer.authentication == "none" ? "" : "locked", found.status?.inWords ?? "",
      ], mark: found.saved.map { mark($0, of: printer) }, words: printer.aliases.map(\.instance))
  }

  /// Returns `✓ default`, `✓ receipt` or `✓ counter`: the purposes for which it is saved, and its saved name if that
  /// differs.
  private func mark(_ saved: String, of printer: DiscoveredPrinter) -> String {
    let purposes =
      (store.defaultPrinter?.name == saved ? ["default"] : [])
      + store.types(of: saved).map(\.rawValue)
    let words = (saved == printer.name ? [] : [saved]) + purposes
    return words.isEmpty ? "✓" : "✓ \(words.joined(separator: ", "))"
  }

  // MARK: Keys

  /// Performs a key's action on the selected printer; returns a new title if there is one.
  func act(_ action: PickerAction, on id: String?) -> String? {
    if action == .controlT { return hasPurposes ? nextPurpose() : nil }
    guard let id, let printer = printer(id) else { return nil }
    change { $0.notes[id] = "asking …" }
    Task {
      let words = action == .tab ? await paper(of: printer) : await identify(printer)
      change { $0.notes[id] = words }
    }
    return nil
  }

  /// Switches to the next purpose: the default printer, then each type that a printer of the list prints, then the initial purpose.
  private func nextPurpose() -> String {
    state.withLock { state in
      let found = state.printers.values.map(\.printer.types)
      let types = JobType.allCases.filter { type in
        found.contains { $0.isEmpty || $0.contains(type) }
      }
      if let type = state.arguments.types.first {
        let next = (types.firstIndex(of: type) ?? 0) + 1
        state.arguments.types = next < types.count ? [types[next]] : []
      } else if state.arguments.asDefault {
        state.arguments.asDefault = false
        state.arguments.types = types.first.map { [$0] } ?? []
      } else {
        state.arguments.asDefault = true
      }
      return PickList.title(state.arguments)
    }
  }

  /// Returns the loaded paper, without sending a password and without storing anything: the user has not chosen the
  /// printer yet.
  private func paper(of printer: DiscoveredPrinter) async -> String {
    let (report, _) = await showPrinter(
      PrinterReference(printer), context.lookingAround, timeout: PrinterConnection.browseTimeout)
    guard report.isAvailable else { return report.trouble ?? "does not answer" }
    let papers = report.ready.map { paper in
      paper.title + (paper.source.map { " (\($0))" } ?? "")
    }.unique
    return papers.isEmpty
      ? "does not report what is loaded" : "loaded: \(papers.joined(separator: ", "))"
  }

  private func identify(_ printer: DiscoveredPrinter) async -> String {
    do throws(Failure) {
      let target = PrinterReference(printer)
      let actions = try await identifyPrinter(target, context.lookingAround)
      return "identifying itself\(actions.isEmpty ? "" : " (\(actions.inWords()))")"
    } catch {
      return error.message
    }
  }
}

/// Shows the live picker and saves the chosen printer.
///
/// Exit 1 if the user leaves; 64 without a terminal.
///
/// - `filter`: initial filter, as if it had been typed.
func pickOnTerminal(
  _ search: DiscoveryArguments, _ arguments: PickArguments, _ context: Context, filter: String = ""
) async throws -> PickResult {
  var search = search
  // A list that can't be redrawn is printed when all printers have answered.
  search.isWatching = !Screen.isDumb(context.environment)
  search.contactsAll = true
  let store = try context.settings.printers()
  let saved = store.printer(forJob: search.types.first)
  let list = PickList(
    store, arguments, for: search.types,
    hasPurposes: search.types.isEmpty && arguments.name == nil, context)
  // Those that don't print them are counted.
  search.types = []
  let reports = try await startDiscovery(search, context)
  let rows = list.rows(of: reports)
  let choosing = Task {
    try await choose(from: rows, of: list, start: saved, filter: filter, context.environment)
  }
  // If no printer answers, likely causes are more useful than a clock.
  let waiting = Task {
    try await Task.sleep(for: longestSilence)
    if list.isEmpty { choosing.cancel() }
  }
  let choice = try await withTaskCancellationHandler {
    try await choosing.value
  } onCancel: {
    choosing.cancel()
  }
  waiting.cancel()
  if choosing.isCancelled || !search.isWatching, list.isEmpty, !Task.isCancelled {
    throw Failure(.nothing, list.others ?? noPrinters)
  }
  switch choice {
  case .chosen(let id):
    guard let printer = list.printer(id) else {
      throw Failure.unavailable("The printer disappeared before it could be chosen.")
    }
    return try await pickPrinter(printer, list.arguments, context)
  case .left: throw SilentExit(exitCode: .nothing)
  case .interrupted(let signal): Cancellation.takeItsCourse(signal: signal)
  }
}

/// Time after which an empty list is closed.
private let longestSilence = Duration.seconds(60)

private func choose(
  from rows: AsyncStream<[PickerRow]>, of list: PickList, start: SavedPrinter?, filter: String,
  _ environment: [String: String]
) async throws -> PickerResult {
  var text = PickerText(title: list.title)
  (text.hint, text.columns) = (list.hint, PickList.columns)
  (text.searching, text.nothing) = ("Looking for printers", "No printer was found.")
  text.advice = { list.others.map { [$0] } ?? pickAdvice }
  do {
    return try await pickRow(
      from: rows, text, start: start.flatMap(PickList.id), filter: filter, environment: environment,
      act: list.act)
  } catch {
    guard error == .noTerminal else { throw error }
    throw Failure.usage("Not a terminal: name the printer, as in airprint pick \"Office Laser\".")
  }
}

/// The text of `noPrinters` after its first sentence, in lines for a narrow terminal.
private let pickAdvice = noPrinters.dropFirst(noPrinters.firstSentence.count + 1)
  .split(separator: "\n").flatMap { String($0).wrapped(to: 56) }
