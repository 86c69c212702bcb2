internal import Discovery
package import PrintModel
internal import Settings

/// The printer that is meant: the one that `text` names; without it the one saved for `type`, else the
/// default; nil when nothing is saved. A lone printer on the network is never taken unasked.
///
/// Saved printers come first, then the network. Exit 64 for a part of several names, with the
/// candidates; 69 for a name that nobody has.
package func findPrinter(
  _ text: String?, for type: JobType?, _ context: Context
) async throws(Failure) -> Target? {
  let book = try PrinterBook(context.places)
  guard let text else {
    let saved = type.flatMap(book.printer(for:)) ?? book.defaultPrinter
    return saved.map { Target($0) }
  }
  if let saved = try book.find(text) { return Target(saved) }
  if Target.isURI(text) { return try Target(uri: text) }
  return Target(try await discoverPrinter(text, saved: book.printers.map(\.name)))
}

/// The printers that are meant by a list, each as `findPrinter` finds it; none: the one saved for `type`,
/// else the default. Of several names those that nobody has are left out, as long as one is left: their
/// printers may be switched off. Empty when nothing is saved.
package func findPrinters(
  _ names: [String], for type: JobType?, _ context: Context
) async throws(Failure) -> [Target] {
  guard !names.isEmpty else {
    return [try await findPrinter(nil, for: type, context)].compactMap { $0 }
  }
  var targets: [Target] = []
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

/// `front,back` as a list of printers; a saved printer may have a comma in its name.
package func printerNames(_ text: String, _ context: Context) throws(Failure) -> [String] {
  if try PrinterBook(context.places).find(text) != nil || !text.contains(",") { return [text] }
  return text.split(separator: ",").map { word in
    String(word.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}

/// A printer on the network by its DNS-SD name, its UUID or an unambiguous part of its name. One whose
/// whole name or UUID it is ends the search: DNS-SD allows no second.
package func discoverPrinter(
  _ text: String, saved names: [String] = []
) async throws(Failure) -> DiscoveredPrinter {
  let word = text.lowercased()
  var present: [DiscoveredPrinter] = []
  let events: AsyncStream<DiscoveryEvent>
  do throws(Failure) {
    events = try await discover()
  } catch {
    // A slip in a saved name is more likely than a network that nobody can ask.
    let meant = names.suggestion(for: text)
    guard !meant.isEmpty else { throw error }
    throw Failure(
      error.code, "No printer is saved as \"\(text)\"\(meant). \(error.message)")
  }
  let whole = await first(of: events, seen: &present) { printer in
    printer.name.lowercased() == word || printer.service.instance.lowercased() == word
      || printer.uuid.map { [$0, "urn:uuid:\($0)"].contains(word) } == true
  }
  if let whole { return whole }
  let partial = present.filter { $0.name.lowercased().contains(word) }
  if let printer = try Target.only(partial, text, name: \.name) { return printer }
  let known = names + present.map(\.name)
  throw Failure(
    .unavailable,
    "No printer called \"\(text)\" is saved or on the network\(known.suggestion(for: text)); "
      + "airprint discover lists those that are there.")
}

/// Finds a saved printer again after its address has changed: by UUID, else by its DNS-SD name.
func relocate(_ saved: SavedPrinter) async -> DiscoveredPrinter? {
  guard let events = try? await discover(timeout: .seconds(3)) else { return nil }
  var others: [DiscoveredPrinter] = []
  return await first(of: events, seen: &others) { printer in
    saved.uuid.map { $0 == printer.uuid } ?? (saved.service == printer.service)
  }
}

/// The first printer that is meant; nil when the search has settled without it, with everybody who was
/// there in `present`. One with a plain `_ipp` record alone gets a moment more: the `_ipps` record comes
/// behind it, and whoever saves the first is insecure for good.
private func first(
  of events: AsyncStream<DiscoveryEvent>, seen present: inout [DiscoveredPrinter],
  where isMeant: (DiscoveredPrinter) -> Bool
) async -> DiscoveredPrinter? {
  let (relay, continuation) = AsyncStream<DiscoveryEvent>.makeStream()
  let relaying = Task {
    for await event in events { continuation.yield(event) }
    continuation.finish()
  }
  defer { relaying.cancel() }
  var insecure: DiscoveredPrinter?
  for await event in relay {
    switch event {
    case .appeared(let printer), .changed(let printer, _):
      if case .changed(_, let former) = event { present.removeAll { $0.service == former.service } }
      present.append(printer)
      guard isMeant(printer) else { break }
      if printer.isSecure { return printer }
      if insecure == nil {
        Task {
          try? await Task.sleep(for: .milliseconds(300))
          continuation.finish()
        }
      }
      insecure = printer
    case .vanished(let printer): present.removeAll { $0.service == printer.service }
    case .settled: return insecure
    }
  }
  return insecure
}
