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

/// Credentials as `login` keeps them, with the connection over which the printer was given them.
package struct SavedLogin: Sendable, Equatable {
  /// The way in which a printer was connected to.
  package enum Channel: Sendable, Equatable {
    case unencrypted
    case encrypted(Fingerprint)

    /// - `shown`: the printer's certificate; nil where it does not encrypt.
    package init(_ shown: Fingerprint?) { self = shown.map { .encrypted($0) } ?? .unencrypted }

    /// `none` or a fingerprint, as `text` writes it.
    package init?(text: String) {
      if text == "none" {
        self = .unencrypted
      } else if let certificate = Fingerprint(text) {
        self = .encrypted(certificate)
      } else {
        return nil
      }
    }

    package var text: String {
      switch self {
      case .unencrypted: "none"
      case .encrypted(let certificate): certificate.text
      }
    }
  }

  package var credentials: Credentials
  /// nil where it was not written down, and where the printer has never asked for them.
  package var channel: Channel?

  package init(_ credentials: Credentials, over channel: Channel?) {
    self.credentials = credentials
    self.channel = channel
  }
}

extension Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "\(user):***" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}
