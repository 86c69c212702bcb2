package import AirprintContext
internal import ForeignText
package import PrintModel
internal import PrintOptions
internal import Submission

/// A saved printer as `printers` lists it.
package struct SavedEntry: Sendable, Encodable {
  package var printer: SavedPrinter
  package var isDefault: Bool
  /// The types for which it is saved.
  package var assigned: [JobType]
  /// True if it is in the administrator's file.
  package var isSystem: Bool
  /// nil if it was not contacted.
  package var report: PrinterReport?

  package func encode(to encoder: any Encoder) throws {
    try printer.encode(to: encoder, isDefault: isDefault, assigned: assigned)
    try encoder.encode(["system": isSystem])
    guard let report else { return }
    try encoder.encode([
      "available": report.isAvailable, "state": report.status?.state.keyword,
      "stateReasons": report.status?.reasons ?? [], "trouble": report.trouble,
    ])
  }
}

extension SavedPrinter {
  /// Writes the keys that `printers --json` and `pick --json` have in common.
  func encode(to encoder: any Encoder, isDefault: Bool, assigned: [JobType]) throws {
    try encoder.encode([
      "name": name, "uri": uri, "uuid": uuid, "makeAndModel": makeAndModel, "location": location,
      "types": types, "default": isDefault, "assigned": assigned, "settings": settings,
      "certificate": certificate, "tls": lowestTLS?.rawValue,
    ])
  }
}

/// Returns the saved printers, each contacted (in parallel) if `contacting`.
///
/// Exit 78 if printers.toml is invalid; a printer that does not answer is also an entry.
package func listSaved(
  contacting: Bool, _ context: Context
) async throws(Failure) -> [SavedEntry] {
  let store = try context.settings.printers()
  var entries = store.printers.map { printer in
    SavedEntry(
      printer: printer, isDefault: store.defaultPrinter?.name == printer.name,
      assigned: store.types(of: printer.name),
      isSystem: !store.user.printers.contains { $0.name == printer.name })
  }
  guard contacting else { return entries }
  // All are contacted, and none was named: each receives at most its own stored password.
  let reports = await ContactQueue.results(of: entries.map(\.printer)) { printer in
    await showPrinter(PrinterReference(printer, isNamed: false), context).report
  }
  for (index, report) in reports.enumerated() { entries[index].report = report }
  return entries
}

/// The printer that `forget` removed, and the types that no longer have a printer.
package struct ForgetResult: Sendable, Encodable {
  package var name: String
  /// True if it was the default printer, and none has replaced it.
  package var leavesNoDefault: Bool
  package var types: [JobType]
  /// Printers still saved.
  var others: [String]
  /// IDs of the jobs of the queue that wait for a printer of that name.
  var waiting: [String] = []

  private enum CodingKeys: String, CodingKey {
    case name = "forgotten", leavesNoDefault = "noDefault", types, waiting
  }

  /// The changes, in words.
  package var sentences: [String] {
    var sentences: [String] = []
    if leavesNoDefault {
      sentences.append(
        others.isEmpty
          ? "There is no default printer now. Choose one with: airprint pick"
          : "There is no default printer now. Choose one with: airprint default NAME (saved: "
            + others.joined(separator: ", ") + ")")
    }
    if !types.isEmpty {
      sentences.append("No printer is saved for \(types.map(\.plurals).inWords()) now.")
    }
    if !waiting.isEmpty {
      sentences.append(
        "Still queued for \(name): \(waiting.inWords()). To print on another printer, run: "
          + "airprint queue run -d NAME \(waiting.joined(separator: " "))")
    }
    return sentences
  }
}

/// Removes job types from a saved printer without removing it; exit 69 if no printer has that name, 64 if it is not the
/// one saved for one of them in this file.
package func unassignPrinter(
  _ name: String, from types: [JobType], system: Bool, _ context: Context
) throws(Failure) -> ForgetResult {
  let store = try context.settings.printers()
  let saved = try store.saved(name)
  let file = system ? store.system : store.user
  for type in types where file.byType[type] != saved.name {
    let holder = store.printer(for: type).map { "\($0.name) is" } ?? "no printer is"
    let other = system ? store.user : store.system
    if other.byType[type] == saved.name {
      throw .usage("\(saved.name) is saved for \(type.rawValue) jobs \(elsewhere(than: system)).")
    }
    throw .usage("\(saved.name) is not saved for \(type.rawValue) jobs: \(holder).")
  }
  try context.settings.changePrinters(system: system) { file in
    for type in types { file.byType[type] = nil }
  }
  let left = try context.settings.printers()
  return ForgetResult(
    name: saved.name, leavesNoDefault: false, types: types.filter { left.printer(for: $0) == nil },
    others: left.printers.map(\.name))
}

/// Returns the end of a sentence about something that is saved in the other file, with the way to reach it.
private func elsewhere(than system: Bool) -> String {
  system ? "only for you: leave --system out" : "for all users: add --system"
}

/// Removes a saved printer and returns what no longer has one; exit 69 if no printer has that name.
///
/// The user's credentials for it are deleted first, except those shared with remaining printers; with `system` they are
/// kept.
package func forgetPrinter(
  _ name: String, system: Bool, _ context: Context
) async throws(Failure) -> ForgetResult {
  let store = try context.settings.printers()
  let saved = try store.saved(name)
  // Removal can't be undone, so a part of a name is not accepted.
  guard saved == store.printer(named: name) else {
    throw Failure(
      .unknownPrinter, "No printer is saved as \"\(name)\".",
      hints: ["Did you mean \"\(saved.name)\"?"],
      about: name)
  }
  let file = system ? store.system : store.user
  guard file.printers.contains(where: { $0.name == saved.name }) else {
    throw .usage("\(saved.name) is saved \(elsewhere(than: system)).")
  }
  if !system {
    let others = file.printers.filter { $0.name != saved.name } + store.system.printers
    _ = try await logOut(of: PrinterReference(saved), sparing: others, context)
  }
  try context.settings.changePrinters(system: system) { file in
    _ = file.forget(saved.name)
  }
  let left = try context.settings.printers()
  let records = (try? context.journal.unsettledRecords()) ?? []
  let waiting = records.filter { record in
    record.phase == .queued
      && record.request.printers.contains {
        store.printer(named: $0) == saved && left.findWhole($0) == nil
      }
  }
  return ForgetResult(
    name: saved.name,
    leavesNoDefault: store.defaultPrinter?.name == saved.name && left.defaultPrinter == nil,
    types: store.types(of: saved.name).filter { left.printer(for: $0) == nil },
    others: left.printers.map(\.name), waiting: waiting.map(\.id))
}

/// Changes that `default` and `pick` made.
package struct AssignmentResult: Sendable, Encodable {
  package var name: String
  package var isDefault: Bool
  package var types: [JobType]
  /// Types that belonged to another printer before.
  package var takenFrom: [String: String]
  /// The default printer that it replaces.
  var former: String?
  /// True for the administrator's file, which applies to all users.
  var isForAll = false
  /// The user's own default printer and those of the types, which take precedence over the ones for all users.
  var ownDefault: String?
  var own: [JobType: String] = [:]

  private enum CodingKeys: String, CodingKey {
    case name, isDefault = "default", types, takenFrom
  }

  /// The change in words.
  package var sentences: [String] {
    var sentences: [String] = []
    if isDefault {
      let role = isForAll ? "the default printer for all users" : "the default printer"
      sentences.append(
        former.map { "\(name) is \(role) now, instead of \($0)." } ?? "\(name) is \(role).")
    }
    if let ownDefault { sentences.append("Your own default printer is still \(ownDefault).") }
    let place = isForAll ? "\(name) for all users" : name
    for type in types {
      sentences.append(
        takenFrom[type.rawValue].map { "\(type.plural) now print on \(place) instead of \($0)." }
          ?? "\(type.plural) will print on \(place).")
      if let own = own[type] { sentences.append("Your own \(type.plurals) still print on \(own).") }
    }
    return sentences
  }
}

/// Makes a saved printer the default, or the one for `types`; exit 69 if no printer has that name.
package func assignPrinter(
  _ name: String, to types: [JobType], system: Bool, force: Bool = false, _ context: Context
) throws(Failure) -> AssignmentResult {
  let store = try context.settings.printers()
  let saved = try store.saved(
    name, or: "; airprint printers lists them, and airprint pick saves one.")
  if !force { try saved.refuse(types) }
  guard !system || store.system.printers.contains(where: { $0.name == saved.name }) else {
    throw .usage(
      "\(saved.name) is saved only for you. Save it for all users with: sudo airprint pick --system "
        + ShellWord.quoted(saved.name.safeName))
  }
  try context.settings.changePrinters(system: system) { file in
    file.assign(saved.name, to: types, asDefault: types.isEmpty)
  }
  return store.assignment(of: saved.name, to: types, asDefault: types.isEmpty, system: system)
}

/// Returns the printer for a type, or without one the default; exit 69 if there is none.
package func defaultPrinter(
  for type: JobType?, _ context: Context
) throws(Failure) -> SavedPrinter {
  let store = try context.settings.printers()
  guard let printer = store.printer(forJob: type) else {
    throw Failure.noPrinterSaved(for: type, context)
  }
  return printer
}

extension PrinterStore.File {
  mutating func assign(_ name: String, to types: [JobType], asDefault: Bool) {
    if asDefault { defaultName = name }
    for type in types { byType[type] = name }
  }
}

extension PrinterStore {
  /// Finds the saved name that a word means; exit 69 if there is none, or the word means only a printer whose roles are
  /// saved.
  ///
  /// - `next`: the end of the failure's sentence.
  fileprivate func saved(
    _ word: String, or next: String = "; airprint printers lists them."
  ) throws(Failure) -> SavedPrinter {
    let known = try find(word)
    if let role = known?.role { return role }
    let reason =
      known?.saved.map { " (\($0.name) is that printer)" }
      ?? printers.map(\.name).suggestion(for: word)
    throw Failure(
      .unknownPrinter, "No printer is saved as \"\(word)\"\(reason)\(next)", about: word)
  }

  /// Returns the changes that an assignment makes, in the administrator's file or over all.
  func assignment(
    of name: String, to types: [JobType], asDefault: Bool, system isForAll: Bool
  ) -> AssignmentResult {
    let before = isForAll ? PrinterStore(user: File(), system: system) : self
    var taken: [String: String] = [:]
    for type in types {
      let former = before.printer(for: type)?.name
      if let former, former != name { taken[type.rawValue] = former }
    }
    var assignment = AssignmentResult(
      name: name, isDefault: asDefault, types: types, takenFrom: taken)
    assignment.isForAll = isForAll
    if isForAll {
      assignment.own = user.byType.filter { types.contains($0.key) && $0.value != name }
    }
    guard asDefault else { return assignment }
    if let former = before.defaultPrinter?.name, former != name { assignment.former = former }
    if isForAll, let own = user.defaultName, own != name { assignment.ownDefault = own }
    return assignment
  }
}
