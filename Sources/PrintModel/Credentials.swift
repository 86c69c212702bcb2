/// A user name and a password for a printer.
///
/// None of its textual descriptions contains the password.
package struct Credentials: Sendable, Equatable {
  package var user: String
  package var password: String
  /// What gave them, for messages; nil if they are those that were saved, or were typed.
  package var source: String?

  /// Longest credentials: libcups encodes `user:password` in 255 bytes of base64 (cups/auth.c), and cuts off the rest.
  package static let longest = 190

  package init(user: String, password: String) {
    self.user = user
    self.password = password
  }

  /// True if they can be sent to a printer: no control characters, no colon in the name (RFC 7617 §2).
  package var isSendable: Bool {
    let all = Array(user.utf8) + Array(password.utf8)
    return !user.isEmpty && !user.contains(":") && all.count < Credentials.longest
      && all.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }
}

/// Credentials as `login` stores them, with the connection over which the printer received them.
package struct SavedLogin: Sendable, Equatable {
  /// The kind of connection to a printer.
  package enum Channel: Sendable, Equatable {
    case unencrypted
    case encrypted(Fingerprint)

    /// Makes a channel.
    ///
    /// - `shown`: the printer's certificate; nil if it does not encrypt.
    package init(_ shown: Fingerprint?) { self = shown.map { .encrypted($0) } ?? .unencrypted }

    /// Parses `none` or a fingerprint, as written by `text`.
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
  /// nil if it was not recorded, or if the printer has never asked for them.
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
