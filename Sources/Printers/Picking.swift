package import AirprintContext
internal import ForeignText
internal import IPP
package import PrintModel
internal import PrintOptions
internal import Synchronization
internal import System

/// Options for saving a printer.
package struct PickArguments: Sendable {
  /// `--type`: the types for which it is saved.
  package var types: [JobType] = []
  /// `--as`.
  package var name: String?
  /// `--domain`: the only ones in which a name is searched for; empty: all.
  package var domains: [String] = []
  /// `--timeout`: time to search for a name, and to try an address; nil: the usual time.
  package var timeout: Duration?
  package var asDefault = false
  /// It is chosen for one job, and the default printer stays.
  package var keepsDefault = false
  /// `--set OPTION=VALUE`.
  package var settings: [String] = []
  package var system = false
  /// `--force`: saves it for types that the printer does not print, too.
  package var force = false
  /// `--tls`; nil keeps the current value.
  package var lowestTLS: TLSVersion?
  /// `--no-contact`: saves a URI without contacting the printer.
  package var skipsContact = false
  /// Asks the user if a printer may replace another one of the same name; nil: nobody can be asked.
  package var mayReplace: (@Sendable (_ saved: SavedPrinter) async throws(Failure) -> Bool)?

  package init() {}

  /// True unless it is picked for a type or under another name; without a default, only a role's name, which is one with
  /// settings, is another: picking a printer means using it from now on.
  func makesDefault(besides other: SavedPrinter?) -> Bool {
    let isOther = other == nil ? name != nil && !settings.isEmpty : name != nil || keepsDefault
    return asDefault || types.isEmpty && !isOther
  }

  /// Parses the settings as print options, with nil for an empty value that the option does not take.
  ///
  /// Exit 64 if one is not a print option.
  func options() throws(Failure) -> [String: String?] {
    var options: [String: String?] = [:]
    for setting in settings {
      let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let key = String(parts[0])
      guard parts.count == 2, let option = PrintOption(rawValue: key),
        PrintOption.settings.contains(option)
      else {
        let names = PrintOption.settings.map(\.rawValue)
        throw .usage(
          "--set \(setting): takes OPTION=VALUE, a print option\(names.suggestion(for: key)). "
            + "Options: \(names.joined(separator: ", ")).")
      }
      var scratch = PrintRequest()
      do throws(Failure) {
        try option.apply(String(parts[1]), to: &scratch)
        options[key] = String(parts[1])
      } catch {
        guard parts[1].isEmpty else { throw error }
        options.updateValue(nil, forKey: key)
      }
    }
    return options
  }
}

/// A printer that was saved: `pick --json`.
package struct PickResult: Sendable, Encodable {
  package var printer: SavedPrinter
  package var assignment: AssignmentResult
  /// False if the printer was known by this certificate before.
  package var isNewCertificate = true

  package func encode(to encoder: any Encoder) throws {
    try printer.encode(to: encoder, isDefault: assignment.isDefault, assigned: assignment.types)
    try encoder.encode(["takenFrom": assignment.takenFrom])
  }
}

/// Saves the printer named by `text`: a URI, a UUID, or a DNS-SD name on the network.
///
/// It is contacted first; a printer that does not answer is not saved. Exit 69 if it does not answer, 77 if it presents
/// another certificate or requires credentials, 64 if several match, 73 and 78 for printers.toml.
package func pickPrinter(
  _ text: String, _ arguments: PickArguments, _ context: Context
) async throws(Failure) -> PickResult {
  _ = try arguments.options()
  if PrinterReference.isURI(text) {
    let target = try PrinterReference(uri: text)
    if arguments.skipsContact {
      let known = try PrinterTrust(context).lowestTLS(of: target)
      var unseen = SavedPrinter(name: arguments.name ?? target.name, uri: text)
      (unseen.host, unseen.lowestTLS) = (target.chosenHost, arguments.lowestTLS ?? known)
      unseen.certificate = try PrinterTrust(context).pin(of: target)
      return try await save(unseen, arguments, context)
    }
    let usual =
      TypedAddress.isPathless(text)
      ? try await findAddress(text, timeout: arguments.timeout, context) : nil
    return try await pick(usual ?? target, service: nil, arguments, context)
  }
  if arguments.skipsContact {
    throw .usage("--no-contact saves a URI unseen; \(text) is not one.")
  }
  let store = try context.settings.printers()
  if let other = try await otherPrinter(text, than: store, context) {
    return try await pickPrinter(other, arguments, context)
  }
  // A saved printer, picked again for another type or with other settings.
  if let known = try store.find(text), let saved = known.saved {
    return try await pick(known, service: saved.service, arguments, context)
  }
  try PrinterReference.refuseOtherScheme(text)
  let begun = ContinuousClock.now
  if let place = try await pickAddress(text, arguments, context) { return place }
  let left = arguments.timeout.map { max($0 - begun.duration(to: .now), .milliseconds(100)) }
  let found = try await discoverPrinter(text, in: arguments.domains, timeout: left, context)
  let target = PrinterReference(found, word: text).heedingClaim(of: found, store)
  return try await pick(target, service: found.service(called: text), arguments, context)
}

/// Saves the printer at an address: the only one of a server's list, or one at the usual paths.
///
/// nil if the text is not an address, or a name that no host has. Exits as `pickPrinter` does.
private func pickAddress(
  _ text: String, _ arguments: PickArguments, _ context: Context
) async throws(Failure) -> PickResult? {
  guard let address = try TypedAddress.parse(text) else { return nil }
  let begun = ContinuousClock.now
  if address.path == nil {
    let answer = try await servedPrinters(at: text, timeout: arguments.timeout, context)
    guard case .found(let served) = answer else { return nil }
    guard served.count < 2 else {
      let most = 20
      let list =
        served.prefix(most).map { "\($0.printer.name) (\($0.printer.uri))" }
        .joined(separator: ", ")
        + (served.count > most ? " and \(served.count - most) more" : "")
      throw Failure(
        .severalPrinters, "\(text) has several printers: \(list).",
        hints: ["Name one by its URI."], about: text)
    }
    if let only = served.first { return try await pickPrinter(only.printer, arguments, context) }
  }
  let left = arguments.timeout.map { max($0 - begun.duration(to: .now), .milliseconds(100)) }
  guard let place = try await findAddress(text, timeout: left, context) else { return nil }
  return try await pick(place, service: nil, arguments, context)
}

/// Returns the printer on the network that a text means although it is in saved names: it is only part of them, and the
/// whole name of that one.
///
/// Exit 64 if it is as much of the names of both. A network that can't be searched has none.
private func otherPrinter(
  _ text: String, than store: PrinterStore, _ context: Context
) async throws(Failure) -> DiscoveredPrinter? {
  let role = store.findWhole(text)
  if let known = role?.saved, known.hasOwnName || known.isIdentified(by: text) { return nil }
  let saved = if let role { [role] } else { try store.findParts(text) }
  guard !saved.isEmpty else { return nil }
  let found: DiscoveredPrinter
  do throws(Failure) {
    found = try await discoverPrinter(text, isStored: role != nil, context)
  } catch {
    guard error.reason == .ambiguousPrinter else { return nil }
    throw error
  }
  if found.isAny(of: saved) { return nil }
  if role == nil, found.isCalled(text) { return found }
  let names = saved.map { "\($0.name) (\($0.uri))" } + ["\(found.name.onOneLine) (\(found.uri))"]
  let hint = role.map {
    "Pick one by its URI; \($0.name) is saved: airprint default \(ShellWord.quoted($0.name.safeName))"
  }
  _ = try PrinterReference.only(names, text, hint ?? "Type more of the name.") { $0 }
  return nil
}

/// Saves a printer that was found.
///
/// Exits as for one that is named.
package func pickPrinter(
  _ found: DiscoveredPrinter, _ arguments: PickArguments, _ context: Context
) async throws(Failure) -> PickResult {
  // A printer from a server's list was not found by DNS-SD.
  if found.service.domain.isEmpty {
    return try await pick(
      try PrinterReference(listed: found), service: nil, arguments, context)
  }
  let target = PrinterReference(found).heedingClaim(of: found, try context.settings.printers())
  return try await pick(target, service: found.service, arguments, context)
}

private func pick(
  _ target: PrinterReference, service: ServiceName?, _ arguments: PickArguments, _ context: Context
) async throws(Failure) -> PickResult {
  let asked = Mutex<Credentials?>(nil)
  let before = try PrinterTrust(context).pin(of: target)
  let saved = try await onThread { () throws(Failure) in
    var context = context
    let ask = context.askForCredentials
    context.askForCredentials = { (name) throws(Failure) in
      let credentials = try ask?(name)
      asked.withLock { $0 = credentials }
      return credentials
    }
    let known = try PrinterTrust(context).lowestTLS(of: target)
    let connection = try connect(
      to: target, context, lowestTLS: arguments.lowestTLS ?? known ?? .usual,
      wasAsked: { asked.withLock { $0 != nil } })
    try refuseStranger(connection, context)
    try keepLogin(before: connection, context)
    connection.rememberAnswer(context)
    var printer = SavedPrinter(connection, service: service)
    printer.host = target.chosenHost
    printer.lowestTLS = arguments.lowestTLS ?? known
    printer.isUnproven = printer.certificate == nil && connection.target.isUnproven
    return printer
  }
  let result = try await save(saved, arguments, context) { () throws(Failure) in
    try PrinterTrust(context).confirm(saved.certificate, of: target, instead: before)
  }
  if let credentials = asked.withLock({ $0 }) {
    try await onThread { () throws(Failure) in
      let login = SavedLogin(
        credentials, over: SavedLogin.Channel(result.printer.certificate))
      _ = try CredentialStore(context).keep(login, for: PrinterReference(result.printer))
    }
  }
  // The saved entry records that, too, until it is changed.
  if saved.certificate == nil { try? PrinterTrust(context).pin(nil, to: target) }
  var told = result
  told.isNewCertificate = before != result.printer.certificate
  return told
}

/// Connects to the printer, and verifies that it accepts the credentials that it asks for.
///
/// A user who is asked for them has three attempts, as with login(1).
private func connect(
  to target: PrinterReference, _ context: Context, lowestTLS: TLSVersion, wasAsked: () -> Bool
) throws(Failure) -> PrinterConnection {
  var triesLeft = 3
  while true {
    // A new one for each attempt, because it caches the credentials.
    var security = try PrinterTrust(context).security(of: target)
    security.lowestTLS = lowestTLS
    do throws(Failure) {
      let connection = try PrinterConnection.reach(target, context, security)
      try connection.refuseUnagreed()
      if connection.authentication != "none" { try connection.proveAccess(context) }
      return connection
    } catch {
      triesLeft -= 1
      guard error.code == .notAllowed, wasAsked(), triesLeft > 0 else { throw error }
      context.note("\(target.name) refused this user name and password.")
    }
  }
}

/// Throws exit 77 for a printer that claims to be a saved one, but does not present that one's certificate.
func refuseStranger(_ connection: PrinterConnection, _ context: Context) throws(Failure) {
  let peer = connection.ipp.peer
  guard let uuid = connection.capabilities.uuid else { return }
  let named = try context.settings.printers().printers.filter { $0.uuid == uuid }
  let uri = connection.target.uri
  let isKnown = named.contains {
    $0.isProven(by: peer) || $0.certificate == nil && peer == nil && $0.uri == uri
  }
  guard !isKnown,
    let known = named.first(where: { $0.certificate != nil }), let pin = known.certificate
  else { return }
  if peer == nil, PrinterURI(known.uri)?.isSecure == true {
    let command = "airprint pick \(ShellWord.quoted(known.uri))"
    throw Failure(
      .notAllowed,
      "\(connection.target.name) claims to be \(known.name), which is saved, and does not encrypt.",
      hints: ["To use it with encryption, run: \(command)"], fix: command)
  }
  let word = ShellWord.quoted(known.name.safeName)
  throw .notAllowed(
    "\(connection.target.name) claims to be \(known.name), which is saved, but shows another "
      + "certificate: SHA-256 \(peer?.fingerprint.short ?? "none, it does not encrypt"), and not "
      + "\(pin.short). If you expected this, run: airprint trust \(word), or airprint forget \(word)"
  )
}

/// Ties a stored login to the connection of the printer that has used it so far, before a printer with the same UUID
/// and another certificate, or its first, is saved: anyone can state a UUID.
///
/// If an authority vouches for the new certificate, the login is moved to it.
private func keepLogin(before connection: PrinterConnection, _ context: Context) throws(Failure) {
  let shown = connection.ipp.peer?.fingerprint
  let known = try context.settings.printers().printers.first {
    $0.uuid != nil && $0.uuid == connection.capabilities.uuid && $0.certificate != shown
  }
  guard let known else { return }
  let store = CredentialStore(context)
  let before = SavedLogin.Channel(known.certificate)
  try store.move(from: nil, to: before, of: PrinterReference(known))
  if known.isProven(by: connection.ipp.peer) {
    try store.move(from: before, to: SavedLogin.Channel(shown), of: PrinterReference(known))
  }
}

extension SavedPrinter {
  /// True if the certificate is this printer's, or if an authority vouches for it under the host that its user chose.
  fileprivate func isProven(by peer: VerifiedPeer?) -> Bool {
    guard let certificate, let peer else { return false }
    return certificate == peer.fingerprint
      || chosenHost.map { peer.certificate.isVouchedFor(as: $0) } == true
  }

  fileprivate init(_ connection: PrinterConnection, service: ServiceName?) {
    let capabilities = connection.capabilities
    let target = connection.target
    let fromURI = target.role == nil && service == nil
    self.init(
      name: fromURI ? capabilities.info ?? capabilities.name ?? target.name : target.name,
      uri: target.uri)
    addresses = connection.addresses
    self.service = service
    uuid = capabilities.uuid
    (makeAndModel, location) = (capabilities.makeAndModel, capabilities.location)
    types = capabilities.types.sorted()
    certificate = connection.ipp.peer?.fingerprint
  }
}

/// Saves a printer under the name of `--as`, else its own.
///
/// If the user can't be asked, for example in a script, it replaces another printer of that name, and reports that;
/// exit 1 if the user declines.
///
/// - `confirm`: called under the file's lock, before it is changed.
private func save(
  _ picked: SavedPrinter, _ arguments: PickArguments, _ context: Context,
  if confirm: () throws(Failure) -> Void = { () throws(Failure) in }
) async throws(Failure) -> PickResult {
  if !arguments.force { try picked.refuse(arguments.types) }
  let store = try context.settings.printers()
  var printer = picked
  var names = NamesInUse(store)
  printer.name = arguments.name ?? names.free(for: printer)
  // Settings belong to a name.
  if let former = store.printer(named: printer.name), printer.isSame(as: former) {
    printer.settings = former.settings
  }
  for (key, value) in try arguments.options() { printer.settings[key] = value }
  if let other = (arguments.system ? store.system : store.user).holder(
    of: printer.name, besides: printer)
  {
    guard try await arguments.mayReplace?(other) ?? true else {
      throw Failure(.nothing, "Nothing was changed.")
    }
    let types = store.types(of: printer.name).map(\.plurals)
    context.note(
      "\(printer.name.safeName) was \(other.uri); it is \(printer.uri) now"
        + (types.isEmpty ? "." : ", also for \(types.inWords())."))
  }
  if arguments.name == nil, let renamed = store.renamed(printer) {
    context.note(
      "\(renamed.name.safeName) is the same printer, by an earlier name. To remove it, run: "
        + "airprint forget \(ShellWord.quoted(renamed.name.safeName))")
  }
  let makesDefault = arguments.makesDefault(besides: store.defaultPrinter)
  try context.settings.changePrinters(system: arguments.system) { (file) throws(Failure) in
    try confirm()
    file.save(printer)
    file.assign(printer.name, to: arguments.types, asDefault: makesDefault)
  }
  return PickResult(
    printer: printer,
    assignment: store.assignment(
      of: printer.name, to: arguments.types, asDefault: makesDefault, system: arguments.system))
}

extension PrinterStore {
  /// Returns the saved printer that has this one's UUID, and had another name on the network when it was saved.
  fileprivate func renamed(_ printer: SavedPrinter) -> SavedPrinter? {
    guard let uuid = printer.uuid else { return nil }
    return printers.first { other in
      guard other.uuid == uuid, other.name != printer.name, let service = other.service else {
        return false
      }
      return service.instance != printer.name && service.instance != printer.service?.instance
    }
  }
}

extension SavedPrinter {
  /// Throws exit 64 for types that the printer says it does not print.
  func refuse(_ wanted: [JobType]) throws(Failure) {
    let others = wanted.filter { !types.isEmpty && !types.contains($0) }
    guard !others.isEmpty else { return }
    throw Failure(
      .notSupported,
      "\(name) can't print \(others.map(\.plurals).inWords(joinedBy: "or")) (it prints "
        + "\(types.sorted().map(\.plurals).inWords())). Nothing was changed.",
      hints: ["Use --force to print them there anyway."])
  }

  /// True for the same UUID or, where this one has none, the same URI.
  func isSame(as printer: SavedPrinter) -> Bool {
    uuid.map { $0 == printer.uuid } ?? (uri == printer.uri)
  }
}

extension PrinterStore.File {
  /// Returns another printer saved here under the name, as far as is known: with a different UUID, URI and DNS-SD name.
  fileprivate func holder(of name: String, besides printer: SavedPrinter) -> SavedPrinter? {
    guard let holder = printers.first(where: { $0.name.lowercased() == name.lowercased() }),
      holder.uuid == nil || holder.uuid != printer.uuid,
      holder.uri.address != printer.uri.address,
      holder.service == nil || holder.service != printer.service
    else { return nil }
    return holder
  }
}

extension String {
  /// The URI without its scheme: a printer that starts to encrypt is still the same.
  var address: Substring {
    firstRange(of: "://").map { self[$0.upperBound...] } ?? self[...]
  }
}
