import Glibc
package import Testing

extension Trait where Self == ConditionTrait {
  /// For tests with a bench of their own, beside the shared one.
  ///
  /// They are left out, and say so, where only one Avahi can run.
  package static var needsNamespaces: Self {
    .enabled(if: Namespaces.available != .forbidden, "namespaces are forbidden here")
  }

  /// For tests with `TwoHosts`.
  ///
  /// They are left out, and say so, where these can't be made.
  package static var needsTwoHosts: Self {
    .enabled(if: Namespaces.canBeJoined, "two network namespaces can't be joined here")
  }
}

/// Whether and how programs can be given namespaces of their own here.
package enum Namespaces: Sendable {
  /// As root.
  case privileged
  /// As anybody, who owns a user namespace then.
  case unprivileged
  /// In a container or a chroot, as a rule.
  case forbidden

  /// Tried once.
  package static let available =
    [Namespaces.privileged, .unprivileged].first {
      succeeds($0.unshare("--mount", "--net") + ["ip", "link", "set", "lo", "up"])
    } ?? .forbidden

  /// Whether two network namespaces can be joined.
  ///
  /// Tried once.
  static let canBeJoined =
    available != .forbidden
    && succeeds(available.unshare("--mount", "--net") + ["ip", "link", "add", "type", "veth"])

  /// Runs what follows in new namespaces of these kinds.
  ///
  /// The user's number stays the same, because D-Bus knows its clients by that.
  package func unshare(_ kinds: String...) -> [String] {
    let user = ["--user", "--map-user=\(getuid())", "--map-group=\(getgid())", "--keep-caps"]
    return ["unshare"] + (self == .unprivileged ? user : []) + kinds
  }

  /// Runs what follows in the network of a process.
  func enterNetwork(of pid: Int) -> [String] {
    let user = self == .unprivileged ? ["--user", "--preserve-credentials"] : []
    return ["nsenter", "--target", "\(pid)"] + user + ["--net"]
  }
}

/// Whether a command that takes a few milliseconds exits with 0.
package func succeeds(_ command: [String]) -> Bool {
  let environment = ["PATH": searchPath.joined(separator: ":")]
  let pid = try? spawn(command.map { Array($0.utf8) }, environment) { actions in
    for descriptor: Int32 in 0...2 {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
  }
  guard let pid else { return false }
  var status: Int32 = 0
  while waitpid(pid, &status, 0) < 0, errno == EINTR {}
  return status == 0
}
