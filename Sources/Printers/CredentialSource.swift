internal import AirprintContext
internal import Glibc
internal import PrintModel
internal import Settings
internal import Synchronization

/// Source of the credentials for one printer, looked for when the printer asks and then kept in
/// memory: what was given to this run, what `login` keeps, and whoever sits at the terminal, where that is
/// allowed.
final class CredentialSource: Sendable {
  private let context: Context
  private let target: PrinterReference
  private let found = Mutex<Credentials??>(nil)

  init(_ context: Context, _ target: PrinterReference) {
    self.context = context
    self.target = target
  }

  func credentials() throws(Failure) -> Credentials? {
    if let known = found.withLock({ $0 }) { return known }
    let credentials = try look()
    found.withLock { $0 = .some(credentials) }
    return credentials
  }

  private func look() throws(Failure) -> Credentials? {
    if context.offersGivenCredentials, let given = try Credentials.given(to: context) {
      return given
    }
    if let kept = try CredentialStore(context).credentials(of: target) { return kept }
    return try context.askForCredentials?(target.name)
  }
}
