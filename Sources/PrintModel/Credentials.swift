/// A user name and a password for a printer.
///
/// No description of it, however it is made, shows the password.
package struct Credentials: Sendable, Equatable {
  package var user: String
  package var password: String

  /// libcups packs `user:password` into 255 bytes of base64 (cups/auth.c): more would be cut off.
  package static let longest = 190

  package init(user: String, password: String) {
    self.user = user
    self.password = password
  }

  /// True when a printer can be sent it: no control characters, no colon in the name (RFC 7617 §2).
  package var isSendable: Bool {
    let all = Array(user.utf8) + Array(password.utf8)
    return !user.isEmpty && !user.contains(":") && all.count < Credentials.longest
      && all.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }
}

extension Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "\(user):***" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}
