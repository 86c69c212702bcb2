internal import AirprintContext
internal import Glibc
internal import PrintModel
internal import Synchronization

/// The source of the credentials for one printer, which are looked up when the printer asks and then cached in memory.
///
/// They are those given to this run, those that `login` stored for a printer with this kind of connection, or those of
/// the user at the terminal, if allowed.
final class CredentialSource: Sendable {
  private let context: Context
  private let target: PrinterReference
  private let pin: Fingerprint?
  private let known = Mutex(Cached())

  private struct Cached {
    /// Credentials given to this run, or typed: for the printer that was named, whatever certificate it presents.
    var given: Credentials??
    /// Stored credentials by certificate; nil for a printer that does not encrypt.
    var kept: [Fingerprint?: Credentials?] = [:]
  }

  /// - `pin`: the certificate to which every connection to the printer is compared.
  init(_ context: Context, _ target: PrinterReference, pin: Fingerprint?) {
    self.context = context
    self.target = target
    self.pin = pin
  }

  func credentials(for shown: Fingerprint?) throws(Failure) -> Credentials? {
    let known = known.withLock { $0 }
    if case .some(.some(let given)) = known.given { return given }
    if context.offersGivenCredentials, let given = try Credentials.given(to: context) {
      self.known.withLock { $0.given = given }
      return given
    }
    let kept: Credentials?
    if let found = known.kept[shown] {
      kept = found
    } else {
      kept = try CredentialStore(context).credentials(of: target, shown: shown, pin: pin)
      self.known.withLock { $0.kept[shown] = .some(kept) }
    }
    if let kept { return kept }
    if let refused = known.given { return refused }
    let typed = try context.askForCredentials?(target.name)
    self.known.withLock { $0.given = .some(typed) }
    return typed
  }
}
