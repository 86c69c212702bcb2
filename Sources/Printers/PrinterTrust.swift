package import AirprintContext
internal import ForeignText
package import IPP
package import PrintModel
internal import System

/// Facts about a printer's identity, and where they are stored: certificates, the oldest TLS, and if the administrator
/// saved it.
package struct PrinterTrust {
  private let context: Context
  /// What this process has accepted of printers of which nothing is stored, and perhaps can't be, by the folder of what is
  /// stored, the host and the port: a server's queues have one certificate.
  private static let accepted = Monitor<[[String]: UsedChannel]>([:])

  package init(_ context: Context) { self.context = context }

  /// Returns the settings for a connection to `target`: the pinned certificate, and the source of credentials.
  ///
  /// - `login`: the credentials to send, instead of those of `CredentialSource`. Exit 78 if the settings are invalid.
  package func security(
    of target: PrinterReference, giving login: (@Sendable () -> Credentials)? = nil
  ) throws(Failure) -> Security {
    let known = try knowledge(of: target)
    // The saved printer that has or would get this certificate: another one must be accepted for it.
    let holder = target.saved ?? known?.saved
    let word = holder.map { ShellWord.quoted($0.name.safeName) } ?? target.commandWord
    let source = CredentialSource(context, target, pin: known?.pin)
    var security = Security()
    (security.pin, security.host) = (known?.pin, target.chosenHost)
    security.lowestTLS = try lowestTLS(of: target) ?? .usual
    security.remedy =
      try isSystems(holder) ? "sudo airprint trust --system \(word)" : "airprint trust \(word)"
    security.login = "airprint login \(target.commandWord)"
    security.credentials = { [pin = known?.pin] (shown) throws(Failure) in
      try confirm(shown, of: target, instead: pin)
      return if let login { login() } else { try source.credentials(for: shown) }
    }
    security.isAnonymous = context.isLookingAround
    security.trustsFirst =
      target.isChosenEncrypted || !target.isKnownWithoutEncryption(context)
    security.listeners.insert(USBPrinters.owner)
    security.home = target.home
    if known == nil {
      if security.trustsFirst, !context.isLookingAround { security.used = accepted(of: target) }
      security.whenTold = { (shown) throws(Failure) in try keepFirst(shown, of: target) }
    }
    return target.isUnproven && known == nil ? security.elsewhere(target) : security
  }

  private func accepted(of target: PrinterReference) -> UsedChannel {
    PrinterTrust.accepted.withLock { all in
      let place = PrinterURI(target.uri)
      let key = [
        context.directories.state, place?.host.lowercased() ?? target.uri, "\(place?.port ?? 0)",
      ]
      let channel = all[key] ?? UsedChannel()
      all[key] = channel
      return channel
    }
  }

  /// Returns the TLS version that was set when the printer was picked (`--tls`), whichever of its names is used now.
  func lowestTLS(of target: PrinterReference) throws(Failure) -> TLSVersion? {
    if let own = target.saved?.lowestTLS { return own }
    // Compare the address, not the text: one may contain the default port.
    let place = PrinterURI(target.uri)
    let same = try context.settings.printers().printers.filter {
      $0.uri == target.uri || place != nil && PrinterURI($0.uri) == place
    }
    return same.lazy.compactMap(\.lowestTLS).first
  }

  /// Returns the certificate by which `target` is known: from where it is saved; from the name by which it was given;
  /// from a saved printer with another name, address or scheme of it.
  ///
  /// Of the printer of a job, it is the first of these that was accepted since the job was sent, by its name or address,
  /// which no other printer has; else the one that it presented then.
  /// Exit 78 if a file of certificates or printers can't be read.
  package func pin(of target: PrinterReference) throws(Failure) -> Fingerprint? {
    try knowledge(of: target)?.pin
  }

  /// Returns the same certificate, with the saved printer to which it belongs.
  private func knowledge(
    of target: PrinterReference
  ) throws(Failure) -> (pin: Fingerprint, saved: SavedPrinter?)? {
    if let pin = target.saved?.certificate { return (pin, target.saved) }
    let pins = CertificatePins(context.directories)
    var known: [(pin: Fingerprint, saved: SavedPrinter?)] = []
    for key in target.names {
      if let pin = try pins.certificate(of: key) { known.append((pin, nil)) }
    }
    if known.isEmpty, target.saved == nil,
      let twin = try context.settings.printers().printers.first(where: {
        $0.certificate != nil && target.isMaybe($0)
      }),
      let pin = twin.certificate
    {
      known.append((pin, twin))
    }
    for key in target.marks where known.isEmpty || target.certificate != nil {
      if let pin = try pins.certificate(of: key) { known.append((pin, nil)) }
    }
    return known.first { $0.pin != target.certificate } ?? known.first
      ?? target.certificate.map { ($0, nil) }
  }

  /// Returns true if a saved printer is in the administrator's file, and not in the user's.
  func isSystems(_ saved: SavedPrinter?) throws(Failure) -> Bool {
    guard let saved else { return false }
    return !(try context.settings.printers().user.printers.contains { $0.name == saved.name })
  }

  /// Compares `known`, by which a connection recognized the printer, with what is stored now: exit 77 if another
  /// certificate than that, and than the one that it presents, was accepted meanwhile.
  func confirm(
    _ shown: Fingerprint?, of target: PrinterReference, instead known: Fingerprint?
  ) throws(Failure) {
    try rereading.compare(shown, with: target, knownBy: known)
  }

  /// The same with what is stored now.
  var rereading: PrinterTrust {
    var context = context
    context.settings = SettingsFiles(context.directories)
    return PrinterTrust(context)
  }

  /// Returns the printer as it was saved by what was read last.
  func current(_ target: PrinterReference) throws(Failure) -> PrinterReference {
    var target = target
    let store = try context.settings.printers()
    target.saved = target.saved.flatMap { store.printer(named: $0.name) }
    return target
  }

  /// Does `confirm` by what was read last.
  func compare(
    _ shown: Fingerprint?, with target: PrinterReference, knownBy known: Fingerprint?
  ) throws(Failure) {
    let target = try current(target)
    // Another command may have printed there without encryption meanwhile.
    let isBarred =
      known == nil && shown != nil && !target.isChosenEncrypted
      && target.isKnownWithoutEncryption(context)
    let accepted = try pin(of: target)
    guard isBarred || ![known, shown].contains(accepted) else { return }
    throw try security(of: target).refusal(of: shown, target.name).failure(at: target.name)
  }

  /// Stores the certificate that a printer presented, in place of `old`, and returns a message about that.
  ///
  /// If it can't be stored, the printer is used anyway, and the message reports that. Exit 77 if `old` is no longer what
  /// is stored.
  func keep(
    _ shown: Fingerprint, for target: PrinterReference, instead old: Fingerprint?
  ) throws(Failure) -> String {
    let name = target.saved?.name ?? target.name
    let news = "\(name) has a new certificate, and an authority vouches for it"
    do throws(Failure) {
      try pin(shown, to: target) { () throws(Failure) in
        try confirm(shown, of: target, instead: old)
      }
      if let old {
        try CredentialStore(context).move(from: .encrypted(old), to: .encrypted(shown), of: target)
      }
      return "\(old == nil ? "\(name): certificate saved" : news) (SHA-256 \(shown.short))."
    } catch {
      guard error.reason != .untrusted else { throw error }
      return old == nil
        ? "\(name): its certificate can't be saved: \(error.message)"
        : "\(news), but it can't be saved: \(error.message)"
    }
  }

  /// Stores what the first contact is, a certificate or no encryption, if that can be stored; exit 77 if another one was
  /// accepted meanwhile.
  ///
  /// Whatever becomes of this contact, the next certificate is not the first one.
  private func keepFirst(_ shown: Fingerprint?, of target: PrinterReference) throws(Failure) {
    do throws(Failure) {
      let isKept =
        try shown == nil
        ? (target.names + target.marks).allSatisfy(
          CertificatePins(context.directories).isKnownWithout)
        : rereading.pin(of: target) == shown
      if isKept { return }
      try pin(shown, to: target) { () throws(Failure) in
        try confirm(shown, of: target, instead: nil)
      }
    } catch {
      guard error.reason != .untrusted else { throw error }
    }
  }

  /// Stores a certificate where `pin(of:)` finds it: with the saved printer, or under the name by which it was given.
  ///
  /// nil: the printer gets a document or a password without encryption; from now on, it has to be trusted before a
  /// certificate is kept or is told a password. The administrator's file is only changed with `system`. With a saved
  /// printer, its former certificate is also replaced under its other names, and where it is stored under other
  /// identifiers, from the time before it was saved.
  ///
  /// - `confirm`: called under the lock of each file, before it is changed. Exit 73 if that can't be stored.
  func pin(
    _ certificate: Fingerprint?, to target: PrinterReference, system: Bool = false,
    if confirm: () throws(Failure) -> Void = { () throws(Failure) in }
  ) throws(Failure) {
    let pins = CertificatePins(context.directories)
    var own = target.names + target.marks
    let isOthers = try system ? false : isSystems(target.saved)
    if let saved = target.saved, !isOthers {
      let former = (own + saved.identifiers).filter {
        saved.certificate != nil && (try? pins.certificate(of: $0)) == saved.certificate
      }
      if certificate != saved.certificate {
        try context.settings.changePrinters(system: system) { (file) throws(Failure) in
          try confirm()
          for var entry in file.printers
          where entry.name == saved.name || entry.isOneDevice(with: saved) {
            entry.certificate = certificate
            file.save(entry)
          }
        }
      }
      own = certificate == nil ? own + former : former
    }
    for key in own { try pins.keep(certificate, of: key, if: confirm) }
  }
}

extension SavedPrinter {
  /// True if it is another name of that printer: printers of one model may state one UUID, and anybody can.
  fileprivate func isOneDevice(with printer: SavedPrinter) -> Bool {
    isSame(as: printer) && certificate == printer.certificate
      && (certificate != nil || uri.address == printer.uri.address)
  }

  /// True if it was picked or used without encryption.
  fileprivate var isSeenPlain: Bool {
    isSeen && certificate == nil && PrinterURI(uri)?.isSecure == false
  }

  /// The identifiers under which its certificate may have been stored before it was saved, other than its place.
  fileprivate var identifiers: [CertificatePins.Key] {
    [name, service?.instance].compactMap { $0 }.map { .name($0) }
      + (uuid.map { [.uuid($0)] } ?? [])
  }
}

extension PrinterReference {
  /// The names by which a user may refer to it, the typed one first.
  fileprivate var names: [CertificatePins.Key] {
    let names = [found?.word, found?.service?.instance].compactMap { $0 }
    return names.map { .name($0) }
  }

  /// Other identifiers of it: of a job's printer not its UUID, which another one may state.
  fileprivate var marks: [CertificatePins.Key] {
    let uuid = saved == nil && certificate == nil ? found?.uuid : nil
    return (place.map { [.place(host: $0.host, port: $0.port)] } ?? [])
      + (uuid.map { [.uuid($0)] } ?? [])
  }

  private var place: PrinterURI? { PrinterURI(saved?.uri ?? uri) }

  /// Returns true if the printer was picked, took a job, or accepted its password, over a connection that was not
  /// encrypted, whoever picked it and whatever it is called now.
  func isKnownWithoutEncryption(_ context: Context) -> Bool {
    saved?.isSeenPlain == true
      || (names + marks).contains(where: CertificatePins(context.directories).isKnownWithout)
      || saved == nil
        && ((try? context.settings.printers())?.printers ?? []).contains {
          $0.isSeenPlain && (hasPlace(of: $0) || isMaybe($0))
        }
  }

  /// Returns true if a saved printer may be this one: by its UUID, but for a job's printer; if no UUID contradicts that,
  /// by its name on the network, or by its host and port, with either scheme.
  fileprivate func isMaybe(_ saved: SavedPrinter) -> Bool {
    if let mine = found?.uuid, let theirs = saved.uuid, mine != theirs || certificate == nil {
      return mine == theirs
    }
    if let service = found?.service, service == saved.service { return true }
    return hasPlace(of: saved)
  }

  private func hasPlace(of saved: SavedPrinter) -> Bool {
    guard let place, let theirs = PrinterURI(saved.uri) else { return false }
    return place.host.lowercased() == theirs.host.lowercased() && place.port == theirs.port
  }
}

/// A printer's certificate before and now, which `trust` shows for confirmation.
package struct TrustQuestion: Sendable, Encodable {
  package var printer: String
  package var uri: String
  /// The certificate by which it is known; nil for a printer that never presented one.
  @Null package var before: Fingerprint? = nil
  /// The certificate that it presents now; nil if it does not encrypt.
  @Null package var now: Fingerprint? = nil
  /// True if an authority that this machine trusts vouches that the printer is the host that the user chose.
  package var isVouchedFor: Bool
  /// Set once `before` was replaced.
  package var isChanged = false

  package var isSame: Bool { before == now }

  private enum CodingKeys: String, CodingKey {
    case printer, uri, before, now, isVouchedFor = "verified", isChanged = "changed"
  }
}

/// Requests only a printer's certificate, and the UUID of a saved one: another printer may have got its address.
///
/// Exit 69 if it does not answer, 76 if no secure connection is possible, 77 for a printer whose certificate only the
/// administrator can accept (`system`), and 64 for `system` with a printer that is not saved for all users.
package func askForCertificate(
  of target: PrinterReference, system: Bool, _ context: Context
) async throws(Failure) -> TrustQuestion {
  let isSystems = try PrinterTrust(context).isSystems(target.saved)
  if system, !isSystems {
    throw .usage("\(target.name) is not saved for all users: leave --system out.")
  }
  if !system, isSystems, target.saved?.certificate != nil {
    throw .notAllowed(
      "\(target.name) is saved for all users: sudo airprint trust --system "
        + "\(ShellWord.quoted(target.name.safeName))")
  }
  return try await onThread { () throws(Failure) in
    let certificate = try fetchCertificate(of: target, context)
    let host = target.chosenHost
    return TrustQuestion(
      printer: target.name, uri: target.uri, before: try? PrinterTrust(context).pin(of: target),
      now: certificate?.fingerprint,
      isVouchedFor: host.map { certificate?.isVouchedFor(as: $0) == true } ?? false)
  }
}

/// Accepts the certificate that the printer presented.
///
/// Exit 73 if it can't be stored.
package func trust(
  _ question: TrustQuestion, _ target: PrinterReference, system: Bool, _ context: Context
) throws(Failure) -> TrustQuestion {
  try PrinterTrust(context).pin(question.now, to: target, system: system)
  // The printer keeps its password.
  if !question.isSame {
    try CredentialStore(context).move(
      from: SavedLogin.Channel(question.before), to: SavedLogin.Channel(question.now), of: target)
    // What `status` remembers is about the other certificate.
    StatusCache(context.directories, key: target.saved?.uri ?? target.words).write([])
  }
  var answer = question
  answer.isChanged = !question.isSame
  return answer
}

/// Returns a printer's certificate, asking the printer to encrypt if its URI is `ipp`; nil if it does not.
///
/// Throws exit 69 for a printer that states another UUID than the saved one.
private func fetchCertificate(of target: PrinterReference, _ context: Context) throws(Failure)
  -> Certificate?
{
  guard let uri = PrinterURI(target.uri) else {
    throw .usage("\(target.uri) is not a printer's URI.")
  }
  let cancellation = Cancellation()
  var security = Security()
  security.lowestTLS = try PrinterTrust(context).lowestTLS(of: target) ?? .usual
  (security.isAnonymous, security.home) = (true, target.home)
  func connect(upgrading: Bool) throws(IPPError) -> Connection {
    try Connection(
      to: uri, at: PrinterConnection.addresses(of: target, uri, cancellation),
      security: security, upgrading: upgrading, timeout: PrinterConnection.wakeTimeout,
      cancellation: cancellation)
  }
  do throws(IPPError) {
    let connection: Connection
    do throws(IPPError) { connection = try connect(upgrading: true) } catch {
      guard error.kind == .insecure, !uri.isSecure else { throw error }
      connection = try connect(upgrading: false)
    }
    // The question may have to connect again.
    let certificate = connection.peer?.certificate
    let question = Request.getPrinterAttributes(["printer-uuid"], of: uri, user: context.user)
    let stated = (try? connection.exchange(question))?.printers.first?.string("printer-uuid")
      .flatMap(PrinterUUID.normalized)
    // One that asks for a password first is known by the certificate that it shows.
    if let own = target.saved?.uuid, stated != own, stated != nil || certificate == nil {
      throw IPPError(.unresolved, "another printer answers at its address")
    }
    return certificate
  } catch {
    let failure = PrinterConnection.failure(error, target, cancellation)
    guard failure.code == .unavailable, let saved = target.saved else { throw failure }
    // Elsewhere, only its key would prove that it is the same.
    let forget = "airprint forget \(ShellWord.quoted(saved.name.safeName))"
    throw failure.adding("If it has moved, save it again: \(forget), then airprint pick.")
  }
}
