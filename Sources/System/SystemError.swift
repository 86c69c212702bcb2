internal import Glibc

/// A system call that failed, by errno's number.
///
/// It is what messages are made of, too: right after a call that failed, `"\(path) can't be read: \(SystemError())."`.
package struct SystemError: Error, Sendable, Equatable {
  package var number: Int32

  package init(_ number: Int32 = errno) { self.number = number }
}

extension SystemError: CustomStringConvertible {
  /// The system's sentence without a full stop: `No such file or directory`.
  package var description: String { String(cString: strerror(number)) }
}
