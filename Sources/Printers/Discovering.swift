package import AirprintContext
internal import Discovery
internal import Glibc
package import PrintModel
internal import Settings

/// Filters of `discover` and the picker; every filter must hold.
package struct DiscoveryArguments: Sendable {
  package var types: [JobType] = []
  package var colorOnly = false
  package var duplexOnly = false
  package var formats: [String] = []
  /// Shell patterns (`*`, `?`, `[…]`), without case.
  package var name: String?
  package var model: String?
  package var location: String?
  /// Only in these; empty: everywhere.
  package var domains: [String] = []
  /// Host whose own list of printers is asked for, instead of the network.
  package var server: String?
  package var timeout = Duration.seconds(5)
  package var isWatching = false
  /// Also printers that read no format that airprint writes.
  package var includesAll = false
  /// Asks every printer how it is; the picker shows it.
  package var contactsAll = false

  package init() {}

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

  /// A record without `kind` is not the last word on what a printer is for.
  func wantsContact(_ printer: DiscoveredPrinter) -> Bool {
    contactsAll || !types.isEmpty && !printer.typesAreStated
  }

  fileprivate func matches(_ pattern: String?, _ text: String?) -> Bool {
    guard let pattern else { return true }
    return fnmatch(pattern.lowercased(), (text ?? "").lowercased(), 0) == 0
  }
}

/// A printer on the network: what its records say, what a contact added, and whether it is saved.
package struct FoundPrinter: Sendable, Equatable, Encodable {
  package var printer: DiscoveredPrinter
  /// The name that it is saved under.
  package var saved: String?
  /// Its status, when it was asked and answered.
  package var status: PrinterStatus?

  private enum Key: String, CodingKey {
    case name, uri, uuid, makeAndModel, location, types, color, duplex, formats, secure
    case authentication, saved, endpoints
  }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(printer.name, forKey: .name)
    try object.encode(printer.uri, forKey: .uri)
    try object.encode(printer.uuid, forKey: .uuid)
    try object.encode(printer.makeAndModel, forKey: .makeAndModel)
    try object.encode(printer.location, forKey: .location)
    try object.encode(printer.types.sorted(), forKey: .types)
    try object.encode(printer.isColor, forKey: .color)
    try object.encode(printer.isDuplex, forKey: .duplex)
    try object.encode(printer.formats, forKey: .formats)
    try object.encode(printer.isSecure, forKey: .secure)
    try object.encode(printer.authentication, forKey: .authentication)
    try object.encode(saved, forKey: .saved)
    try object.encode(printer.endpoints, forKey: .endpoints)
  }
}

/// Updates from a search, as they happen.
package enum DiscoveryUpdate: Sendable {
  case appeared(FoundPrinter)
  case changed(FoundPrinter)
  case vanished(FoundPrinter)
}

/// Looks for printers.
///
/// The reports end when the search is over; a watching one continues until its task is canceled. Exit
/// 69 when there is no Avahi to ask.
package func startDiscovery(
  _ arguments: DiscoveryArguments, _ context: Context
) async throws(Failure) -> AsyncStream<DiscoveryUpdate> {
  if let server = arguments.server { return try await listPrinters(server, arguments, context) }
  let store = try context.settings.printers()
  var scope = try SearchScope(context, only: arguments.domains)
  scope.admits = { arguments.matches(arguments.name, $0) }
  if arguments.location != nil {
    scope.admitsLocation = { arguments.matches(arguments.location, $0) }
  }
  let events = try await discover(
    in: scope, timeout: arguments.timeout, watching: arguments.isWatching, note: context.note)
  let (reports, continuation) = AsyncStream<DiscoveryUpdate>.makeStream()
  let filter = DiscoveryFilter(arguments, store, context) { continuation.yield($0) }
  let task = Task {
    // A discarding group: any other keeps each of thousands of tasks to its own end.
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
      // Its end waits for answers that may still come; each has its own short patience.
    }
    continuation.finish()
  }
  continuation.onTermination = { _ in task.cancel() }
  return reports
}

/// The printers of one server as updates, which end at once unless the list is to stay open.
private func listPrinters(
  _ server: String, _ arguments: DiscoveryArguments, _ context: Context
) async throws(Failure) -> AsyncStream<DiscoveryUpdate> {
  let served = try await servedPrinters(at: server, context)
  let (reports, continuation) = AsyncStream<DiscoveryUpdate>.makeStream()
  for found in served where arguments.admits(found) { continuation.yield(.appeared(found)) }
  if !arguments.isWatching { continuation.finish() }
  return reports
}

/// The printers that a search has found: shows those that the arguments admit, once what had to be asked is known.
private actor DiscoveryFilter {
  private let arguments: DiscoveryArguments
  private let store: PrinterStore
  private let context: Context
  private let report: @Sendable (DiscoveryUpdate) -> Void
  /// By service, with what contacts have added: those that are not shown, or of which more is known than is shown.
  private var present: [ServiceName: FoundPrinter] = [:]
  private var shown: Set<ServiceName> = []

  /// Printers that are asked at one time: each takes a thread, and its watchdog another.
  private static let mostAtOnce = 32
  /// Printers that wait for their turn: thousands that are silent would take the time of all.
  private static let mostWaiting = 480
  private var contactsNow = 0
  private var hasLeftOut = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(
    _ arguments: DiscoveryArguments, _ store: PrinterStore, _ context: Context,
    report: @escaping @Sendable (DiscoveryUpdate) -> Void
  ) {
    self.arguments = arguments
    self.store = store
    self.context = context
    self.report = report
  }

  /// Work to be done before a printer can be shown.
  enum PendingAction: Sendable {
    case contact(DiscoveredPrinter)
    /// Its `_ipps` record comes a moment after `_ipp`: the row shall have the address that is used.
    case wait(DiscoveredPrinter)
  }

  /// Takes in an event of discovery.
  func receive(_ event: DiscoveryEvent) -> PendingAction? {
    switch event {
    case .appeared(let printer): return admit(found(printer))
    case .changed(let printer, let former):
      var entry = found(printer)
      if let known = present[former.service] { entry.take(known) }
      if former.service != printer.service {
        let isShown = shown.contains(former.service)
        leave(former)
        // Work that is pending under the row's former name finds nobody there.
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

  /// Takes in a printer of a new name: its row is shown at once, in a moment, or after its answer.
  private func admit(_ entry: FoundPrinter, atOnce: Bool = false) -> PendingAction? {
    let printer = entry.printer
    present[printer.service] = entry
    if arguments.wantsContact(printer), entry.status == nil {
      // The picker shows a printer before it has answered; a filter by type can't.
      if atOnce || arguments.contactsAll && arguments.types.isEmpty { update(printer.service) }
      return .contact(printer)
    }
    guard atOnce || printer.isSecure else { return .wait(printer) }
    update(printer.service)
    return nil
  }

  /// Asks a printer what it is for and how it is.
  ///
  /// One that does not answer keeps what its record has.
  func contact(_ printer: DiscoveredPrinter) async {
    guard waiting.count < Self.mostWaiting else {
      if !hasLeftOut {
        let most = Self.mostAtOnce + Self.mostWaiting
        context.note("There are more than \(most) printers: the others are not contacted.")
      }
      hasLeftOut = true
      return
    }
    guard let answer = await ask(printer) else { return }
    guard var entry = present[printer.service] else { return }
    if answer.isAvailable {
      entry.status = answer.status
      entry.printer.types = Set(answer.types)
      entry.printer.typesAreStated = true
    } else if !arguments.types.isEmpty {
      // A type that is still unknown matches nothing.
      entry.printer.types = []
    }
    present[printer.service] = entry
    update(printer.service)
  }

  /// Asks one printer when its turn comes; nil where the search has ended before.
  private func ask(_ printer: DiscoveredPrinter) async -> PrinterReport? {
    if contactsNow < Self.mostAtOnce {
      contactsNow += 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
    // The next that waits takes the place over.
    defer { if waiting.isEmpty { contactsNow -= 1 } else { waiting.removeFirst().resume() } }
    guard !Task.isCancelled else { return nil }
    return await showPrinter(
      PrinterReference(printer), context.lookingAround, patience: PrinterConnection.browsePatience
    ).0
  }

  private func found(_ printer: DiscoveredPrinter) -> FoundPrinter {
    let saved = store.printers.first {
      $0.uuid != nil && $0.uuid == printer.uuid || printer.announces($0.service)
    }
    return FoundPrinter(printer: printer, saved: saved?.name)
  }

  /// Shows a printer as it is known now, if the arguments admit it.
  func update(_ service: ServiceName) {
    guard let entry = present[service] else { return }
    guard arguments.admits(entry) else {
      if shown.remove(service) != nil { report(.vanished(entry)) }
      return
    }
    report(shown.insert(service).inserted ? .appeared(entry) : .changed(entry))
    // With thousands, nothing is kept that discovery reports again.
    if entry.status == nil, !arguments.wantsContact(entry.printer) { present[service] = nil }
  }

  private func leave(_ printer: DiscoveredPrinter) {
    let entry = present.removeValue(forKey: printer.service)
    if shown.remove(printer.service) != nil { report(.vanished(entry ?? found(printer))) }
  }
}

extension FoundPrinter {
  /// Keeps what contacting the printer has added when its records change.
  fileprivate mutating func take(_ known: FoundPrinter) {
    status = known.status
    if known.printer.typesAreStated && !printer.typesAreStated {
      printer.types = known.printer.types
      printer.typesAreStated = true
    }
  }
}
