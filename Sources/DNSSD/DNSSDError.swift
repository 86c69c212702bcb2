internal import CAvahi

/// A reason why services can't be browsed at all: exit 64 for `invalidDomain`, else exit 69.
package struct DNSSDError: Error, Sendable, Equatable {
  package enum Code: Sendable {
    /// The D-Bus system bus, through which Avahi is reached, isn't available; most often in a container.
    case noBus
    /// D-Bus is running, but avahi-daemon is not.
    case noDaemon
    /// avahi-daemon is running but does not answer: it hangs.
    case silentDaemon
    /// The domain's name is not valid: exit 64.
    case invalidDomain
    /// No interface is up on which to send a query.
    case noLink
    /// Unicast DNS has no domain of this name, which is the message.
    case noSuchDomain
    /// No unicast DNS server answers for the domain.
    case noAnswer
    /// Avahi refuses, for the reason in `message`.
    case refused
  }

  package var code: Code
  /// Avahi's own message, in the language of the locale; for unicast DNS, airprint's message or the domain.
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  init(_ code: Code, avahi number: Int32) {
    self.init(code, String(cString: avahi_strerror(number)))
  }
}
