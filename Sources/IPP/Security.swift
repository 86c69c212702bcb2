internal import Glibc
package import PrintModel
internal import Synchronization

/// Settings that a connection needs before it sends anything to the printer.
package struct Security: Sendable {
  /// The certificate that the printer must present at every handshake.
  ///
  /// nil accepts any certificate at first, and pins it from then on. A printer with a pin is never contacted without
  /// TLS.
  package var pin: Fingerprint?
  /// The channel that a connection with copies of these settings has used: the others have to present its certificate,
  /// and a connection that broke does not forget it.
  ///
  /// Not encrypted, it may have handed the printer anything but a question: who encrypts from then on may be a stranger.
  package var used = UsedChannel()
  /// The host for which an authority may vouch instead of the pin: one that a user chose, not one that the network
  /// announced.
  ///
  /// nil: none may.
  package var host: String?
  /// True if requests are anonymous: the printer receives no password and no ticket.
  ///
  /// For printers that the user did not name.
  package var isAnonymous = false
  /// True if a printer without a pin may present its first certificate, and ask for a password over it: at the first
  /// contact, and at an `ipps` URI that a user chose.
  ///
  /// A printer that was used without encryption before could have been replaced by another host, which proves nothing
  /// by a certificate: only a user who has seen that can accept it (`airprint trust`), and no command can instead.
  package var trustsFirst = true
  /// ipp-usb's http-min-port: from there on, it serves printers on USB.
  package static let firstUSBPort = 60_000
  var firstUSBPort = Security.firstUSBPort
  /// The users whose programs may listen at those ports of this machine: once a printer is unplugged, any user can.
  package var listeners: Set<UInt32> = [0, geteuid()]
  package var home = Home.anywhere
  /// Called before credentials are sent, and before a document is without encryption, with the certificate that was
  /// accepted; nil for none.
  ///
  /// A failure's message is a sentence.
  package var whenTold: (@Sendable (_ shown: Fingerprint?) throws(Failure) -> Void)?
  /// The oldest version of TLS that may be used with it.
  package var lowestTLS = TLSVersion.usual
  /// Called when the printer asks for a password, once for each certificate that it presents; nil if it does not
  /// encrypt.
  ///
  /// A failure's message is a sentence.
  package var credentials: @Sendable (_ shown: Fingerprint?) throws(Failure) -> Credentials? = {
    (_) throws(Failure) in nil
  }
  /// The command that accepts another certificate, for messages.
  package var remedy = "airprint trust PRINTER"
  /// The command that stores credentials, for messages.
  package var login = "airprint login PRINTER"

  package init() {}
}

extension Security {
  /// Where a printer can be: what was reached at this machine's own address has not moved to another one, and what is on
  /// USB has one of ipp-usb's ports.
  package enum Home: Sendable { case anywhere, thisMachine, usb }

  /// The words before the command that accepts another certificate.
  static let unexpected = "If you expected this, run:"

  /// The certificate to which the next handshake is compared; nil for the first one of a printer without a pin.
  var expected: Fingerprint? { pin ?? used.first }

  /// Makes the error for a peer that presented `shown`, nil if it does not encrypt, instead of what is expected.
  package func refusal(of shown: Fingerprint?, _ host: String) -> IPPError {
    let known = expected?.short ?? "none"
    let words =
      if let shown {
        "'s certificate has changed. It may have been renewed, or someone may be intercepting the "
          + "connection: its SHA-256 was \(known), and is \(shown.short)."
      } else {
        "no longer uses encryption. It may have been reset, or someone may be intercepting the "
          + "connection: the SHA-256 of its certificate was \(known)."
      }
    return IPPError(.untrusted, words, of: host, hint: Security.unexpected, fix: remedy)
  }
}

/// The channel that one of several connections to a printer has used.
package final class UsedChannel: Sendable {
  private let known = Mutex<SavedLogin.Channel?>(nil)
  private let shown = Mutex<Fingerprint?>(nil)

  package init() {}

  /// The first certificate that one of the connections was shown, accepted or not: a job goes to one printer.
  var first: Fingerprint? { shown.withLock { $0 } }

  func show(_ certificate: Fingerprint) { shown.withLock { $0 = $0 ?? certificate } }

  var value: SavedLogin.Channel? { known.withLock { $0 } }

  func encrypt(_ certificate: Fingerprint) { known.withLock { $0 = .encrypted(certificate) } }
  func goPlain() { known.withLock { $0 = $0 ?? .unencrypted } }
}
