internal import Glibc

/// A system call that failed, by errno's number.
package struct SystemError: Error, Sendable, Equatable {
  package var number: Int32

  package init(_ number: Int32 = errno) { self.number = number }

  /// The system's sentence without a full stop: `No such file or directory`.
  package var words: String { String(cString: strerror(number)) }
}
