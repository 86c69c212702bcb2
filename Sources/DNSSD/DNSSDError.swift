internal import CAvahi

/// The reason one can't look for services at all: exit 64 for `invalidDomain`, else exit 69.
package struct DNSSDError: Error, Sendable, Equatable {
  package enum Code: Sendable {
    /// The D-Bus system bus, over which Avahi is reached, isn't available: a container, most often.
    case noBus
    /// D-Bus is there, avahi-daemon is not running.
    case noDaemon
    /// avahi-daemon is running and does not answer: it hangs.
    case silentDaemon
    /// The domain's name is not valid: exit 64.
    case invalidDomain
    /// No interface is up on which others could be asked.
    case noLink
    /// Unicast DNS has no domain of this name, which is the message.
    case noSuchDomain
    /// No server of unicast DNS answers for the domain.
    case noAnswer
    /// Avahi refuses, for the reason in `message`.
    case refused
  }

  package var code: Code
  /// Avahi's own words, in the language of the locale; for unicast DNS ours, or the domain.
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  init(_ code: Code, avahi number: Int32) {
    self.init(code, String(cString: avahi_strerror(number)))
  }
}

extension DNSSDError: CustomStringConvertible {
  package var description: String { message }
}
