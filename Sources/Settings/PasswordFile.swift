internal import FoundationEssentials
internal import Glibc
package import PrintModel

/// `passwords.toml` of the person: what `login` keeps where there is no keyring.
///
/// A file that others may read is not used.
package struct PasswordFile: Sendable {
  private let folder: String
  private static let file = "passwords.toml"

  package init(_ places: Directories) { folder = places.configuration }

  package var path: String { "\(folder)/\(PasswordFile.file)" }

  /// nil where none are kept.
  ///
  /// Exit 77 for a file that others may read, 78 for an invalid one.
  package func credentials(for account: String) throws(Failure) -> Credentials? {
    try entries()[account]
  }

  /// nil forgets them.
  ///
  /// Exit 73 when the file can't be written.
  package func keep(_ credentials: Credentials?, for account: String) throws(Failure) {
    if credentials == nil, try entries()[account] == nil { return }
    try SettingsFile.replace(PasswordFile.file, in: folder, mode: 0o600) { () throws(Failure) in
      var all = try entries()
      all[account] = credentials
      let tables = all.mapValues { entry in
        TOMLFile.Value.table(["user": .text(entry.user), "password": .text(entry.password)])
      }
      return "# Written by airprint login.\n\n" + TOMLFile.text(of: ["printers": .table(tables)])
    }
  }

  private func entries() throws(Failure) -> [String: Credentials] {
    var status = stat()
    guard lstat(path, &status) == 0 else { return [:] }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
      throw Failure(.notAllowed, "\(path) does not belong to you; its passwords are ignored.")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw Failure(
        .notAllowed,
        "\(path) can be read by others; its passwords are ignored. Fix it with: chmod 600 \(path)")
    }
    guard let file = try TOMLFile(path: path) else { return [:] }
    var entries: [String: Credentials] = [:]
    for (account, value) in file.root["printers"]?.members ?? [:] {
      guard let user = value.members["user"]?.string,
        let password = value.members["password"]?.string
      else {
        throw file.failure(
          at: account, in: "printers", "the account \(account) has no user or no password.")
      }
      entries[account] = Credentials(user: user, password: password)
    }
    return entries
  }
}
