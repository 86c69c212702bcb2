package import AirprintContext
internal import Discovery
internal import Glibc
package import PrintModel
internal import System

/// Filters of `discover` and the picker; all of them must match.
package struct DiscoveryArguments: Sendable {
  package var types: [JobType] = []
  package var colorOnly = false
  package var duplexOnly = false
  package var formats: [String] = []
  /// Shell patterns (`*`, `?`, `[…]`), case-insensitive.
  package var name: String?
  package var model: String?
  package var location: String?
  /// Only these domains; empty: everywhere.
  package var domains: [String] = []
  /// Host that is asked for its list of printers, instead of the network.
  package var server: String?
  /// Time for everything; nil: the usual time for a search, and for a host as long as it takes to be silent.
  package var timeout: Duration?
  package var isWatching = false
  /// Includes printers that read no format that airprint writes.
  package var includesAll = false
  /// Requests the status of every printer; the picker shows it.
  package var contactsAll = false

  package init() {}

  /// Time for a search of the network.
  fileprivate var searchTime: Duration { timeout ?? .seconds(5) }

  func admits(_ found: FoundPrinter) -> Bool {
    let printer = found.printer
    return (includesAll || printer.isPrintable)
      && (types.isEmpty || types.allSatisfy(printer.types.contains))
      && (!colorOnly || printer.isColor == true)
      && (!duplexOnly || printer.isDuplex == true)
      && formats.allSatisfy { printer.formats.contains($0.lowercased()) }
      && printer.names.contains { matches(name, $0) } && matches(model, printer.makeAndModel)
      && matches(location, printer.location)
  }

  /// Returns true if the printer has to be contacted: a record without `kind` is not reliable about its types.
  func wantsContact(_ printer: DiscoveredPrinter) -> Bool {
    contactsAll || !types.isEmpty && !printer.typesAreStated
  }

  fileprivate func matches(_ pattern: String?, _ text: String?) -> Bool {
    guard let pattern else { return true }
    return fnmatch(pattern.lowercased(), (text ?? "").lowercased(), 0) == 0
  }
}

/// A printer on the network: the facts in its records, those added by contacting it, and its saved name.
package struct FoundPrinter: Sendable, Equatable, Encodable {
  package var printer: DiscoveredPrinter
  /// The name under which it is saved.
  package var saved: String?
  /// Its status, if it was asked and answered.
  package var status: PrinterStatus?

  package func encode(to encoder: any Encoder) throws {
    try encoder.encode([
      "name": printer.name, "uri": printer.uri, "uuid": printer.uuid,
      "makeAndModel": printer.makeAndModel, "location": printer.location,
      "types": printer.types.sorted(), "color": printer.isColor, "duplex": printer.isDuplex,
      "formats": printer.formats, "secure": printer.isSecure,
      "authentication": printer.authentication, "saved": saved, "endpoints": printer.endpoints,
    ])
  }
}

/// Updates of a search as they happen; as JSON, the printer with its event.
package struct DiscoveryUpdate: Sendable, Encodable {
  package enum Event: String, Sendable, Encodable {
    case appeared, changed, vanished
  }

  package var event: Event
  package var found: FoundPrinter

  package func encode(to encoder: any Encoder) throws {
    try found.encode(to: encoder)
    try encoder.encode(["event": event])
  }
}

/// Looks for printers.
///
/// The updates end when the search is over; a watching search continues until its task is canceled. Exit 69 if Avahi is
/// not available.
package func startDiscovery(
  _ arguments: DiscoveryArguments, _ context: Context
) async throws(Failure) -> AsyncStream<DiscoveryUpdate> {
  if let server = arguments.server { return try await listPrinters(server, arguments, context) }
  let begun = ContinuousClock.now
  let store = try context.settings.printers()
  var scope = try SearchScope(context, only: arguments.domains)
  scope.admits = { arguments.matches(arguments.name, $0) }
  if arguments.location != nil {
    scope.admitsLocation = { arguments.matches(arguments.location, $0) }
  }
  let events = try await discover(
    in: scope, timeout: arguments.searchTime, watching: arguments.isWatching, note: context.note)
  let (reports, continuation) = AsyncStream<DiscoveryUpdate>.makeStream()
  let filter = DiscoveryFilter(arguments, store, context) { event, found in
    continuation.yield(DiscoveryUpdate(event: event, found: found))
  }
  let task = Task {
    let timer = Task {
      guard !arguments.isWatching else { return }
      try? await Task.sleep(until: begun + arguments.searchTime)
      if !Task.isCancelled { filter.cancellation.raise() }
    }
    defer { timer.cancel() }
    // A discarding group: any other kind keeps thousands of finished tasks until its end.
    await withDiscardingTaskGroup { contacts in
      for await event in events {
        switch await filter.receive(event) {
        case .contact(let printer): contacts.addTask { await filter.contact(printer) }
        case .wait(let printer):
          contacts.addTask {
            try? await Task.sleep(for: .milliseconds(50))
            await filter.update(printer.service)
          }
        case nil: break
        }
        if case .settled = event, !arguments.isWatching { break }
      }
      // The end of the group waits for outstanding answers, until the time is over.
    }
    await filter.noteLate()
    continuation.finish()
  }
  continuation.onTermination = { _ in task.cancel() }
  return reports
}

/// Returns the printers of one server as updates, which end immediately unless the list is to stay open.
private func listPrinters(
  _ server: String, _ arguments: DiscoveryArguments, _ context: Context
) async throws(Failure) -> AsyncStream<DiscoveryUpdate> {
  let answer = try await servedPrinters(at: server, timeout: arguments.timeout, context)
  if case .noHost(let reason) = answer {
    throw .unavailable("Can't look for printers at \(server): \(reason).")
  }
  guard case .found(let served) = answer else { return AsyncStream { nil } }
  let (reports, continuation) = AsyncStream<DiscoveryUpdate>.makeStream()
  for found in served where arguments.admits(found) {
    continuation.yield(DiscoveryUpdate(event: .appeared, found: found))
  }
  if !arguments.isWatching { continuation.finish() }
  return reports
}

/// The printers found by a search: reports those that match the arguments, once the necessary answers have arrived.
private actor DiscoveryFilter {
  private let arguments: DiscoveryArguments
  private let store: PrinterStore
  private let context: Context
  private let report: @Sendable (DiscoveryUpdate.Event, FoundPrinter) -> Void
  /// Printers by service, with facts from contacting them: those that are not shown yet, or have more facts than shown.
  private var present: [ServiceName: FoundPrinter] = [:]
  private var shown: Set<ServiceName> = []

  /// Number of printers that may wait for contact: thousands of silent ones would use up all the time.
  private static let mostWaiting = 480
  private let contacts = ContactQueue()
  private var hasLeftOut = false
  /// Ends all contacts: the time is over.
  let cancellation = Cancellation()
  /// Number of printers that had not answered by then.
  private var late = 0

  init(
    _ arguments: DiscoveryArguments, _ store: PrinterStore, _ context: Context,
    report: @escaping @Sendable (DiscoveryUpdate.Event, FoundPrinter) -> Void
  ) {
    self.arguments = arguments
    self.store = store
    self.context = context
    self.report = report
  }

  /// An action required before a printer can be shown.
  enum PendingAction: Sendable {
    case contact(DiscoveredPrinter)
    /// Its `_ipps` record comes a moment after `_ipp`: the row should have the address that is used.
    case wait(DiscoveredPrinter)
  }

  /// Handles an event of discovery.
  func receive(_ event: DiscoveryEvent) -> PendingAction? {
    switch event {
    case .appeared(let printer): return admit(found(printer))
    case .changed(let printer, let former):
      var entry = found(printer)
      if let known = present[former.service] { entry.take(known) }
      if former.service != printer.service {
        let isShown = shown.contains(former.service)
        leave(former)
        // Actions that are pending under the row's former name no longer find it.
        return admit(entry, atOnce: isShown)
      }
      present[printer.service] = entry
      let isKnown = shown.contains(printer.service) || !arguments.wantsContact(printer)
      if isKnown && (printer.isSecure || shown.contains(printer.service)) {
        update(printer.service)
      }
    case .vanished(let printer): leave(printer)
    case .settled: break
    }
    return nil
  }

  /// Adds a printer with a new name: its row is shown immediately, in a moment, or after its answer.
  private func admit(_ entry: FoundPrinter, atOnce: Bool = false) -> PendingAction? {
    let printer = entry.printer
    present[printer.service] = entry
    if arguments.wantsContact(printer), entry.status == nil {
      // The picker shows a printer before it has answered; with a filter by type, that is impossible.
      if atOnce || arguments.contactsAll && arguments.types.isEmpty { update(printer.service) }
      return .contact(printer)
    }
    guard atOnce || printer.isSecure else { return .wait(printer) }
    update(printer.service)
    return nil
  }

  /// Contacts a printer for its types and status.
  ///
  /// If it does not answer, the facts of its record are kept.
  func contact(_ printer: DiscoveredPrinter) async {
    guard await contacts.waitingCount < Self.mostWaiting else {
      if !hasLeftOut {
        context.note(
          "There are more than \(Self.mostWaiting) printers to contact: the others are left out.")
      }
      hasLeftOut = true
      return
    }
    var asked = printer
    var answer: PrinterReport?
    // A printer may listen on an address that was not known yet.
    for _ in 1...3 {
      answer = await contacts.run { [asked] in await ask(asked) }
      guard let now = present[printer.service]?.printer, answer?.isAvailable == false,
        now.endpoints != asked.endpoints, !cancellation.isRaised
      else { break }
      asked = now
    }
    guard let answer, var entry = present[printer.service] else { return }
    if answer.isAvailable {
      entry.status = answer.status
      entry.printer.types = Set(answer.types)
      entry.printer.typesAreStated = true
    } else if !arguments.types.isEmpty {
      // A type that is still unknown does not match.
      entry.printer.types = []
    }
    present[printer.service] = entry
    update(printer.service)
  }

  /// Contacts one printer; nil if the search has ended before.
  private func ask(_ printer: DiscoveredPrinter) async -> PrinterReport? {
    guard !Task.isCancelled else { return nil }
    guard !cancellation.isRaised else {
      late += 1
      return nil
    }
    let report = await showPrinter(
      PrinterReference(printer), context.lookingAround, timeout: PrinterConnection.browseTimeout,
      cancellation: cancellation
    ).report
    if !report.isAvailable, cancellation.isRaised { late += 1 }
    return report
  }

  func noteLate() {
    guard late > 0 else { return }
    context.note(
      "There was no time to wait for \(late.counted("more printer")) to answer.")
  }

  private func found(_ printer: DiscoveredPrinter) -> FoundPrinter {
    // A name may be another printer's by now.
    let known = store.printer(as: nil) {
      let isStated = $0.uuid != nil && printer.uuid != nil
      return isStated ? $0.uuid == printer.uuid : printer.announces($0.service)
    }
    return FoundPrinter(printer: printer, saved: known?.saved?.name)
  }

  /// Shows a printer in its current state, if it matches the arguments.
  func update(_ service: ServiceName) {
    guard let entry = present[service] else { return }
    guard arguments.admits(entry) else {
      if shown.remove(service) != nil { report(.vanished, entry) }
      return
    }
    report(shown.insert(service).inserted ? .appeared : .changed, entry)
    // With thousands of printers, keep nothing that discovery reports again.
    if entry.status == nil, !arguments.wantsContact(entry.printer) { present[service] = nil }
  }

  private func leave(_ printer: DiscoveredPrinter) {
    let entry = present.removeValue(forKey: printer.service)
    if shown.remove(printer.service) != nil { report(.vanished, entry ?? found(printer)) }
  }
}

extension FoundPrinter {
  /// Keeps facts from contacting the printer when its records change.
  fileprivate mutating func take(_ known: FoundPrinter) {
    status = known.status
    if known.printer.typesAreStated && !printer.typesAreStated {
      printer.types = known.printer.types
      printer.typesAreStated = true
    }
  }
}

extension SearchScope {
  /// Makes the scope of a search: the link, the `domains` of config.toml, and the network's recommendations; only the
  /// given domains with `--domain`.
  ///
  /// Exit 78 if config.toml is invalid.
  package init(_ context: Context, only domains: [String] = []) throws(Failure) {
    self =
      domains.isEmpty
      ? SearchScope(besides: try context.settings.configuration().domains)
      : SearchScope(only: domains)
    if let printers = USBPrinters(context) { servedHere = { await printers.services() } }
  }
}
