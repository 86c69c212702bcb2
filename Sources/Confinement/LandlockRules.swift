internal import CSandbox
internal import Glibc
internal import System

/// Landlock: restricts access to files by path.
///
/// It also forbids TCP (ABI 4), and signals and abstract sockets to processes outside (ABI 6).
struct LandlockRules {
  /// Files and folders of the system that may be read, folders with everything below them.
  var system: [String]
  /// The same of the document: whoever may write its folder could put a link in the place of a file that was found
  /// there, so a path with a link in it allows nothing.
  var reads: [String]

  private static let readFile: UInt64 = 1 << 2
  private static let readFolder: UInt64 = 1 << 3

  /// Enforces the rules on this process; returns false, and enforces none, when the kernel can't.
  func raise() -> Bool {
    let version = sandbox_landlock_version()
    guard version > 0 else { return false }
    // Every access right that this kernel supports, including execution. The kernel refuses rights that it doesn't
    // support.
    let kinds = [13, 14, 15, 15, 16][min(version, 5) - 1]
    var rules = sandbox_ruleset(
      files: (1 << kinds) - 1, network: version >= 4 ? 0b11 : 0, scopes: version >= 6 ? 0b11 : 0)
    let ruleset = sandbox_make_ruleset(&rules)
    guard ruleset >= 0 else { return false }
    defer { close(ruleset) }
    let place: Int32 = 0o10000000  // O_PATH, hidden behind _GNU_SOURCE
    // Without fonts and libraries, nothing can be drawn.
    let isPossible = system.allSatisfy { allow(open($0, place | O_CLOEXEC), in: ruleset) }
    for path in reads { _ = allow(sandbox_open_unlinked(path), in: ruleset) }
    return isPossible && sandbox_restrict_files(ruleset) == 0
  }

  /// Allows reading an opened path, and closes it; a file that doesn't exist needs no rule.
  private func allow(_ descriptor: Int32, in ruleset: Int32) -> Bool {
    guard descriptor >= 0 else { return true }
    defer { close(descriptor) }
    guard let status = FileStatus(descriptor: descriptor) else { return true }
    let isFolder = status.kind == S_IFDIR
    return sandbox_allow_beneath(
      ruleset,
      isFolder ? LandlockRules.readFile | LandlockRules.readFolder : LandlockRules.readFile,
      descriptor) == 0
  }
}
