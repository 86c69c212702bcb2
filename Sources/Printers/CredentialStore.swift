internal import AirprintContext
internal import Desktop
internal import ForeignText
internal import IPP
internal import PrintModel

/// The places where `login` stores credentials: the keyring, else a file of the user.
///
/// A printer's credentials are in only one of them. Anyone on the network can state a UUID, a name, a host and a port,
/// so these only serve to find them: credentials are sent over the same kind of connection, and to the same
/// certificate, as when they were stored.
struct CredentialStore {
  private let context: Context

  init(_ context: Context) { self.context = context }

  /// Returns the credentials that may be sent to a printer that presents the certificate `shown`, nil if it does not
  /// encrypt.
  ///
  /// - `pin`: the certificate to which it was compared; an authority may have vouched for another. Exit 73 or 78 for a
  ///   place that can't be read.
  func credentials(
    of target: PrinterReference, shown: Fingerprint?, pin: Fingerprint?
  ) throws(Failure) -> Credentials? {
    for account in target.accounts {
      guard let login = try login(for: account.name) else { continue }
      if try isFor(target, account, login.channel, shown: shown, pin: pin) {
        return login.credentials
      }
    }
    return nil
  }

  /// Stores credentials, and returns the name of the place: `keyring`, or the file's path.
  func keep(_ login: SavedLogin, for target: PrinterReference) throws(Failure) -> String {
    guard let account = try ownAccount(of: target) else {
      throw Failure(.usage, "\(target.uri) is not a printer's URI.")
    }
    let name = target.saved?.name ?? target.name
    return try keep(login, in: account.name, name) ? "keyring" : file.path
  }

  /// Ties a printer's login to another certificate, or to its first: not one under a UUID that several printers state.
  ///
  /// - `before`: nil for a login stored before connections were recorded.
  func move(
    from before: SavedLogin.Channel?, to channel: SavedLogin.Channel, of target: PrinterReference
  ) throws(Failure) {
    for account in target.accounts {
      guard var login = try login(for: account.name), login.channel == before,
        account.kind != .place || target.isPlaceChosen || ![nil, .unencrypted].contains(before)
      else { continue }
      if account.kind == .uuid, try !isOfOnePrinter(account) { continue }
      login.channel = channel
      _ = try keep(login, in: account.name, target.saved?.name ?? target.name)
    }
  }

  /// Deletes a printer's credentials from every place; false if there were none.
  ///
  /// Credentials are kept if one of `others` is the same printer by its certificate or, without one, its host and port.
  func forget(_ target: PrinterReference, sparing others: [SavedPrinter]) throws(Failure) -> Bool {
    let same = others.map { PrinterReference($0) }.filter { other in
      other.saved?.certificate == target.saved?.certificate
        && (target.saved?.certificate != nil || other.place == target.place)
    }
    let theirs = Set(same.flatMap { $0.accounts.map(\.name) })
    var isForgotten = false
    for account in target.accounts.map(\.name) where !theirs.contains(account) {
      if keyring.forget(account) { isForgotten = true }
      if try file.login(for: account) != nil {
        try file.keep(nil, for: account)
        isForgotten = true
      }
    }
    return isForgotten
  }

  /// True when a login is kept for the printer.
  func isKept(for target: PrinterReference) throws(Failure) -> Bool {
    for account in target.accounts {
      if try login(for: account.name) != nil { return true }
    }
    return false
  }

  private func login(for account: String) throws(Failure) -> SavedLogin? {
    if let kept = keyring.login(for: account) { return kept }
    return try file.login(for: account)
  }

  /// Stores a login; returns true if it is in the keyring.
  private func keep(
    _ login: SavedLogin, in account: String, _ name: String
  ) throws(Failure) -> Bool {
    let isInKeyring = keyring.keep(login, for: account, name)
    try file.keep(isInKeyring ? nil : login, for: account)
    return isInKeyring
  }

  private var keyring: SecretService { SecretService(environment: context.environment) }
  private var file: PasswordFile { PasswordFile(context.places) }
}

// MARK: - Owners of credentials

extension CredentialStore {
  /// Returns true if a login of the account, stored over `channel`, may be sent to the printer.
  private func isFor(
    _ target: PrinterReference, _ account: Account, _ channel: SavedLogin.Channel?,
    shown: Fingerprint?, pin: Fingerprint?
  ) throws(Failure) -> Bool {
    switch channel {
    case .encrypted(let certificate)?:
      return shown != nil && (certificate == shown || certificate == pin)
    case .unencrypted?:
      guard shown == nil else { return false }
      switch account.kind {
      case .uuid: return try isOfOnePrinter(account)
      case .name: return true
      case .place: return target.isPlaceChosen
      }
    case nil:
      return try isForUntied(target, account, shown: shown, pin: pin)
    }
  }

  /// Returns the same for a login stored before connections were recorded.
  private func isForUntied(
    _ target: PrinterReference, _ account: Account, shown: Fingerprint?, pin: Fingerprint?
  ) throws(Failure) -> Bool {
    // The printer presents its known certificate, or has never presented one.
    let isAsKnown = (shown == nil) == (pin == nil)
    switch account.kind {
    case .uuid:
      let isOne = try isOfOnePrinter(account)
      return isAsKnown && isOne
    case .name: return false
    case .place:
      guard target.isPlaceChosen else { return false }
      // A job's record does not show if its printer's address was typed.
      if target.saved == nil, target.found != nil { return shown == nil }
      return isAsKnown || !target.isKnownWithoutEncryption(context)
    }
  }

  /// False for a UUID of several saved printers: cheap ones of one model have the same, and anyone can state it.
  ///
  /// They are one printer if they present one certificate or, without encryption, have one host and port.
  private func isOfOnePrinter(_ account: Account) throws(Failure) -> Bool {
    let holders = try context.settings.printers().printers.filter {
      $0.uuid?.lowercased() == account.name
    }
    return Set(holders.map { $0.certificate?.text ?? PrinterReference($0).place }).count <= 1
  }

  /// The name under which new credentials are stored.
  ///
  /// Its host and port do not identify it if the network announced them: any record can contain any host.
  private func ownAccount(of target: PrinterReference) throws(Failure) -> Account? {
    var accounts = target.accounts
    if let first = accounts.first, first.kind == .uuid, try !isOfOnePrinter(first) {
      accounts.removeFirst()
    }
    return accounts.first { $0.kind != .name || !target.isPlaceChosen } ?? accounts.first
  }
}

/// A name under which a printer's credentials are stored.
private struct Account {
  enum Kind { case uuid, name, place }

  var kind: Kind
  var name: String
}

extension PrinterReference {
  /// The names under which its credentials may be stored: its UUID, which is independent of its address, its name on
  /// the network, and its host and port.
  fileprivate var accounts: [Account] {
    let uuid = (saved?.uuid?.lowercased()).map { Account(kind: .uuid, name: $0) }
    let service = saved == nil ? found?.service : saved?.service
    // An argument of secret-tool: hidden characters are encoded.
    let name = service.map {
      Account(kind: .name, name: "name=\($0.instance.lowercased().safeName)")
    }
    let place = place.map { Account(kind: .place, name: $0) }
    return [uuid, name, place].compactMap { $0 }
  }

  /// Its host and port.
  fileprivate var place: String? {
    PrinterURI(saved?.uri ?? uri).map { "\($0.host.lowercased()):\($0.port)" }
  }

  /// True unless the network announced its host.
  fileprivate var isPlaceChosen: Bool {
    saved == nil ? found?.service == nil : chosenHost != nil
  }
}
