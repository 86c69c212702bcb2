import FoundationEssentials
import Glibc

extension Bench {
  /// Starts avahi-daemon and waits until its host name is established, which takes 0.8 s.
  package func startDaemon() async throws {
    let lines = settings.map { "\($0.key)=\($0.value)" }.joined(separator: "\n")
    let configuration = try scratch.write(
      """
      [server]
      host-name=\(host.prefix { $0 != "." })
      allow-interfaces=\(interface)
      use-ipv4=yes
      use-ipv6=yes
      \(lines)
      [wide-area]
      enable-wide-area=no
      [publish]
      publish-workstation=no
      publish-hinfo=no
      """, to: "avahi-daemon.conf")
    let daemon = try Program(
      try surroundings() + [
        "avahi-daemon", "--no-drop-root", "--no-chroot", "--no-proc-title", "-f", configuration,
      ], environment: environment)
    keepDaemon(daemon)
    try await daemon.wait(for: "Server startup complete")
  }

  /// Returns a command that runs the daemon isolated from the machine's daemon and from other benches.
  private func surroundings() throws -> [String] {
    let namespaces = Namespaces.available
    if namespaces == .forbidden {
      guard !runsHere() else {
        throw Missing("an avahi-daemon runs here already, and namespaces are forbidden")
      }
      return []
    }
    try writeAccounts()
    let kinds =
      place.isEmpty ? namespaces.unshare("--mount", "--net") : namespaces.unshare("--mount")
    return place + kinds + ["sh", "-c", Self.setUp, "sh", scratch.path]
  }

  /// Returns true if the machine, or another bench, already runs a daemon here.
  private func runsHere() -> Bool {
    let pid = try? String(contentsOfFile: "/run/avahi-daemon/pid", encoding: .utf8)
    guard let pid = pid.flatMap({ Int32($0.prefix { $0.isNumber }) }) else { return false }
    return kill(pid, 0) == 0 || errno == EPERM
  }

  /// Sets up the paths of the daemon's pid file and control socket, which are fixed.
  ///
  /// The daemon requires that their folder belongs to the user `avahi`, so that name gets our user ID.
  private static let setUp = """
    set -e
    ip link set lo up 2>/dev/null || true
    mount -t tmpfs tmpfs /run
    mount --bind "$1/passwd" /etc/passwd
    mount --bind "$1/group" /etc/group
    if [ -d /etc/avahi/services ]; then mount -t tmpfs tmpfs /etc/avahi/services; fi
    shift
    exec "$@"
    """

  private func writeAccounts() throws {
    let accounts = [
      "passwd": "avahi:x:\(getuid()):\(getgid())::/:/bin/false", "group": "avahi:x:\(getgid()):",
    ]
    for (name, avahi) in accounts {
      let others = try String(contentsOfFile: "/etc/\(name)", encoding: .utf8)
        .split(separator: "\n").filter { !$0.hasPrefix("avahi:") }
      _ = try scratch.write(others.joined(separator: "\n") + "\n\(avahi)\n", to: name)
    }
  }
}
