internal import AirprintContext
internal import PrintModel
internal import Printers
internal import System
internal import Terminal

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
      throw Failure(.unavailable, "The printer disappeared before it could be chosen.")
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
  do {
    return try await pickRow(
      from: rows,
      PickerText(
        title: list.title, hint: list.hint, searching: "Looking for printers",
        nothing: "No printer was found.", advice: { list.others.map { [$0] } ?? pickAdvice },
        columns: PickList.columns),
      start: start.flatMap(PickList.id), filter: filter, environment: environment, act: list.act)
  } catch {
    guard error == .noTerminal else { throw error }
    throw Failure(
      .usage,
      "Not a terminal: name the printer, as in airprint pick \"Office Laser\".")
  }
}

/// The text of `noPrinters`, in lines for a narrow terminal.
private let pickAdvice = [
  "Is the printer switched on, and on this network",
  "(not on a guest network)? A firewall must let UDP",
  "port 5353 through. airprint doctor checks this machine.",
  "With the printer's address: airprint pick 192.0.2.7",
]
