import Glibc

/// Two machines on one network: two network namespaces joined by a pair of interfaces called `eth0`.
///
/// Each has its own D-Bus and Avahi, IPv4 and IPv6.
package final class TwoHosts: Sendable {
  package let a: Bench
  package let b: Bench
  /// The process that holds the namespaces: they disappear when it ends.
  private let holder: Program
  private let scratch: Scratch
  /// The process whose network is host B's.
  private let other: Int32

  /// The addresses of hosts A and B, in this order.
  package static let ipv4 = ["192.0.2.1", "192.0.2.2"]
  package static let ipv6 = ["2001:db8::1", "2001:db8::2"]

  /// - `onlyLinkLocal`: true if they only have the address that IPv6 assigns to every interface.
  /// - `withAvahiOnA`: if false, host A only has a D-Bus.
  package init(onlyLinkLocal: Bool = false, withAvahiOnA: Bool = true) async throws {
    let namespaces = Namespaces.available
    scratch = try Scratch()
    holder = try Program(
      namespaces.unshare("--mount", "--net") + ["sh", "-c", Self.setUp, "sh"]
        + (onlyLinkLocal ? [] : Self.ipv4 + Self.ipv6), environment: scratch.environment)
    try await holder.wait(for: "ready")
    let pids = String(decoding: holder.output, as: UTF8.self).split(separator: " ").compactMap {
      Int($0)
    }
    guard pids.count == 2 else { throw Missing("two hosts") }
    other = Int32(pids[1])
    a = try Bench(
      host: "alpha", interface: "eth0", place: namespaces.enterNetwork(of: pids[0]))
    b = try Bench(
      host: "beta", interface: "eth0", place: namespaces.enterNetwork(of: pids[1]))
    for host in [a, b] { try await host.startBus() }
    async let second: Void = b.startDaemon()
    if withAvahiOnA { try await a.startDaemon() }
    try await second
  }

  /// Removes host B without a goodbye, and host A's `eth0` with it.
  package func removeB() async {
    await b.close()
    kill(other, SIGKILL)
  }

  /// Ends everything that runs on the hosts, and removes the hosts.
  package func close() async {
    await a.close()
    await b.close()
    await scratch.close()
  }

  /// Creates the second network in a child of the first one's process, so that both have the same owner.
  ///
  /// Without duplicate address detection, an IPv6 address can be used at once.
  private static let setUp = """
    set -e
    unshare --net sleep infinity &
    other=$!
    while [ "$(readlink /proc/self/ns/net)" = "$(readlink /proc/$other/ns/net)" ]; do
      sleep 0.01
    done
    ip link add eth0 type veth peer name eth0 netns $other
    up='
      echo 0 > /proc/sys/net/ipv6/conf/eth0/accept_dad
      ip link set lo up
      ip link set eth0 up
      [ -z "$1" ] || ip address add $1/24 dev eth0
      [ -z "$2" ] || ip address add $2/64 dev eth0 nodad'
    sh -ec "$up" sh "$1" "$3"
    nsenter --target $other --net sh -ec "$up" sh "$2" "$4"
    echo $$ $other ready
    exec sleep infinity
    """
}
