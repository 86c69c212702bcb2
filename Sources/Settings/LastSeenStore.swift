internal import FoundationEssentials
internal import Glibc

/// Times when printers last answered: for each printer, a file in the cache folder with that modification time.
///
/// Printing does not depend on it.
package struct LastSeenStore: Sendable {
  private let folder: String

  package init(_ places: Directories) { folder = "\(places.cache)/seen" }

  /// Records that the printer at `uri` has just answered.
  ///
  /// Ignores a cache that can't be written.
  package func saw(_ uri: String) {
    guard FileTrust.makeFolder(folder) else { return }
    let descriptor = open(path(uri), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return }
    futimens(descriptor, nil)
    close(descriptor)
  }

  /// The time, such as `2026-11-20T14:03:00Z`; nil when it never answered.
  package func lastSeen(_ uri: String) -> String? {
    var status = stat()
    guard stat(path(uri), &status) == 0 else { return nil }
    return Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec)).formatted(.iso8601)
  }

  private func path(_ uri: String) -> String { "\(folder)/\(uri.asFileName)" }
}
