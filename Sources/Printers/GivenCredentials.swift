package import AirprintContext
internal import Glibc
package import PrintModel

extension Credentials {
  /// Reads the credentials given to this run: `--password-file`, `$AIRPRINT_PASSWORD_FILE`, or the credential
  /// `airprint-password` of a systemd service (systemd.exec(5), LoadCredential=).
  ///
  /// Exit 66 if the file can't be read, 64 for credentials that can't be sent.
  package static func given(to context: Context) throws(Failure) -> Credentials? {
    if let passwordFile = context.passwordFile {
      return try read(passwordFile, "--password-file", user: context.user)
    }
    if let file = context.environment["AIRPRINT_PASSWORD_FILE"], !file.isEmpty {
      return try read(file, "AIRPRINT_PASSWORD_FILE", user: context.user)
    }
    if let folder = context.environment["CREDENTIALS_DIRECTORY"], folder.hasPrefix("/") {
      let file = "\(folder)/airprint-password"
      if access(file, F_OK) == 0 {
        return try read(file, "systemd's credential", user: context.user)
      }
    }
    return nil
  }

  /// Reads the first line of a file: `USER:PASSWORD`, or the password of the current user.
  ///
  /// Exit 66 if it can't be read, 64 for credentials that can't be sent.
  private static func read(
    _ file: String, _ source: String, user: String
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
        "\(source) \(file): its first line must be USER:PASSWORD, together shorter than "
          + "\(Credentials.longest) bytes.")
    }
    return credentials
  }
}
