package import AirprintContext
internal import ForeignText
internal import IPP
package import PrintModel
internal import System

/// Result for one printer of a list: `pick --from --json`.
package struct ListedPrinter: Sendable, Encodable {
  /// Its name in the list.
  package var entry: String
  /// The name under which it is saved; nil if it is not.
  package var name: String?
  package var uri: String?
  /// The reason why it was not saved.
  package var problem: String?
  package var exitCode = ExitCode.success
  /// True if it was not saved so before, or becomes the default or a type's printer.
  var isChanged = false

  mutating func fail(_ failure: Failure) {
    problem = failure.message
    exitCode = failure.code
  }

  package func encode(to encoder: any Encoder) throws {
    try encoder.encode([
      "entry": entry, "saved": name != nil, "changed": isChanged, "name": name, "uri": uri,
      "problem": problem,
    ])
  }
}

/// Saves the printers of a list (`PrinterList`), replacing those of the same name, with the list's default and types.
///
/// The printers are contacted first, several at a time, and must present the certificate that the list states, unless
/// the arguments request saving without contact. One that does not answer is skipped, and so is one for which another
/// certificate is stored meanwhile. All are written together, or none.
/// The results are in the list's order. Exit 66, 73 and 78 for files that can't be read or written; a problem with one
/// printer is in its result.
package func pickPrinters(
  from path: String, _ arguments: PickArguments, _ context: Context
) async throws(Failure) -> [ListedPrinter] {
  let list = try PrinterList(path: path)
  var names = NamesInUse(try context.settings.printers())
  var results: [ListedPrinter] = []
  var found: [(index: Int, printer: ReadyPrinter)] = []
  let prepared = await ContactQueue.results(of: list.entries) { entry in
    await prepare(entry, arguments, context)
  }
  for (entry, outcome) in zip(list.entries, prepared) {
    var result = ListedPrinter(entry: entry.label)
    switch outcome {
    case .success(var ready):
      ready.printer = names.give(ready.printer, isNamed: entry.isNamed)
      found.append((results.count, ready))
    case .failure(let problem):
      guard ![.interrupted, .terminated].contains(problem.code) else { throw problem }
      result.fail(problem)
    }
    results.append(result)
  }
  let listed = Set(list.entries.map { $0.label.lowercased() })
  for name in Set([list.defaultName].compactMap { $0 } + list.byType.values).sorted()
  where !listed.contains(name.lowercased()) {
    context.note(
      "\(path): it has a job type or default for \(name.safeName), but does not list it.")
  }
  if !found.isEmpty { try save(found, of: list, &results, arguments, context) }
  return results
}

/// A printer to save, and what its certificate replaces.
private struct ReadyPrinter {
  var printer: SavedPrinter
  let target: PrinterReference
  /// The certificate by which it was known before it was contacted.
  let known: Fingerprint?
  /// True if the list states its certificate, whatever is stored.
  let isStated: Bool
}

/// Contacts the printer of an entry, unless it is saved without contact.
private func prepare(
  _ entry: PrinterList.Entry, _ arguments: PickArguments, _ context: Context
) async -> Result<ReadyPrinter, Failure> {
  do throws(Failure) {
    guard var printer = entry.printer else {
      throw entry.problem ?? Failure(.configuration, "the list gives no valid address for it.")
    }
    let target = try PrinterReference(uri: printer.uri)
    printer.host = printer.host ?? (printer.service == nil ? target.chosenHost : nil)
    let (isStated, known) = (printer.certificate != nil, try PrinterTrust(context).pin(of: target))
    if !arguments.skipsContact {
      printer = try await contact(printer, isNamed: entry.isNamed, context)
    } else if !isStated {
      // A printer that is not contacted presents no certificate that could replace a pin.
      printer.certificate = known
    }
    return .success(
      ReadyPrinter(printer: printer, target: target, known: known, isStated: isStated))
  } catch {
    var failure = error
    if failure.reason == .untrusted, entry.printer?.certificate != nil {
      failure.hints = [
        "If you expected this, replace its certificate in the list."
      ]
      failure.fix = nil
    }
    return .failure(failure)
  }
}

/// Writes the printers, and those of the list's default and types that name one of them, and adds to the results what
/// was written.
private func save(
  _ found: [(index: Int, printer: ReadyPrinter)], of list: PrinterList,
  _ results: inout [ListedPrinter], _ arguments: PickArguments, _ context: Context
) throws(Failure) {
  var changed: Set<String> = []
  try PrinterStore.change(context.directories, system: arguments.system) { file in
    let before = file
    let trust = PrinterTrust(context).rereading
    var saved: [SavedPrinter] = []
    for (index, ready) in found {
      let printer = ready.printer
      do throws(Failure) {
        if !ready.isStated {
          try trust.compare(printer.certificate, with: ready.target, knownBy: ready.known)
        }
        saved.append(printer)
        (results[index].name, results[index].uri) = (printer.name, printer.uri)
      } catch {
        results[index].fail(error)
      }
    }
    let names = Dictionary(saved.map { ($0.name.lowercased(), $0.name) }) { first, _ in first }
    file.save(saved)
    if let name = list.defaultName.flatMap({ names[$0.lowercased()] }) { file.defaultName = name }
    for (type, name) in list.byType {
      if let name = names[name.lowercased()] { file.byType[type] = name }
    }
    let known = Dictionary(before.printers.map { ($0.name, $0) }) { first, _ in first }
    changed = Set(saved.filter { known[$0.name] != $0 }.map(\.name))
    changed.formUnion(file.byType.filter { before.byType[$0.key] != $0.value }.values)
    if let name = file.defaultName, name != before.defaultName { changed.insert(name) }
  }
  for index in results.indices {
    results[index].isChanged = results[index].name.map(changed.contains) ?? false
  }
}

/// Contacts the printer, and adds its answers.
private func contact(
  _ printer: SavedPrinter, isNamed: Bool, _ context: Context
) async throws(Failure) -> SavedPrinter {
  try await onThread { () throws(Failure) in
    let context = context.lookingAround
    var target = try PrinterReference(uri: printer.uri)
    target.addresses = printer.addresses
    var security = try PrinterTrust(context).security(of: target)
    security.pin = printer.certificate ?? security.pin
    security.lowestTLS = printer.lowestTLS ?? .usual
    // By what the list has of it, one that has moved is found.
    target.saved = printer
    let connection = try PrinterConnection.reach(
      target, context, security, timeout: PrinterConnection.awakeTimeout)
    try connection.refuseUnagreed()
    for notice in connection.notices { context.note(notice) }
    if printer.certificate == nil { try refuseStranger(connection, context) }
    let capabilities = connection.capabilities
    var printer = printer
    printer.uri = connection.target.uri
    printer.addresses = connection.addresses
    printer.isUnproven = connection.target.isUnproven
    if !isNamed, let name = capabilities.info ?? capabilities.name { printer.name = name }
    printer.uuid = printer.uuid ?? capabilities.uuid
    printer.makeAndModel = printer.makeAndModel ?? capabilities.makeAndModel
    printer.location = printer.location ?? capabilities.location
    if printer.types.isEmpty { printer.types = capabilities.types.sorted() }
    printer.certificate = printer.certificate ?? connection.ipp.peer?.fingerprint
    return printer
  }
}

/// The names that a printer can't have; there may be tens of thousands.
struct NamesInUse {
  /// Saved before, by name in lowercase, and by URI.
  private let holders: [String: SavedPrinter]
  private let places: [String: SavedPrinter]
  /// Given to printers of the list.
  private var taken: Set<String> = []
  /// The next number to try for a name, in lowercase: thousands may have one name.
  private var next: [String: Int] = [:]

  init(_ store: PrinterStore) {
    holders = Dictionary(store.printers.map { ($0.name.lowercased(), $0) }) { first, _ in first }
    places = Dictionary(store.printers.map { ($0.uri, $0) }) { first, _ in first }
  }

  /// Returns the printer with its own name or, where another has that, one with a number.
  ///
  /// Two of one name in a list are two printers; and a name announced by the network replaces no entry that was saved.
  /// A printer without a name in the list, saved from there before, keeps the name and settings that it has.
  mutating func give(_ printer: SavedPrinter, isNamed: Bool) -> SavedPrinter {
    var printer = printer
    if !isNamed, let known = places[printer.uri], !taken.contains(known.name.lowercased()) {
      (printer.name, printer.settings) = (known.name, known.settings)
      printer.lowestTLS = printer.lowestTLS ?? known.lowestTLS
      taken.insert(known.name.lowercased())
      return printer
    }
    printer.name = free(for: printer, isNamed: isNamed)
    return printer
  }

  /// Returns the printer's own name, with a number if another one has it: two of the same name are two printers.
  mutating func free(for printer: SavedPrinter, isNamed: Bool = false) -> String {
    let name = printer.name.isEmpty ? "Printer" : printer.name
    func isTaken(_ name: String) -> Bool {
      let key = name.lowercased()
      if taken.contains(key) { return true }
      return !isNamed && holders[key].map { !$0.isSame(as: printer) } == true
    }
    var (free, number) = (name, next[name.lowercased()] ?? 2)
    while isTaken(free) {
      free = "\(name) (\(number))"
      number += 1
    }
    next[name.lowercased()] = number
    taken.insert(free.lowercased())
    return free
  }
}
