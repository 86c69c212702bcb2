package import AirprintContext
internal import Capability
internal import DNSSD
internal import ForeignText
package import IPP
package import PrintModel
package import System

/// A printer that answered: the connection to it, and its attributes.
///
/// Confined to the thread that made it.
package final class PrinterConnection {
  package let target: PrinterReference
  package let ipp: Connection
  package let capabilities: Capabilities
  package let status: PrinterStatus
  /// Notices about the printer: a certificate is now trusted, or the printer has moved.
  package private(set) var notices: [String] = []
  /// The certificate that `keepCertificate` has stored.
  private var kept: Fingerprint?
  private let cancellation: Cancellation

  /// Longest wait for the first answer of a printer that may be asleep.
  package static let wakeTimeout = Duration.seconds(30)
  /// Longest wait for the first answer of a printer that is probably awake: it has a job, or was listed.
  package static let awakeTimeout = Duration.seconds(10)
  /// Longest wait for the first answer of a printer that is only inspected.
  package static let browseTimeout = Duration.seconds(5)

  /// Contacts the printer, and waits for one that sleeps.
  ///
  /// A saved printer that is no longer at its address is searched for by its UUID or name, and its new address is
  /// stored. Exit 69 if it does not answer.
  package static func reach(
    _ target: PrinterReference, _ context: Context, timeout: Duration = wakeTimeout,
    cancellation: Cancellation = Cancellation()
  ) throws(Failure) -> PrinterConnection {
    let security = try PrinterTrust(context).security(of: target)
    let connection: PrinterConnection
    do {
      connection = try reach(
        target, context, security, timeout: timeout, cancellation: cancellation)
    } catch {
      if [.unavailable, .notAllowed].contains(error.code) { remember(error, of: target, context) }
      throw error
    }
    try connection.keepCertificate(context)
    for notice in connection.notices { context.note(notice) }
    return connection
  }

  /// Contacts the printer with a `security` other than its stored one; nothing about it is stored.
  static func reach(
    _ target: PrinterReference, _ context: Context, _ security: Security,
    timeout: Duration = wakeTimeout, cancellation: Cancellation = Cancellation()
  ) throws(Failure) -> PrinterConnection {
    let deadline = ContinuousClock.now + timeout
    let quirks = try context.settings.quirks()
    // A silent printer may be asleep or have a new address: after three seconds, both are tried.
    // One that is not saved, and has a job, is known by its key.
    let canMove =
      target.saved?.service != nil || target.saved?.uuid != nil
      || target.certificate != nil && target.found?.service != nil
    let first: IPPError
    do {
      return try answering(
        target, context, quirks, security,
        timeout: canMove ? min(timeout, .seconds(3)) : timeout,
        until: deadline, cancellation)
    } catch {
      // Another printer may have received its address, and present another certificate. One that was just found may
      // listen on an address that is not known yet.
      let mayHaveMoved: [IPPError.Kind] =
        canMove
        ? [.refused, .silent, .broken, .unresolved, .untrusted, .outdated]
        : target.found?.service != nil && !context.isLookingAround ? [.refused] : []
      guard mayHaveMoved.contains(error.kind) else { throw failure(error, target, cancellation) }
      first = error
    }
    return try elsewhere(
      target, context, quirks, security, after: first, until: deadline, cancellation)
  }

  /// Contacts a printer, with further attempts if it is busy, and two more if its connection broke or its answer was
  /// garbled, with Fibonacci's pauses.
  private static func answering(
    _ target: PrinterReference, _ context: Context, _ quirks: Quirks, _ security: Security,
    timeout: Duration, until deadline: ContinuousClock.Instant, _ cancellation: Cancellation
  ) throws(IPPError) -> PrinterConnection {
    var pauses = (1, 1)
    var breaks = 0
    while true {
      do {
        return try PrinterConnection(
          target, context, quirks, security,
          timeout: min(timeout, ContinuousClock.now.duration(to: deadline)), cancellation)
      } catch {
        let isAccident = error.kind == .broken || error.isGarbled
        if isAccident { breaks += 1 }
        guard error.status?.mayPass == true || isAccident && breaks < 3,
          cancellation.sleep(.seconds(pauses.0), until: deadline)
        else { throw error }
        pauses = (pauses.1, pauses.0 + pauses.1)
      }
    }
  }

  /// Makes one attempt.
  ///
  /// A printer other than the saved one is treated as no answer.
  init(
    _ target: PrinterReference, _ context: Context, _ quirks: Quirks, _ security: Security,
    timeout: Duration, _ cancellation: Cancellation
  ) throws(IPPError) {
    guard let uri = PrinterURI(target.uri) else {
      throw IPPError(.unresolved, "\(target.uri) is not an ipp or ipps URI")
    }
    self.target = target
    self.cancellation = cancellation
    ipp = try Connection(
      to: uri, at: PrinterConnection.addresses(of: target, uri, cancellation), security: security,
      timeout: timeout, cancellation: cancellation)
    let contact = try ipp.makeContact { (line) throws(IPPError) in
      try ContactResult(over: line, user: context.user)
    }
    capabilities = contact.capabilities.corrected(by: quirks)
    status = contact.status
    if let known = target.statedUUID, let stated = capabilities.uuid, known != stated {
      throw IPPError(.unresolved, "another printer answers at its address")
    }
    StatusCache(context.directories, key: target.uri, of: .seen).write([])
  }

  /// Stores the new address of a saved printer that has proved its identity by its key.
  ///
  /// A printer without a key can't prove it: it is followed as long as it does not encrypt, and that is reported.
  func settleIn(_ context: Context) {
    guard let saved = target.saved else { return }
    if saved.isUnproven {
      let isSame = saved.uuid == nil || saved.uuid == capabilities.uuid
      guard ipp.peer == nil, isSame else {
        notices.append(target.doubt)
        return
      }
      notices.append(
        "\(saved.name) has moved to \(target.uri). It has no certificate that would prove that it is the "
          + "same printer.")
    }
    guard !context.isLookingAround else { return }
    // Failing to write printers.toml must not prevent printing.
    try? context.settings.changePrinters { file in
      guard var entry = file.printers.first(where: { $0.name == saved.name }) else { return }
      entry.host = entry.chosenHost
      entry.uri = target.uri
      entry.addresses = target.addresses
      entry.isUnproven = saved.isUnproven
      file.save(entry)
    }
  }

  /// Stores the printer's certificate if it differs from the known one: the first one, or one that an authority vouches
  /// for.
  ///
  /// Returns a message about it for the user. Exit 77 if another certificate was stored since this connection's was
  /// compared.
  @discardableResult
  package func keepCertificate(_ context: Context) throws(Failure) -> String? {
    guard let peer = ipp.peer, peer.isNews, peer.fingerprint != kept,
      !context.isLookingAround, ipp.isAgreed
    else { return nil }
    let words = try PrinterTrust(context).keep(
      peer.fingerprint, for: target, instead: kept ?? peer.known)
    notices.append(words)
    kept = peer.fingerprint
    return words
  }

  /// Throws exit 77 for a certificate that may not be saved: the first one of a printer that was used without encryption.
  func refuseUnagreed() throws(Failure) {
    guard let peer = ipp.peer, !ipp.isAgreed else { return }
    throw ipp.security.refusal(of: peer.fingerprint, target.name).failure(at: target.name)
  }

  /// The printer's name in a message.
  package var name: String {
    target.role?.name ?? capabilities.info ?? capabilities.name ?? target.name
  }

  /// The addresses by which it is known, else the one where it answered.
  var addresses: [String] {
    target.addresses.isEmpty ? [ipp.address].compactMap(\.self) : target.addresses
  }

  /// The printer's capabilities with the name that this user knows: for the ticket's sentences.
  package var namedCapabilities: Capabilities {
    var capabilities = capabilities
    capabilities.info = name
    return capabilities
  }

  /// Credentials that the printer requires from a user (uri-authentication-supported, RFC 8011 §5.4.2), in the values
  /// of a DNS-SD record's `air`: none; username,password; negotiate; certificate.
  var authentication: String {
    let stated = capabilities.attributes.authentication
    return stated == "none" && ipp.isAuthenticated ? "username,password" : stated
  }

  /// Sends a request and returns the answer, whatever its status.
  ///
  /// A failed exchange exits like `reach`.
  package func ask(_ request: Request) throws(Failure) -> Response {
    try ask { (line) throws(IPPError) in try line.exchange(request) }
  }

  /// Requests something of the printer over the connection.
  ///
  /// A failed exchange exits like `reach`.
  package func ask<Answer>(
    _ request: (Connection) throws(IPPError) -> Answer
  ) throws(Failure) -> Answer {
    do {
      return try request(ipp)
    } catch {
      throw PrinterConnection.failure(error, target, cancellation)
    }
  }

  /// Returns the known addresses, else for a `.local` name those that Avahi resolves: many machines can't resolve such
  /// a name themselves (cups#771).
  ///
  /// Other names are left to the system resolver.
  static func addresses(
    of target: PrinterReference, _ uri: PrinterURI, _ cancellation: Cancellation
  ) -> [String] {
    guard target.addresses.isEmpty, uri.host.lowercased().hasSuffix(".local") else {
      return target.addresses
    }
    return waitFor(unless: cancellation) { await resolveHost(uri.host) } ?? []
  }

  /// Makes the failure for a printer that could not be contacted, with what to do next.
  static func failure(
    _ error: IPPError, _ target: PrinterReference, _ cancellation: Cancellation
  ) -> Failure {
    let name = target.name
    switch error.kind {
    case .interrupted: return .interrupted(by: cancellation.signal)
    case .unauthorized, .untrusted: return error.failure(at: name)
    case .insecure, .outdated, .nonsense:
      return Failure.refused("\(error.sentence(of: name)).")
    case .status(let status) where status.mayPass:
      return Failure.notNow("\(name) is busy: \(error.message). Nothing was sent.")
    case .status(.notFound):
      return Failure(
        .unknownPrinter, "\(name): there is no printer at \(target.uri).\(nextStep(target.uri))")
    case .status:
      return Failure.refused("\(name) refused to report its capabilities: \(error.message).")
    case .refused, .silent, .broken, .unresolved:
      let isSaid = error.kind == .silent && error.host == name
      let words = isSaid ? error.message : "\(name) does not answer: \(error.reason(at: name))"
      return Failure.unavailable("\(words). Is it switched on and on this network?")
    }
  }
}

extension Capabilities {
  /// Returns the printer's attributes with known errors corrected.
  package func corrected(by quirks: Quirks) -> Capabilities {
    var capabilities = self
    for quirk in quirks.quirks(of: makeAndModel) { capabilities.correct(by: quirk) }
    return capabilities
  }
}

extension AttributeSet {
  /// uri-authentication-supported in the values of a DNS-SD record's `air`.
  var authentication: String {
    let kinds = strings("uri-authentication-supported")
    for kind in ["certificate", "negotiate"] where kinds.contains(kind) { return kind }
    let isOpen = kinds.allSatisfy { ["none", "requesting-user-name"].contains($0) }
    return isOpen ? "none" : "username,password"
  }
}

/// Returns the next step if a server has no printer at this URI.
func nextStep(_ text: String) -> String {
  guard let uri = PrinterURI(text) else { return "" }
  guard uri.resource.count > 1 else { return " Most printers are at /ipp/print there." }
  let host = uri.host.contains(":") ? "[\(uri.host)]" : uri.host
  let server = uri.port == 631 ? host : "\(host):\(uri.port)"
  return " To list those there, run: airprint discover \(server)"
}
