internal import Glibc

/// The service manager that started this process and monitors it: systemd, by the protocol of sd_notify(3), a datagram
/// to `NOTIFY_SOCKET`.
///
/// Without one, nothing is sent.
package struct ServiceManager: Sendable {
  private let socketName: String?
  /// Half the interval of systemd's watchdog; nil if there is none.
  package let pulse: Duration?

  package init(environment: [String: String]) {
    socketName = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
    let isForUs = environment["WATCHDOG_PID"].map { $0 == "\(getpid())" } ?? true
    let time = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
    pulse = isForUs && time > 0 ? .microseconds(time / 2) : nil
  }

  /// Sends `READY=1` or `STATUS=…`, one assignment per line.
  package func tell(_ text: String) {
    guard let socketName else { return }
    var name = Array(socketName.utf8)
    // A name in the abstract namespace starts with a zero byte (unix(7)).
    if name.first == UInt8(ascii: "@") { name[0] = 0 }
    guard let address = UnixAddress(name) else { return }
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    _ = address.apply { sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, $1) }
  }
}
