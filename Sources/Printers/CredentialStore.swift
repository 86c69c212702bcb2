package import AirprintContext
internal import Desktop
internal import ForeignText
internal import Glibc
internal import IPP
package import PrintModel
package import Submission
internal import Synchronization
internal import System

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
      throw .usage("\(target.uri) is not a printer's URI.")
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
  private var file: PasswordFile { PasswordFile(context.directories) }
}

// MARK: - Owners of credentials

extension CredentialStore {
  /// Returns true if a login of the account, stored over `channel`, may be sent to the printer.
  private func isFor(
    _ target: PrinterReference, _ account: Account, _ channel: SavedLogin.Channel?,
    shown: Fingerprint?, pin: Fingerprint?
  ) throws(Failure) -> Bool {
    if case .encrypted(let certificate)? = channel {
      return shown != nil && [shown, pin].contains(certificate)
    }
    // One stored before connections were recorded has none: the printer presents its known certificate, or has never
    // presented one.
    let (isTied, isAsKnown) = (channel != nil, (shown == nil) == (pin == nil))
    if isTied, shown != nil { return false }
    switch account.kind {
    case .uuid: return try isOfOnePrinter(account) && (isTied || isAsKnown)
    case .name: return isTied
    case .place:
      guard target.isPlaceChosen, !isTied else { return target.isPlaceChosen }
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

/// The source of the credentials for one printer, which are looked up when the printer asks and then cached in memory.
///
/// They are those given for it, those that `login` stored for a printer with this kind of connection, or those of the
/// user at the terminal, if allowed.
final class CredentialSource: Sendable {
  private let context: Context
  private let target: PrinterReference
  private let pin: Fingerprint?
  /// By certificate; nil for a printer that does not encrypt.
  private let known = Mutex<[Fingerprint?: Credentials?]>([:])

  /// - `pin`: the certificate to which every connection to the printer is compared.
  init(_ context: Context, _ target: PrinterReference, pin: Fingerprint?) {
    self.context = context
    self.target = target
    self.pin = pin
  }

  func credentials(for shown: Fingerprint?) throws(Failure) -> Credentials? {
    if let known = known.withLock({ $0[shown] }) { return known }
    let own = (target.given ?? []).filter { $0.isFor(target, over: shown, pin) }
    var found = try Credentials(in: target.file(from: context), context)
    found = found ?? own.compactMap { $0.credentials(context) }.first
    if found == nil {
      found = try CredentialStore(context).credentials(of: target, shown: shown, pin: pin)
    }
    if found == nil {
      found = try Credentials(in: target.file(from: context, isLast: true), context)
    }
    if found == nil { found = try context.askForCredentials?(target.name) }
    if found == nil, let old = own.first {
      throw .notAllowed(
        "\(Context.named(old.path)) no longer has the password that was given with the job for \(target.name). "
          + "Give that by --password-file or AIRPRINT_PASSWORD_FILE, or run: airprint login "
          + target.commandWord)
    }
    known.withLock { $0[shown] = .some(found) }
    return found
  }
}

extension GivenPassword {
  /// Returns true if it was given for the printer, which presents a certificate, or has to present `pin`, for which an
  /// authority may vouch.
  func isFor(_ target: PrinterReference, over shown: Fingerprint?, _ pin: Fingerprint?) -> Bool {
    if let certificate { return shown != nil && [shown, pin].contains(certificate) }
    return uri == target.uri && (uuid == nil || uuid == target.saved?.uuid ?? target.found?.uuid)
  }

  /// Returns what its file has; nil if that can't be read, or is another one by now.
  fileprivate func credentials(_ context: Context) -> Credentials? {
    try? Credentials(in: (path, "the file given with the job"), context, mark: mark)
  }
}

extension PrinterReference {
  /// Returns the file with the credentials that the command gives for it, and what named that.
  ///
  /// What the environment gives to a command about a job may be for another printer: that serves only where nothing else
  /// does (`isLast`), and is not recorded.
  fileprivate func file(from context: Context, isLast: Bool = false) -> Context.SecretSource? {
    let servesLast = given != nil && context.passwordFile == nil
    return isNamed && servesLast == isLast ? context.givenCredentials : nil
  }
}

extension Credentials {
  /// Reads them from the first line of a file: `USER:PASSWORD`, or the password of the current user.
  ///
  /// nil without a file, or if its line has another `mark`. Exit 66 if it can't be read, 64 for credentials that can't be
  /// sent.
  package init?(
    in given: Context.SecretSource?, _ context: Context, mark: Int? = nil
  ) throws(Failure) {
    guard let (file, source) = given else { return nil }
    let line = try SecretFile.firstLine(of: file, source)
    guard mark == nil || mark == secretMark(line) else { return nil }
    let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    self.init(
      user: parts.count == 2 ? String(parts[0]) : context.user,
      password: parts.count == 2 ? String(parts[1]) : line)
    self.source = "\(source) (\(Context.named(file)))"
    guard isSendable else {
      throw .usage(
        "\(source) \(file): its first line must be USER:PASSWORD, together shorter than "
          + "\(Credentials.longest) bytes.")
    }
  }
}

extension JobRecord {
  /// Records what the command gives for printers of the job, for a process that prints it later, or is about it.
  package mutating func give(_ context: Context, to targets: [PrinterReference]) {
    for target in targets {
      if givenPasswords.isEmpty { givenPasswords = target.given ?? [] }
      if let (path, mark) = target.file(from: context).flatMap({ lasting($0.file) }) {
        let uuid = target.saved?.uuid ?? target.found?.uuid
        givenPasswords.removeAll { $0.uri == target.uri }
        givenPasswords.append(GivenPassword(path: path, mark: mark, uri: target.uri, uuid: uuid))
      }
      tie(to: target, context)
    }
  }

  /// Ties what was given for a printer to the certificate by which that is known now, if there is one.
  package mutating func tie(to target: PrinterReference, _ context: Context) {
    let trust = PrinterTrust(context).rereading
    guard let pin = try? trust.pin(of: trust.current(target)) else { return }
    for index in givenPasswords.indices
    where givenPasswords[index].isFor(target, over: nil, nil) {
      givenPasswords[index].certificate = pin
    }
  }
}

/// Returns the path of a file from any folder, with the mark of its line; nil for a pipe, whose name is another one's later.
private func lasting(_ file: String) -> (path: String, mark: Int)? {
  guard let path = absolutePath(file), FileStatus(path)?.kind == S_IFREG,
    let mark = (try? SecretFile.firstLine(of: path, "")).flatMap(secretMark)
  else { return nil }
  return (path, mark)
}

/// Throws exit 64 for what is given to a command and could not be read by a process that prints the job later.
package func refuseFleetingPassword(_ context: Context) throws(Failure) {
  guard let (file, source) = context.givenCredentials, lasting(file) == nil else { return }
  throw .usage("\(source) is read later: name a regular file (\(file) is none).")
}

/// Reads the first line of a file that contains a secret; a pipe works, too (`<(pass show printer)`).
package enum SecretFile {
  /// The first lines of what is no regular file, which may be read only once, by its path.
  private static let pipes = Monitor<[String: [UInt8]]>([:])

  /// Returns the first line; exit 66 if the file can't be read, 64 if its first line is empty or no UTF-8.
  ///
  /// `source` names the option.
  package static func firstLine(of file: String, _ source: String) throws(Failure) -> String {
    let bytes = try firstBytes(of: file, source)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .usage("\(source) \(file): its first line is not UTF-8.")
    }
    return text
  }

  /// Returns the first line in any encoding; `advice` ends the sentence about an empty one.
  package static func firstBytes(
    of file: String, _ source: String, advice: String = ""
  ) throws(Failure) -> [UInt8] {
    if FileStatus(file)?.kind == S_IFREG { return try read(file, source, advice) }
    // Several printers and threads of one command ask for it.
    return try pipes.withLock { (known) throws(Failure) in
      if let line = known[file] { return line }
      let line = try read(file, source, advice)
      known[file] = line
      return line
    }
  }

  private static func read(
    _ file: String, _ source: String, _ advice: String
  ) throws(Failure) -> [UInt8] {
    guard let stream = fopen(file, "re") else { throw unreadable(file, source) }
    defer { fclose(stream) }
    // No password is longer: PDF uses 127 bytes of it (ISO 32000-2 §7.6.4.3).
    var line = [CChar](repeating: 0, count: 4096)
    guard fgets(&line, Int32(line.count), stream) != nil || ferror(stream) == 0 else {
      throw unreadable(file, source)
    }
    let bytes = line.prefix { ![0, 0x0A, 0x0D].contains($0) }.map(UInt8.init(bitPattern:))
    guard !bytes.isEmpty else {
      throw .usage("\(source) \(file): its first line is empty\(advice).")
    }
    return bytes
  }

  private static func unreadable(_ file: String, _ source: String) -> Failure {
    Failure.unreadable("\(source) \(file): \(SystemError()).")
  }
}
