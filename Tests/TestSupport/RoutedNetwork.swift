import FoundationEssentials
import Glibc

/// Two networks with a router between them, one with a client without Avahi, the other with printers and a DNS server
/// (knot).
///
/// No multicast crosses the router.
package final class RoutedNetwork: Sendable {
  package let client: Bench
  /// The host where programs run next to the DNS server.
  package let far: Bench
  private let holder: Program
  private let scratch: Scratch

  /// The address of the DNS server and of the printers.
  package static let server = "198.51.100.2"
  /// An address where packets get lost.
  package static let nobody = "203.0.113.1"

  /// - `search`: resolv.conf's search list.
  /// - `servers`: the addresses of the client's DNS servers.
  package init(
    zones: [PrinterZone] = [], search: [String] = [], servers: [String] = [RoutedNetwork.server]
  ) async throws {
    let namespaces = Namespaces.available
    scratch = try Scratch()
    holder = try Program(
      namespaces.unshare("--mount", "--net") + ["sh", "-c", Self.setUp],
      environment: scratch.environment)
    try await holder.wait(for: "ready")
    let pids = String(decoding: holder.output, as: UTF8.self).split(separator: " ").compactMap {
      Int($0)
    }
    guard pids.count == 2 else { throw Missing("two networks") }
    let list = search.isEmpty ? "search .\n" : "search \(search.joined(separator: " "))\n"
    let lines = servers.map { "nameserver \($0)\n" }.joined() + list
    let configuration = try scratch.write(lines, to: "resolv.conf")
    client = try Bench(
      host: "client", interface: "eth0",
      place: namespaces.enterNetwork(of: pids[0]) + namespaces.unshare("--mount") + [
        "sh", "-c", Self.withResolver, configuration,
      ], searches: true)
    far = try Bench(host: "far", interface: "eth0", place: namespaces.enterNetwork(of: pids[1]))
    // ippeveprinter needs an Avahi to announce itself.
    try await far.startBus()
    try await far.startDaemon()
    if !zones.isEmpty { try await serve(zones) }
  }

  package func close() async {
    await client.close()
    await far.close()
    await scratch.close()
  }

  /// Starts the DNS server, with these zones only.
  ///
  /// After it was ended, another can be started.
  @discardableResult
  package func serve(_ zones: [PrinterZone]) async throws -> Program {
    for zone in zones { _ = try scratch.write(zone.text, to: "\(zone.domain).zone") }
    let entries = zones.map {
      """
        - domain: \($0.domain)
          storage: "\(scratch.path)"
          file: "\($0.domain).zone"
          zonefile-sync: -1
          journal-content: none
      """
    }
    let configuration = try scratch.write(
      """
      server:
          rundir: "\(scratch.path)"
          listen: \(Self.server)@53
          udp-workers: 1
          tcp-workers: 1
          background-workers: 1
      log:
        - target: stderr
          any: info
      database:
          storage: "\(scratch.path)"
      zone:
      \(entries.joined(separator: "\n"))

      """, to: "knot.conf")
    let knot = try Program(
      far.place + ["knotd", "-c", configuration], environment: scratch.environment)
    try await knot.wait(for: "server started")
    return knot
  }

  /// Runs a command with `$0` as resolv.conf.
  private static let withResolver = """
    file=$(readlink -m /etc/resolv.conf)
    if [ ! -e "$file" ]; then
      mount -t tmpfs tmpfs "/$(echo "$file" | cut -d/ -f2)"
      mkdir -p "${file%/*}"
      : > "$file"
    fi
    mount --bind "$0" "$file" && exec "$@"
    """

  /// Creates the networks: the router's is this process's own, the others belong to two children.
  private static let setUp = """
    set -e
    join() { # name, the router's address, the host's
      unshare --net sleep infinity &
      host=$!
      while [ "$(readlink /proc/self/ns/net)" = "$(readlink /proc/$host/ns/net)" ]; do
        sleep 0.01
      done
      ip link add $1 type veth peer name eth0 netns $host
      ip address add $2/24 dev $1
      ip link set $1 up
      # For DNS servers that are no root's.
      nsenter --target $host --net sh -ec "ip link set lo up
        echo 0 > /proc/sys/net/ipv4/ip_unprivileged_port_start
        ip address add $3/24 dev eth0
        ip link set eth0 up
        ip route add default via $2"
    }
    ip link set lo up
    ip route add blackhole 203.0.113.0/24
    join near 192.0.2.1 192.0.2.2
    first=$host
    join far 198.51.100.1 198.51.100.2
    echo 1 > /proc/sys/net/ipv4/ip_forward
    echo $first $host ready
    exec sleep infinity
    """
}
