internal import FoundationEssentials
internal import Glibc

/// Time when each printer last answered: for each printer, a file in the cache folder with that modification time.
///
/// Nothing of it is needed to print.
package struct LastSeenStore: Sendable {
  private let folder: String

  package init(_ places: Directories) { folder = "\(places.cache)/seen" }

  /// The printer at `uri` answered just now.
  ///
  /// A cache that can't be written is no trouble.
  package func saw(_ uri: String) {
    guard FileTrust.makeFolder(folder) else { return }
    let descriptor = open(path(uri), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return }
    futimens(descriptor, nil)
    close(descriptor)
  }

  /// `2026-11-20T14:03:00Z`; nil when it never did.
  package func lastSeen(_ uri: String) -> String? {
    var status = stat()
    guard stat(path(uri), &status) == 0 else { return nil }
    return Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec)).formatted(.iso8601)
  }

  private func path(_ uri: String) -> String { "\(folder)/\(uri.asFileName)" }
}
