internal import AirprintContext
internal import Desktop
internal import IPP
internal import PrintModel
internal import Settings

/// The places where `login` keeps credentials: the keyring, else a file of the person's own.
///
/// Those of one printer are in one of the two.
struct CredentialStore {
  private let context: Context

  init(_ context: Context) { self.context = context }

  /// Exit 73 or 78 for a place that can't be read.
  func credentials(of target: PrinterReference) throws(Failure) -> Credentials? {
    for key in target.accounts {
      if let kept = keyring.credentials(for: key) { return kept }
      if let kept = try file.credentials(for: key) { return kept }
    }
    return nil
  }

  /// Gives the name of the place: `keyring`, or the file's path.
  func keep(_ credentials: Credentials, for target: PrinterReference) throws(Failure) -> String {
    guard let account = target.accounts.first else {
      throw Failure(.usage, "\(target.uri) is not a printer's URI.")
    }
    if keyring.keep(credentials, for: account, target.saved?.name ?? target.name) {
      try file.keep(nil, for: account)
      return "keyring"
    }
    try file.keep(credentials, for: account)
    return file.path
  }

  /// Forgets a printer's credentials wherever they are; false when there were none.
  ///
  /// Those that are another printer's too, one of `others`, stay.
  func forget(_ target: PrinterReference, sparing others: [SavedPrinter]) throws(Failure) -> Bool {
    let theirs = Set(others.flatMap { PrinterReference($0).accounts })
    var isForgotten = false
    for account in target.accounts where !theirs.contains(account) {
      if keyring.forget(account) { isForgotten = true }
      if try file.credentials(for: account) != nil {
        try file.keep(nil, for: account)
        isForgotten = true
      }
    }
    return isForgotten
  }

  private var keyring: SecretService { SecretService(environment: context.environment) }
  private var file: PasswordFile { PasswordFile(context.places) }
}

extension PrinterReference {
  /// The names under which its credentials are kept: its UUID, which it has wherever it is, and its host and port.
  fileprivate var accounts: [String] {
    let place = PrinterURI(saved?.uri ?? uri).map { "\($0.host.lowercased()):\($0.port)" }
    return [saved?.uuid?.lowercased(), place].compactMap { $0 }
  }
}
