internal import AirprintContext
internal import Glibc
internal import PrintModel
internal import Settings
internal import Synchronization

/// Source of the credentials for one printer, looked for when the printer asks and then kept in
/// memory: what was given to this run, what `login` keeps for a printer that is connected to in this way, and whoever
/// sits at the terminal, where that is allowed.
final class CredentialSource: Sendable {
  private let context: Context
  private let target: PrinterReference
  private let pin: Fingerprint?
  private let known = Mutex(Cached())

  private struct Cached {
    /// Given to this run, or typed: for the printer that was named, whatever it shows.
    var given: Credentials??
    /// By the certificate; nil for a printer that does not encrypt.
    var kept: [Fingerprint?: Credentials?] = [:]
  }

  /// - `pin`: the certificate that every connection to the printer is compared with.
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
