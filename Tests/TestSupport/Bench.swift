// TestSupport: real parts for tests. It starts programs, feeds and watches them, and ends them; it has a terminal to
// run them in, a D-Bus, an Avahi and printers on loopback for one test, and two hosts on one machine. Nothing here is
// a mock, and nothing that is started outlives the test process (see Scratch).

import Glibc
import Synchronization

/// A D-Bus and an Avahi for one test, on loopback, isolated from the machine's own.
///
/// libavahi-client, ippeveprinter and avahi-publish all find them through `DBUS_SYSTEM_BUS_ADDRESS`. Avahi runs in
/// its own network namespace, because two mDNS daemons on one loopback interface treat each other as conflicting
/// hosts. Its announcements are also valid outside: loopback is 127.0.0.1 and interface number 1 everywhere. (Where
/// namespaces are forbidden, it runs without one, and only one bench can be used at a time.)
package final class Bench: Sendable {
  package let scratch: Scratch
  /// The value of `DBUS_SYSTEM_BUS_ADDRESS`.
  package let busAddress: String
  /// The host name that Avahi announces, with `.local`.
  package let host: String
  let interface: String
  /// A command prefix that runs a program on this host; empty for this machine.
  let place: [String]
  let settings: [String: String]
  /// True if programs look for domains in resolv.conf's search list.
  let searches: Bool
  private let parts = Mutex(Parts())

  private struct Parts {
    var bus: Program?
    var daemon: Program?
  }

  /// The bench that the whole test process shares, started on first use.
  ///
  /// Tests that stop the daemon, or are affected by other announcements, create their own.
  package static var shared: Bench {
    get async throws { try await sharedStart.value }
  }

  private static let sharedStart = Task { try await Bench() }

  /// Starts the bus and the daemon.
  ///
  /// - `settings`: entries of avahi-daemon.conf's `[server]` section, in addition to the bench's own.
  /// - `withDaemon`: if false, only the bus is started, without a network.
  package convenience init(
    settings: [String: String] = [:], withDaemon: Bool = true
  ) async throws {
    let place = withDaemon ? [] : Namespaces.available.unshare("--net")
    try self.init(host: "bench", interface: "lo", place: place, settings: settings)
    try await startBus()
    if withDaemon { try await startDaemon() }
  }

  init(
    host: String, interface: String, place: [String], settings: [String: String] = [:],
    searches: Bool = false
  ) throws {
    scratch = try Scratch()
    busAddress = "unix:path=\(scratch.path)/bus"
    self.host = "\(host).local"
    self.interface = interface
    self.place = place
    self.settings = settings
    self.searches = searches
  }

  /// Ends everything that runs on this bench.
  ///
  /// This also happens when the test process ends.
  package func close() async { await scratch.close() }

  // MARK: Programs

  /// The environment of programs that belong to the bench.
  package var environment: [String: String] {
    // With an empty search list (resolver(5)), tests query no DNS server but their own.
    let alone = searches ? [:] : ["LOCALDOMAIN": ""]
    return scratch.environment.merging(["DBUS_SYSTEM_BUS_ADDRESS": busAddress]) { $1 }
      .merging(alone) { $1 }
  }

  /// Runs a program to its end; `airprint` is the one that was built with these tests.
  ///
  /// - `variables`: environment variables to add to the bench's.
  package func run(
    _ arguments: [String], adding variables: [String: String] = [:], input: [UInt8]? = nil,
    timeout: Duration = timeout
  ) async throws -> Outcome {
    let program = try start(
      arguments, adding: variables, input: input.map(Program.Input.bytes) ?? .none)
    return await program.end(within: timeout)
  }

  /// Starts a program without waiting for it.
  package func start(
    _ arguments: [String], adding variables: [String: String] = [:],
    input: Program.Input = .none
  ) throws -> Program {
    try start(bytes: arguments.map { Array($0.utf8) }, adding: variables, input: input)
  }

  /// Starts a program with arguments that don't have to be text.
  func start(
    bytes arguments: [[UInt8]], adding variables: [String: String] = [:],
    input: Program.Input = .none
  ) throws -> Program {
    try Program(
      bytes: place.map { Array($0.utf8) } + resolved(arguments),
      environment: environment.merging(variables) { $1 }, input: input)
  }

  /// Starts a program in a terminal.
  package func terminal(
    _ arguments: [String], adding variables: [String: String] = [:], columns: Int = 80,
    rows: Int = 24
  ) throws -> TerminalSession {
    let arguments = resolved(arguments.map { Array($0.utf8) })
    return try TerminalSession(
      place + arguments.map { String(decoding: $0, as: UTF8.self) },
      environment: environment.merging(variables) { $1 }, columns: columns, rows: rows)
  }

  /// Returns the arguments with the program's full path, because the program that starts it elsewhere can't find
  /// `airprint`.
  private func resolved(_ arguments: [[UInt8]]) -> [[UInt8]] {
    guard let first = arguments.first,
      let path = try? locate(String(decoding: first, as: UTF8.self))
    else { return arguments }
    return [Array(path.utf8)] + arguments.dropFirst()
  }

  // MARK: Bus and daemon

  package func startBus() async throws {
    let configuration = try scratch.write(
      """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
       "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig>
        <type>system</type>
        <listen>\(busAddress)</listen>
        <auth>EXTERNAL</auth>
        <policy context="default">
          <allow user="*"/>
          <allow own="*"/>
          <allow send_destination="*" eavesdrop="true"/>
          <allow eavesdrop="true"/>
        </policy>
      </busconfig>
      """, to: "bus.conf")
    let command = ["dbus-daemon", "--nofork", "--nopidfile", "--print-address=1"]
    let bus = try Program(
      command + ["--config-file=\(configuration)"], environment: environment)
    parts.withLock { $0.bus = bus }
    try await bus.wait(for: busAddress)
  }

  /// Kills the bus, as in a crash: everything connected to it loses the connection.
  package func stopBus() async {
    let bus = parts.withLock { $0.bus }
    bus?.signal(SIGKILL)
    _ = await bus?.end()
  }

  /// Kills the daemon, as in a crash: it sends no goodbye.
  package func stopDaemon() async {
    let daemon = parts.withLock { $0.daemon }
    daemon?.signal(SIGKILL)
    _ = await daemon?.end()
  }

  /// Stops the daemon with SIGSTOP: it keeps running, but answers nothing until it is killed.
  package func freezeDaemon() { parts.withLock { $0.daemon }?.signal(SIGSTOP) }

  func keepDaemon(_ daemon: Program) { parts.withLock { $0.daemon = daemon } }
}
