package import AirprintContext
internal import Discovery
internal import ForeignText
package import PrintModel
internal import PrintOptions

/// Finds the printer named by `text`, or without it the one saved for `type`, else the default; nil if none is saved.
///
/// The only printer on a network is never chosen automatically.
///
/// Saved printers come first, then addresses (`192.0.2.7`, `printer.example:8631`), then the network. Exit 64 for a
/// part of several names, with the candidates, and for a part of saved names that is the whole name of another printer
/// on the network; 69 for a name that no printer has.
///
/// - `isStored`: the name is a job's, which keeps its printer: only a whole name counts, and not every URI was typed.
package func findPrinter(
  _ text: String?, for type: JobType?, isStored: Bool = false, _ context: Context
) async throws(Failure) -> PrinterReference? {
  let store = try context.settings.printers()
  guard let text else {
    return store.printer(forJob: type).map { PrinterReference($0) }
  }
  let parts = isStored || store.findWhole(text) != nil ? [] : try store.findParts(text)
  if !parts.isEmpty,
    let other = try? await discoverPrinter(text, isStored: true, timeout: .seconds(3), context),
    !other.isAny(of: parts)
  {
    let name = other.name.onOneLine
    let hint = "To use \(name), save it: airprint pick \(ShellWord.quoted(text))"
    _ = try PrinterReference.only(parts.map(\.name) + [name], text, hint) { $0 }
  }
  if let saved = try store.find(text, isStored: isStored) { return saved }
  if PrinterReference.isURI(text) {
    var place = try PrinterReference(uri: text)
    place.isTyped = !isStored
    guard TypedAddress.isPathless(text) else { return place }
    do throws(Failure) {
      guard var usual = try await findAddress(text, context) else { return place }
      usual.isTyped = !isStored
      return store.findWhole(usual.uri) ?? usual
    } catch {
      // It may be asleep: the caller waits longer when it contacts it.
      guard error.code == .unavailable else { throw error }
      return place
    }
  }
  try PrinterReference.refuseOtherScheme(text)
  if let place = try await findAddress(text, context) {
    return store.findWhole(place.uri) ?? place
  }
  let found = try await discoverPrinter(
    text, saved: store.printers.map(\.name), isStored: isStored, context)
  // A saved printer may be found by another of its names.
  return store.printer(as: found.isCalled(text) ? text : nil) {
    found.announces($0.service) && ($0.uuid == nil || found.uuid == nil || $0.uuid == found.uuid)
  } ?? PrinterReference(found, word: text)
}

/// Finds each printer of a list as `findPrinter` does; if the list is empty, the one saved for `type`, else the
/// default.
///
/// Names without a printer are skipped as long as one is found, and reported to `note`, or else to `context.note`: their
/// printers may be switched off. Empty if none is saved. Exits like `findPrinter`: 69 if none of them is found.
package func findPrinters(
  _ names: [String], for type: JobType?, isStored: Bool = false, _ context: Context,
  note: ((String) -> Void)? = nil
) async throws(Failure) -> [PrinterReference] {
  guard !names.isEmpty else {
    return [try await findPrinter(nil, for: type, context)].compactMap { $0 }
  }
  var targets: [PrinterReference] = []
  var missing: [Failure] = []
  for name in names {
    do throws(Failure) {
      let target = try await findPrinter(name, for: type, isStored: isStored, context)
      if let target { targets.append(target) }
    } catch {
      guard error.code == .unavailable else { throw error }
      missing.append(error)
    }
  }
  if targets.isEmpty, let first = missing.first {
    // Without a subject, it is about an address.
    let names = missing.filter { $0.reason == .unknownPrinter }.compactMap(\.subject)
    guard names.count == missing.count else { throw first }
    let meant = missing.flatMap(\.hints).filter { $0 != Failure.listOfPrinters }
    throw .unknownPrinters(names, hints: meant)
  }
  for failure in missing { (note ?? context.note)("\(failure.message) Trying the others.") }
  return targets
}

/// Returns the names that are neither saved nor addresses.
///
/// A printer on the network may have such a name. Each comes with the most similar saved name, as the end of a
/// sentence. Exit 64 for a part of several saved names, an empty one, and a URL that is not IPP's; 78 if printers.toml
/// is invalid.
package func unknownPrinters(
  _ names: [String], _ context: Context
) throws(Failure) -> [(name: String, suggestion: String)] {
  let store = try context.settings.printers()
  var unknown: [(name: String, suggestion: String)] = []
  for name in names where !PrinterReference.isURI(name) && TypedAddress(name)?.isCertain != true {
    if name.isEmpty { throw .emptyName }
    guard try store.find(name) == nil else { continue }
    try PrinterReference.refuseOtherScheme(name)
    unknown.append((name, store.printers.map(\.name).suggestion(for: name)))
  }
  return unknown
}

/// Splits `front,back` into a list of printers; a saved printer may have a comma in its name.
///
/// Exit 64 for an empty name, 78 if printers.toml is invalid.
package func printerNames(_ text: String, _ context: Context) throws(Failure) -> [String] {
  guard text.contains(","), try context.settings.printers().find(text) == nil else { return [text] }
  let names = text.split(separator: ",").map { String($0.trimmed) }
  guard names.contains(where: { !$0.isEmpty }) else { throw .emptyName }
  return names.filter { !$0.isEmpty }
}

/// Finds a printer on the network by its DNS-SD name, its UUID, or an unambiguous part of its name.
///
/// A match of the whole name or the UUID ends the search: DNS-SD allows only one. With `domains`, only these are
/// searched. Exit 69 if there is none, or no Avahi; 64 if several match; 78 if a settings file is invalid.
package func discoverPrinter(
  _ text: String, saved names: [String] = [], isStored: Bool = false, in domains: [String] = [],
  timeout: Duration? = nil, _ context: Context
) async throws(Failure) -> DiscoveredPrinter {
  let word = text.lowercased()
  var present: [DiscoveredPrinter] = []
  let events: AsyncStream<DiscoveryEvent>
  do throws(Failure) {
    // Longer than Avahi's own 5 s for a record, to find slow printers, even on a busy machine. A search that has
    // received everything ends immediately.
    var scope = try SearchScope(context, only: domains)
    // Of thousands on a campus, query only those whose name may match exactly or nearly; a UUID is only in their
    // records.
    if PrinterUUID.normalized(word) == nil {
      scope.admits = { name in
        name.lowercased().contains(word) || name.isCoded(as: text)
          || [name].nearest(to: text) != nil
      }
    }
    events = try await discover(
      in: scope, timeout: timeout ?? .seconds(10), note: context.note)
  } catch {
    // A typo in a saved name is more likely than a network that can't be searched.
    guard let meant = names.nearest(to: text) else { throw error }
    throw Failure(
      error.reason,
      "No printer is saved as \"\(text)\" (did you mean \"\(meant)\"?). \(error.event)",
      hints: error.hints)
  }
  let whole = await first(of: events, seen: &present, context) { $0.isCalled(text) }
  if let whole { return whole }
  let partial = isStored ? [] : present.filter { $0.isCalled(partly: text) }
  if let only = try PrinterReference.only(partial, text, name: \.name.onOneLine) { return only }
  let known = names + present.flatMap(\.names).map(\.onOneLine)
  let meant = known.nearest(to: text).map { ["Did you mean \"\($0)\"?"] } ?? []
  throw .unknownPrinters([text], hints: meant)
}

extension DiscoveredPrinter {
  /// Returns true if the text is one of its names, as it is or as offered by completion, or its UUID.
  package func isCalled(_ text: String) -> Bool {
    let word = text.lowercased()
    return names.contains { $0.lowercased() == word || $0.isCoded(as: text) }
      || uuid.map { [$0, "urn:uuid:\($0)"].contains(word) } == true
  }

  /// Returns true if it is one of these saved printers.
  func isAny(of saved: [PrinterReference]) -> Bool {
    saved.compactMap(\.saved).contains { known in
      uuid.map { $0 == known.uuid } ?? (announces(known.service) || uri == known.uri)
    }
  }

  /// Returns true if the text is part of one of its names.
  package func isCalled(partly text: String) -> Bool {
    names.contains { $0.lowercased().contains(text.lowercased()) }
  }
}

/// Finds a printer again after its address has changed: by UUID, else by its DNS-SD name.
///
/// Those at the addresses of `tried` are others that claim the same identity.
///
/// - `all`: returns every service that claims it, which takes a whole search; else the first one.
/// - `timeout`: longest time for the search; one that has received everything ends earlier.
func relocate(
  _ target: PrinterReference, besides tried: [PrinterReference], all: Bool,
  timeout: Duration, _ context: Context
) async -> [DiscoveredPrinter] {
  func isMeant(_ printer: DiscoveredPrinter) -> Bool {
    let isTried = printer.places.allSatisfy { place in
      tried.contains { $0.uri == place.uri && $0.addresses == place.addresses }
    }
    guard !isTried else { return false }
    if let saved = target.saved { return printer.claims(toBe: saved) }
    return printer.announces(target.found?.service) && target.found?.uuid == printer.uuid
  }
  var searches: [(scope: SearchScope, timeout: Duration)] = []
  // In a domain of thousands, query the service with its own name first.
  if let service = target.saved?.service ?? target.found?.service, service.domain != "local" {
    var scope = SearchScope(only: [service.domain])
    scope.admits = { $0 == service.instance }
    searches.append((scope, .seconds(3)))
  }
  if let scope = try? SearchScope(context) { searches.append((scope, timeout)) }
  for (scope, timeout) in searches {
    guard let events = try? await discover(in: scope, timeout: timeout) else { continue }
    var present: [DiscoveredPrinter] = []
    let first = await first(of: events, seen: &present, context) { !all && isMeant($0) }
    let found = all ? present.filter(isMeant) : [first].compactMap(\.self)
    if !found.isEmpty { return found }
  }
  return []
}

/// Returns the first printer that matches; nil if the search has settled without one.
///
/// `present` receives all printers found.
///
/// A printer with only a plain `_ipp` record gets a moment longer: its `_ipps` record comes later, and saving the first
/// one would make it insecure forever. One that is known to encrypt gets all the remaining time. So does one with only
/// IPv4 or only IPv6 addresses: each kind has its own record, and the printer may listen on the other.
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
      let pin = (try? PrinterTrust(context).pin(of: PrinterReference(printer))) ?? nil
      let isExpected = !printer.isSecure && pin != nil
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
  /// True if both IPv4 and IPv6 addresses of the endpoint in use are known.
  fileprivate var hasBothKinds: Bool {
    let addresses = endpoints.filter { $0.uri == uri }.compactMap(\.address)
    let kinds = Set(addresses.map { $0.utf8.contains(0x3A) })
    return kinds.count == 2
  }
}

extension Failure {
  /// The failure for an empty name, most often an unset variable in a script.
  static let emptyName = Failure(.usage, "The printer's name is empty.")

  /// The failure for names, none of which is a printer's; it is about the first.
  fileprivate static func unknownPrinters(_ names: [String], hints: [String]) -> Failure {
    let list = names.map { "\"\($0)\"" }.inWords(joinedBy: "or")
    let papers = names.filter { StandardMedia.named($0) != nil }.map { "Paper: --paper \($0)." }
    return Failure(
      .unknownPrinter, "No printer called \(list) is saved or on the network.",
      hints: hints + [listOfPrinters] + papers, about: names.first)
  }

  fileprivate static let listOfPrinters = "airprint discover lists those on the network."

  /// Makes the failure for a type without a saved printer and without a default: exit 69 with the saved printers, or
  /// the command that saves one.
  package static func noPrinterSaved(for type: JobType?, _ context: Context) -> Failure {
    let purpose = type.map { " for \($0.plurals)" } ?? ""
    let option = type.map { " --type \($0.rawValue)" } ?? ""
    let saved = ((try? context.settings.printers())?.printers ?? []).map(\.name)
    guard !saved.isEmpty else {
      // In a unit or cron's job, the user is often another one than the one who picked.
      return Failure(
        .noPrinterSaved,
        "No printer\(purpose) is saved for \(context.user) (\(context.directories.configuration)): "
          + "run airprint pick\(option).")
    }
    let most = 8
    let names =
      saved.prefix(most).joined(separator: ", ") + (saved.count > most ? ", …" : "")
    let command = type == nil ? "airprint default NAME" : "airprint pick NAME\(option)"
    return Failure(
      .noPrinterSaved,
      "No default printer\(purpose). Saved: \(names). Use -d NAME, or run \(command)."
    )
  }
}
