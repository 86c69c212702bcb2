import FoundationEssentials
import Glibc
package import Testing

extension Trait where Self == ConditionTrait {
  /// Enables tests with systemd-resolved.
  ///
  /// Where it is neither installed nor unpacked, they are skipped with a message.
  package static var needsSystemdResolved: Self {
    .enabled(if: systemdResolved != nil, "systemd-resolved is not here: make deps unpacks it")
  }
}

/// The path of systemd-resolved, either installed or unpacked below the build folder.
private let systemdResolved: String? = {
  let unpacked = unpackedPackages + "/systemd-resolved"
  let programs = ["/lib", "/usr/lib", unpacked + "/lib", unpacked + "/usr/lib"].map {
    $0 + "/systemd/systemd-resolved"
  }
  // One from a systemd version that isn't the installed one does not start.
  return programs.first {
    access($0, X_OK) == 0 && system("'\($0)' --version > /dev/null 2>&1") == 0
  }
}()

extension RoutedNetwork {
  /// The address where it listens, for the client's resolv.conf.
  package static let stub = "127.0.0.53"

  /// Starts systemd-resolved on the client, with the DNS server of the other network as its upstream.
  ///
  /// It has no D-Bus. Its socket and files are in a private folder. It insists on switching to its own user, whose
  /// name is given our user ID there.
  package func startSystemdResolved() async throws {
    guard let program = systemdResolved else { throw Missing("systemd-resolved") }
    let scratch = client.scratch
    let others = try String(contentsOfFile: "/etc/passwd", encoding: .utf8)
      .split(separator: "\n").filter { !$0.hasPrefix("systemd-resolve:") }
    let own = "systemd-resolve:x:\(getuid()):\(getgid())::/:/bin/false\n"
    let accounts = try scratch.write(others.joined(separator: "\n") + "\n" + own, to: "passwd")
    let settings = try scratch.write(
      "[Resolve]\nDNS=\(Self.server)\nMulticastDNS=no\nLLMNR=no\nDNSSEC=no\n", to: "resolved.conf")
    let setUp = """
      set -e
      mount -t tmpfs tmpfs /run
      mount --bind "$1" /etc/passwd
      mkdir -p /run/systemd/resolved.conf.d
      cp "$2" /run/systemd/resolved.conf.d/test.conf
      exec "$3"
      """
    let resolved = try Program(
      client.place + ["sh", "-c", setUp, "sh", accounts, settings, program],
      environment: client.environment.merging(["SYSTEMD_LOG_LEVEL": "info"]) { $1 })
    try await eventually("systemd-resolved answers") {
      guard resolved.isRunning else { throw Missing("systemd-resolved, which has ended") }
      let sockets = try await client.run(["cat", "/proc/net/udp"])
      // 127.0.0.53, port 53, in the form that /proc/net uses.
      return sockets.stdout.contains("3500007F:0035")
    }
  }
}
