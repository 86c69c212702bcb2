internal import ForeignText
internal import Glibc
package import PrintModel
internal import System

/// The user's `passwords.toml`: where `login` saves passwords when there is no keyring.
///
/// A file that others may read is not used.
package struct PasswordFile: Sendable {
  private let directories: Directories
  package var path: String { "\(directories.configuration)/passwords.toml" }

  package init(_ directories: Directories) { self.directories = directories }

  /// The login saved for an account; nil when there is none.
  ///
  /// Throws exit 77 for a file that others may read, 78 for an invalid one.
  package func login(for account: String) throws(Failure) -> SavedLogin? {
    try entries()[account]
  }

  /// Saves a login; nil removes it.
  ///
  /// Throws exit 73 when the file can't be written.
  package func keep(_ login: SavedLogin?, for account: String) throws(Failure) {
    if login == nil, try entries()[account] == nil { return }
    try directories.replace(path) { () throws(Failure) in
      var all = try entries()
      all[account] = login
      let tables = all.mapValues { entry in
        var members: [String: TOMLFile.Value] = [
          "user": .text(entry.credentials.user), "password": .text(entry.credentials.password),
        ]
        members["certificate"] = entry.channel.map { .text($0.text) }
        return TOMLFile.Value.table(members)
      }
      return "# Written by airprint login.\n\n" + TOMLFile.text(of: ["printers": .table(tables)])
    }
  }

  private func entries() throws(Failure) -> [String: SavedLogin] {
    guard let status = FileStatus(path) else { return [:] }
    guard status.kind == S_IFREG, status.st_uid == geteuid() else {
      throw .notAllowed("\(path) does not belong to you; its passwords are ignored.")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw .notAllowed(
        "\(path) can be read by others; its passwords are ignored. Fix it with: chmod 600 "
          + ShellWord.quoted(path))
    }
    guard let file = try TOMLFile(path: path) else { return [:] }
    var entries: [String: SavedLogin] = [:]
    for (account, value) in file.root["printers"]?.members ?? [:] {
      guard let user = value.members["user"]?.string,
        let password = value.members["password"]?.string
      else {
        throw file.failure(
          at: account, in: "printers", "the account \(account) has no user or no password.")
      }
      let certificate = value.members["certificate"]?.string
      let channel = certificate.flatMap(SavedLogin.Channel.init(text:))
      guard (certificate == nil) == (channel == nil) else {
        throw file.failure(
          at: account, in: "printers",
          "the certificate of the account \(account) is neither a SHA-256 fingerprint nor \"none\"."
        )
      }
      entries[account] = SavedLogin(Credentials(user: user, password: password), over: channel)
    }
    return entries
  }
}
