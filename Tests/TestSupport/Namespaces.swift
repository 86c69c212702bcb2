import Glibc
package import Testing

extension Trait where Self == ConditionTrait {
  /// Trait for tests that use a bench of their own beside the shared one.
  ///
  /// Where only one Avahi can run, they are skipped with a message.
  package static var needsNamespaces: Self {
    .enabled(if: Namespaces.available != .forbidden, "namespaces are forbidden here")
  }

  /// Trait for tests that use `TwoHosts`.
  ///
  /// Where two hosts can't be made, they are skipped with a message.
  package static var needsTwoHosts: Self {
    .enabled(if: Namespaces.canBeJoined, "two network namespaces can't be joined here")
  }
}

/// Kinds of permission to give programs their own namespaces on this machine.
package enum Namespaces: Sendable {
  /// Allowed: the tests run as root.
  case privileged
  /// Allowed for any user, in a user namespace that this user owns.
  case unprivileged
  /// Not allowed, as usual in a container or a chroot.
  case forbidden

  /// The kind on this machine, tried once.
  package static let available =
    [Namespaces.privileged, .unprivileged].first {
      succeeds($0.unshare("--mount", "--net") + ["ip", "link", "set", "lo", "up"])
    } ?? .forbidden

  /// True if two network namespaces can be joined; tried once.
  static let canBeJoined =
    available != .forbidden
    && succeeds(available.unshare("--mount", "--net") + ["ip", "link", "add", "type", "veth"])

  /// Makes a prefix that runs a command in new namespaces of these kinds.
  ///
  /// The user ID stays the same, because D-Bus identifies its clients by it.
  package func unshare(_ kinds: String...) -> [String] {
    let user = ["--user", "--map-user=\(getuid())", "--map-group=\(getgid())", "--keep-caps"]
    return ["unshare"] + (self == .unprivileged ? user : []) + kinds
  }

  /// Makes a prefix that runs a command in the network namespace of a process.
  func enterNetwork(of pid: Int) -> [String] {
    let user = self == .unprivileged ? ["--user", "--preserve-credentials"] : []
    return ["nsenter", "--target", "\(pid)"] + user + ["--net"]
  }
}

/// Runs a command that takes a few milliseconds; true if it exits with 0.
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
