internal import Glibc

/// The error of a system call, by errno.
///
/// It is also used for messages, immediately after a failed call: `"\(path) can't be read: \(SystemError())."`.
package struct SystemError: Error, Sendable, Equatable {
  package var number: Int32

  package init(_ number: Int32 = errno) { self.number = number }
}

extension SystemError: CustomStringConvertible {
  /// The system's message without a full stop: `No such file or directory`.
  package var description: String { String(cString: strerror(number)) }
}
