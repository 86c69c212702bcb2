internal import Glibc
internal import IPP
package import PrintModel
internal import Settings
internal import Synchronization
internal import Desktop

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
    if context.offersGivenCredentials, let given = try context.givenCredentials() { return given }
    for key in try context.accounts(of: target) {
      if let kept = try SecretService(environment: context.environment).credentials(for: key) {
        return kept
      }
      if let kept = try PasswordFile(context.places).credentials(for: key) { return kept }
    }
    return try context.askForCredentials?(target.name)
  }
}

extension Context {
  /// The names under which a printer's credentials are kept: its UUID, which it has wherever it is, and
  /// its host and port.
  func accounts(of target: PrinterReference) throws(Failure) -> [String] {
    let uri = PrinterURI(target.saved?.uri ?? target.uri)
    let place = uri.map { "\($0.host.lowercased()):\($0.port)" }
    return [target.saved?.uuid?.lowercased(), place].compactMap { $0 }
  }

  /// Credentials given to this run: `--password-file`, `$AIRPRINT_PASSWORD_FILE`, or the credential
  /// `airprint-password` of a systemd service (systemd.exec(5), LoadCredential=).
  package func givenCredentials() throws(Failure) -> Credentials? {
    if let passwordFile {
      return try Context.credentials(in: passwordFile, "--password-file", user: user)
    }
    if let file = environment["AIRPRINT_PASSWORD_FILE"], !file.isEmpty {
      return try Context.credentials(in: file, "AIRPRINT_PASSWORD_FILE", user: user)
    }
    if let folder = environment["CREDENTIALS_DIRECTORY"], folder.hasPrefix("/") {
      let file = "\(folder)/airprint-password"
      if access(file, F_OK) == 0 {
        return try Context.credentials(in: file, "systemd's credential", user: user)
      }
    }
    return nil
  }

  /// The first line of a file: `USER:PASSWORD`, or the password of the user who runs this. Exit 66 when
  /// it can't be read, 64 for what no printer can be sent.
  private static func credentials(
    in file: String, _ source: String, user: String
  ) throws(Failure) -> Credentials {
    let line = try SecretFile.firstLine(of: file, source)
    let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let credentials =
      parts.count == 2
      ? Credentials(user: String(parts[0]), password: String(parts[1]))
      : Credentials(user: user, password: line)
    guard credentials.isSendable else {
      throw Failure(
        .usage,
        "\(source) \(file): its first line is to be USER:PASSWORD, together shorter than "
          + "\(Credentials.longest) bytes.")
    }
    return credentials
  }
}

/// The first line of a file that holds a secret; a pipe will do (`<(pass show printer)`).
enum SecretFile {
  /// Exit 66 when the file can't be read, 64 when its first line is empty. `source` names the option.
  static func firstLine(of file: String, _ source: String) throws(Failure) -> String {
    guard let stream = fopen(file, "re") else { throw unreadable(file, source) }
    defer { fclose(stream) }
    var line = [CChar](repeating: 0, count: 4096)
    guard fgets(&line, Int32(line.count), stream) != nil || ferror(stream) == 0 else {
      throw unreadable(file, source)
    }
    let bytes = line.prefix { ![0, 0x0A, 0x0D].contains($0) }.map(UInt8.init(bitPattern:))
    guard !bytes.isEmpty else {
      throw Failure(.usage, "\(source) \(file): its first line is empty.")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(.usage, "\(source) \(file): its first line is not UTF-8.")
    }
    return text
  }

  private static func unreadable(_ file: String, _ source: String) -> Failure {
    Failure(
      .unreadable, "\(source) \(file): it can't be read: \(String(cString: strerror(errno))).")
  }
}
