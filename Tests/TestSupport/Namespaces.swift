import Glibc
package import Testing

extension Trait where Self == ConditionTrait {
  /// Enables tests with a bench of their own, in addition to the shared one.
  ///
  /// Where only one Avahi can run, they are skipped with a message.
  package static var needsNamespaces: Self {
    .enabled(if: Namespaces.available != .forbidden, "namespaces are forbidden here")
  }

  /// Enables tests of files in /etc/airprint, which airprint reads only if they are root's, and of a host that
  /// changes its address or runs systemd-resolved, for which nsenter(1) keeps no capability.
  ///
  /// For another user, they are skipped with a message.
  package static var needsRoot: Self {
    .enabled(if: Namespaces.available == .privileged, "needs root")
  }

  /// Enables tests with `TwoHosts`.
  ///
  /// Where these can't be created, they are skipped with a message.
  package static var needsTwoHosts: Self {
    .enabled(if: Namespaces.canBeJoined, "two network namespaces can't be joined here")
  }
}

/// The way in which programs can be given their own namespaces here.
package enum Namespaces: Sendable {
  /// Running as root.
  case privileged
  /// Running as any user, who then owns a user namespace.
  case unprivileged
  /// No namespaces, usually in a container or a chroot.
  case forbidden

  /// The way that works here, tested once.
  package static let available =
    [Namespaces.privileged, .unprivileged].first {
      succeeds($0.unshare("--mount", "--net") + ["ip", "link", "set", "lo", "up"])
    } ?? .forbidden

  /// True if two network namespaces can be joined.
  ///
  /// This is tested once.
  static let canBeJoined =
    available != .forbidden
    && succeeds(available.unshare("--mount", "--net") + ["ip", "link", "add", "type", "veth"])

  /// Returns a command prefix that runs a program in new namespaces of these kinds.
  ///
  /// The user ID stays the same, because D-Bus identifies its clients by it.
  package func unshare(_ kinds: String...) -> [String] {
    let user = ["--user", "--map-user=\(getuid())", "--map-group=\(getgid())", "--keep-caps"]
    return ["unshare"] + (self == .unprivileged ? user : []) + kinds
  }

  /// Returns a command prefix that runs a program in the network of a process.
  func enterNetwork(of pid: Int) -> [String] {
    let user = self == .unprivileged ? ["--user", "--preserve-credentials"] : []
    return ["nsenter", "--target", "\(pid)"] + user + ["--net"]
  }
}

/// Returns true if a command, which takes a few milliseconds, exits with 0.
package func succeeds(_ command: [String]) -> Bool { exitCode(of: command) == 0 }

/// Returns the exit code of a command that takes a few milliseconds; nil if it can't be started, or is killed.
package func exitCode(of command: [String]) -> Int32? {
  let environment = ["PATH": searchPath.joined(separator: ":")]
  let pid = try? spawn(command.map { Array($0.utf8) }, environment) { actions in
    for descriptor: Int32 in 0...2 {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
  }
  guard let pid else { return nil }
  var status: Int32 = 0
  while waitpid(pid, &status, 0) < 0, errno == EINTR {}
  return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
}
