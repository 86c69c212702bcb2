package import AirprintContext
internal import Discovery
internal import ForeignText
package import PrintModel
internal import PrintOptions
internal import Settings

/// The printer that is meant: the one that `text` names; without it the one saved for `type`, else the default; nil
/// when nothing is saved.
///
/// A lone printer on the network is never taken unasked.
///
/// Saved printers come first, then addresses (`192.0.2.7`, `printer.example:8631`), then the network. Exit 64 for a
/// part of several names, with the
/// candidates; 69 for a name that no printer has.
package func findPrinter(
  _ text: String?, for type: JobType?, _ context: Context
) async throws(Failure) -> PrinterReference? {
  let store = try context.settings.printers()
  guard let text else {
    let saved = type.flatMap(store.printer(for:)) ?? store.defaultPrinter
    return saved.map { PrinterReference($0) }
  }
  if let saved = try store.find(text) { return PrinterReference(saved) }
  if PrinterReference.isURI(text) {
    let place = try PrinterReference(uri: text)
    guard TypedAddress.isPathless(text) else { return place }
    do throws(Failure) {
      guard let usual = try await findAddress(text, context) else { return place }
      return try store.find(usual.uri).map { PrinterReference($0) } ?? usual
    } catch {
      // It may be asleep: whoever contacts it has more patience.
      guard error.code == .unavailable else { throw error }
      return place
    }
  }
  try PrinterReference.refuseOtherScheme(text)
  if let place = try await findAddress(text, context) {
    return try store.find(place.uri).map { PrinterReference($0) } ?? place
  }
  let found = try await discoverPrinter(text, saved: store.printers.map(\.name), context)
  // By another name than the one that it was saved by.
  if let saved = store.printers.first(where: {
    found.announces($0.service) && ($0.uuid == nil || found.uuid == nil || $0.uuid == found.uuid)
  }) {
    return PrinterReference(saved)
  }
  return PrinterReference(found, word: text)
}

/// The printers that are meant by a list, each as `findPrinter` finds it; none: the one saved for `type`, else the
/// default.
///
/// Of several names those that nobody has are left out, as long as one is left: their printers may be switched off.
/// Empty when nothing is saved. Exits like `findPrinter`: 69 where none of them is there.
package func findPrinters(
  _ names: [String], for type: JobType?, _ context: Context
) async throws(Failure) -> [PrinterReference] {
  guard !names.isEmpty else {
    return [try await findPrinter(nil, for: type, context)].compactMap { $0 }
  }
  var targets: [PrinterReference] = []
  var missing: Failure?
  for name in names {
    do throws(Failure) {
      if let target = try await findPrinter(name, for: type, context) { targets.append(target) }
    } catch {
      guard error.code == .unavailable else { throw error }
      missing = missing ?? error
    }
  }
  if targets.isEmpty, let missing { throw missing }
  return targets
}

/// The names that nothing here knows: neither saved nor addresses.
///
/// A printer on the network may have one. Each with the saved name that may be meant, as a sentence goes on. Exit
/// 64 for a part of several saved names, 78 where printers.toml is wrong.
package func unknownPrinters(
  _ names: [String], _ context: Context
) throws(Failure) -> [(name: String, suggestion: String)] {
  let store = try context.settings.printers()
  var unknown: [(name: String, suggestion: String)] = []
  for name in names where !PrinterReference.isURI(name) && TypedAddress(name)?.isCertain != true {
    guard try store.find(name) == nil else { continue }
    unknown.append((name, store.printers.map(\.name).suggestion(for: name)))
  }
  return unknown
}

/// `front,back` as a list of printers; a saved printer may have a comma in its name.
///
/// Exit 64 for an empty name, 78 where printers.toml is wrong.
package func printerNames(_ text: String, _ context: Context) throws(Failure) -> [String] {
  guard text.contains(","), try context.settings.printers().find(text) == nil else { return [text] }
  let names = text.split(separator: ",").map { word in
    String(word.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
  guard names.contains(where: { !$0.isEmpty }) else { throw .emptyName }
  return names.filter { !$0.isEmpty }
}

/// A printer on the network by its DNS-SD name, its UUID or an unambiguous part of its name.
///
/// One whose whole name or UUID it is ends the search: DNS-SD allows no second. Exit 69 where there is none, or no
/// Avahi to ask; 64 where several may be meant; 78 where a file of settings is wrong.
package func discoverPrinter(
  _ text: String, saved names: [String] = [], _ context: Context
) async throws(Failure) -> DiscoveredPrinter {
  let word = text.lowercased()
  var present: [DiscoveredPrinter] = []
  let events: AsyncStream<DiscoveryEvent>
  do throws(Failure) {
    // Longer than Avahi's own 5 s for a record: what is there and slow is found, on a busy machine too. A search
    // that has heard all ends at once.
    var scope = try SearchScope(context)
    // Of a campus' thousands only those are asked whose name it may be, or nearly; a UUID stands in their records.
    if !word.isUUID {
      scope.admits = { name in
        name.lowercased().contains(word) || name.isCoded(as: text)
          || [name].nearest(to: text) != nil
      }
    }
    events = try await discover(in: scope, timeout: .seconds(10), note: context.note)
  } catch {
    // A slip in a saved name is more likely than a network that nobody can ask.
    let meant = names.suggestion(for: text)
    guard !meant.isEmpty else { throw error }
    throw Failure(
      error.code, "No printer is saved as \"\(text)\"\(meant). \(error.message)")
  }
  let whole = await first(of: events, seen: &present, context) { $0.isCalled(text) }
  if let whole { return whole }
  let partial = present.filter { $0.isCalled(partly: text) }
  if let printer = try PrinterReference.only(partial, text, name: \.name) { return printer }
  let known = names + present.flatMap(\.names)
  throw Failure(
    .unavailable,
    "\(Failure.unknownPrinter(text))\(known.suggestion(for: text)); "
      + "airprint discover lists those on the network.")
}

extension DiscoveredPrinter {
  /// The text is one of its names, as it is or as Tab offers it, or its UUID.
  package func isCalled(_ text: String) -> Bool {
    let word = text.lowercased()
    return names.contains { $0.lowercased() == word || $0.isCoded(as: text) }
      || uuid.map { [$0, "urn:uuid:\($0)"].contains(word) } == true
  }

  /// The text is a part of one of its names.
  package func isCalled(partly text: String) -> Bool {
    names.contains { $0.lowercased().contains(text.lowercased()) }
  }
}

extension String {
  /// It may be a UUID, alone or as a URN (RFC 4122).
  fileprivate var isUUID: Bool {
    let digits = replacingPrefix("urn:uuid:")
    return digits.utf8.count == 36 && digits.allSatisfy { $0.isHexDigit || $0 == "-" }
  }
}

/// Finds a printer again after its address has changed: by UUID, else by its DNS-SD name.
///
/// Those at the addresses of `tried` are others that say the same of themselves.
///
/// - `all`: every service that claims so, which takes a whole search; else the first one.
func relocate(
  _ target: PrinterReference, besides tried: [PrinterReference], all: Bool, _ context: Context
) async -> [DiscoveredPrinter] {
  // In a domain of thousands, the one of its own name first.
  if let service = target.saved?.service ?? target.found?.service, service.domain != "local" {
    var scope = SearchScope(only: [service.domain])
    scope.admits = { $0 == service.instance }
    let found = await relocate(target, besides: tried, all: all, in: scope, context)
    if !found.isEmpty { return found }
  }
  guard let scope = try? SearchScope(context) else { return [] }
  return await relocate(target, besides: tried, all: all, in: scope, context)
}

private func relocate(
  _ target: PrinterReference, besides tried: [PrinterReference], all: Bool,
  in scope: SearchScope, _ context: Context
) async -> [DiscoveredPrinter] {
  guard let events = try? await discover(in: scope, timeout: .seconds(3)) else { return [] }
  func isMeant(_ printer: DiscoveredPrinter) -> Bool {
    let (saved, found) = (target.saved, target.found)
    let place = PrinterReference(printer)
    guard !tried.contains(where: { $0.uri == place.uri && $0.addresses == place.addresses }) else {
      return false
    }
    if let uuid = saved?.uuid { return uuid == printer.uuid }
    guard saved == nil else { return printer.announces(saved?.service) }
    return printer.announces(found?.service) && found?.uuid == printer.uuid
  }
  var present: [DiscoveredPrinter] = []
  let first = await first(of: events, seen: &present, context) { !all && isMeant($0) }
  return all ? present.filter(isMeant) : [first].compactMap(\.self)
}

/// The first printer that is meant; nil when the search has settled without it, with everybody who was
/// there in `present`.
///
/// One with a plain `_ipp` record alone gets a moment more: the `_ipps` record comes behind it, and whoever
/// saves the first is insecure for good; one that is known to encrypt gets all the time that there is. So does
/// one with addresses of IPv4 or IPv6 alone: each kind has its own record, and it may listen at the other.
private func first(
  of events: AsyncStream<DiscoveryEvent>, seen present: inout [DiscoveredPrinter],
  _ context: Context, where isMeant: (DiscoveredPrinter) -> Bool
) async -> DiscoveredPrinter? {
  let (relay, continuation) = AsyncStream<DiscoveryEvent>.makeStream()
  let relaying = Task {
    for await event in events { continuation.yield(event) }
    continuation.finish()
  }
  defer { relaying.cancel() }
  var meant: DiscoveredPrinter?
  var isEnding = false
  for await event in relay {
    switch event {
    case .appeared(let printer), .changed(let printer, _):
      var former = printer.service
      if case .changed(_, let other) = event { former = other.service }
      present.removeAll { $0.service == former }
      present.append(printer)
      guard isMeant(printer) else { break }
      if printer.isSecure, printer.hasBothKinds { return printer }
      if meant.map({ $0.service == former || !$0.isSecure }) ?? true { meant = printer }
      let isExpected = !printer.isSecure && isKnownToEncrypt(printer, context)
      if !isEnding, !isExpected {
        isEnding = true
        Task {
          try? await Task.sleep(for: .milliseconds(300))
          continuation.finish()
        }
      }
    case .vanished(let printer): present.removeAll { $0.service == printer.service }
    case .settled: return meant
    }
  }
  return meant
}

extension DiscoveredPrinter {
  /// Addresses of IPv4 and of IPv6 are known of the endpoint that is used.
  fileprivate var hasBothKinds: Bool {
    let addresses = endpoints.filter { $0.uri == uri }.compactMap(\.address)
    let kinds = Set(addresses.map { $0.utf8.contains(0x3A) })
    return kinds.count == 2
  }
}

/// A certificate is known of this printer.
private func isKnownToEncrypt(_ printer: DiscoveredPrinter, _ context: Context) -> Bool {
  ((try? PrinterTrust(context).pin(of: PrinterReference(printer))) ?? nil) != nil
}

extension Failure {
  /// A script's variable that is not set, more often than not.
  static let emptyName = Failure(.usage, "The printer's name is empty.")

  fileprivate static func unknownPrinter(_ text: String) -> String {
    "No printer called \"\(text)\" is saved or on the network"
  }

  /// Nothing that is saved or answers is called `text`.
  package func isUnknownPrinter(_ text: String) -> Bool {
    code == .unavailable && message.hasPrefix(Failure.unknownPrinter(text))
  }

  /// Nothing is saved for the type, there is no default printer, and nobody can be asked: exit 69 with the
  /// printers that are saved, or the command that saves one.
  package static func noPrinterSaved(for type: JobType?, _ context: Context) -> Failure {
    let purpose = type.map { " for \($0.plurals)" } ?? ""
    let option = type.map { " --type \($0.rawValue)" } ?? ""
    let saved = ((try? context.settings.printers())?.printers ?? []).map(\.name)
    guard !saved.isEmpty else {
      return Failure(.unavailable, "No printer is saved\(purpose): run airprint pick\(option).")
    }
    let most = 8
    let names =
      saved.prefix(most).joined(separator: ", ") + (saved.count > most ? ", …" : "")
    let command = type == nil ? "airprint default NAME" : "airprint pick NAME\(option)"
    return Failure(
      .unavailable, "No default printer\(purpose). Saved: \(names). Use -d NAME, or run \(command)."
    )
  }
}
