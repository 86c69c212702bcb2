internal import Glibc

/// Two ends of a stream, closed on exec; the caller closes both.
package struct SocketPair {
  package let own: Int32
  package let other: Int32

  package init(isNonBlocking: Bool = false) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    let kind =
      SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | (isNonBlocking ? SOCK_NONBLOCK.rawValue : 0)
    guard socketpair(AF_UNIX, Int32(kind), 0, &ends) == 0 else { throw SystemError() }
    (own, other) = (ends[0], ends[1])
  }
}
