package import AirprintContext
internal import Capability
internal import DNSSD
internal import ForeignText
package import IPP
package import PrintModel
internal import Settings
internal import Submission
package import System

/// A printer that answered: the connection to it, and its attributes.
///
/// It belongs to the thread that made it.
package final class PrinterConnection {
  package let target: PrinterReference
  package let connection: Connection
  package let capabilities: Capabilities
  package let status: PrinterStatus
  /// Notices about the printer: that a certificate is trusted from now on, that it has moved.
  package private(set) var notices: [String] = []
  /// The certificate that it is known by.
  private var kept: Fingerprint?
  /// It was found elsewhere, and nothing proves that it is the one that was saved.
  private var isUnproven = false
  private let cancellation: Cancellation

  /// Longest wait for the first answer of a printer that may be asleep.
  package static let wakePatience = Duration.seconds(30)
  /// Longest wait for the first answer of one that is awake, as far as anybody knows: it has a job, or was listed.
  package static let awakePatience = Duration.seconds(10)
  /// Longest wait for the first answer of one that is only looked at.
  package static let browsePatience = Duration.seconds(5)

  /// Contacts the printer, patient with one that sleeps.
  ///
  /// A saved printer that is not where it was is looked for by its UUID or name, and its new
  /// address is kept. Exit 69 when it does not answer.
  package static func reach(
    _ target: PrinterReference, _ context: Context, patience: Duration = wakePatience,
    cancellation: Cancellation
  ) throws(Failure) -> PrinterConnection {
    let security = try PrinterTrust(context).security(of: target)
    let session = try reach(
      target, context, security, patience: patience, cancellation: cancellation)
    _ = session.keepCertificate(context)
    for notice in session.notices { context.note(notice) }
    return session
  }

  /// The same with another `security` than what is known of the printer, of which nothing is kept.
  static func reach(
    _ target: PrinterReference, _ context: Context, _ security: Security,
    patience: Duration = wakePatience, cancellation: Cancellation
  ) throws(Failure) -> PrinterConnection {
    let deadline = ContinuousClock.now + patience
    let quirks = try context.settings.quirks()
    // Silence may be sleep or a new address: after three seconds both are tried.
    let canMove = target.saved?.service != nil || target.saved?.uuid != nil
    let first: IPPError
    do {
      return try answering(
        target, context, quirks, security,
        patience: canMove ? min(patience, .seconds(3)) : patience,
        until: deadline, cancellation)
    } catch {
      // Another printer may have got its address, and show another certificate. One that was just found may
      // listen at an address that was not known yet.
      let mayHaveMoved: [IPPError.Kind] =
        canMove
        ? [.refused, .silent, .broken, .unresolved, .untrusted, .outdated]
        : target.found?.service != nil ? [.refused] : []
      guard mayHaveMoved.contains(error.kind) else { throw failure(error, target, cancellation) }
      first = error
    }
    return try elsewhere(
      target, context, quirks, security, after: first, until: deadline, cancellation)
  }

  /// Asks a printer again that answers that it is busy, and twice one whose connection broke or whose
  /// answer was garbled, after Fibonacci's pauses.
  private static func answering(
    _ target: PrinterReference, _ context: Context, _ quirks: Quirks, _ security: Security,
    patience: Duration, until deadline: ContinuousClock.Instant, _ cancellation: Cancellation
  ) throws(IPPError) -> PrinterConnection {
    var pauses = (1, 1)
    var breaks = 0
    while true {
      do {
        return try PrinterConnection(
          target, context, quirks, security, patience: patience, cancellation)
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

  /// One attempt.
  ///
  /// Another printer than the one that was saved is as good as none.
  init(
    _ target: PrinterReference, _ context: Context, _ quirks: Quirks, _ security: Security,
    patience: Duration, _ cancellation: Cancellation
  ) throws(IPPError) {
    guard let uri = PrinterURI(target.uri) else {
      throw IPPError(.unresolved, "\(target.uri) is not an ipp or ipps URI")
    }
    self.target = target
    kept = security.pin
    self.cancellation = cancellation
    connection = try Connection(
      to: uri, at: PrinterConnection.addresses(of: target, uri, cancellation), security: security,
      patience: patience, cancellation: cancellation)
    let contact = try ContactResult(over: connection, user: context.user)
    capabilities = contact.capabilities.corrected(by: quirks)
    status = contact.status
    if let saved = target.saved?.uuid, let stated = capabilities.uuid, saved != stated {
      throw IPPError(.unresolved, "another printer answers at its address")
    }
    LastSeenStore(context.places).saw(target.uri)
  }

  /// Keeps the new address of a saved printer that has proved to be the one that was saved, by its key.
  ///
  /// One that has none can prove nothing: it is followed as long as it does not encrypt, and that is reported.
  func settleIn(_ security: Security, _ context: Context) {
    guard let saved = target.saved else { return }
    if security.pin == nil {
      let isSame = saved.uuid == nil || saved.uuid == capabilities.uuid
      isUnproven = connection.certificate != nil || !isSame
      guard !isUnproven else {
        notices.append(
          "\(saved.name) is no longer where it was. \(target.uri) claims to be this printer, but can't "
            + "prove it. If it is, run: airprint pick \(ShellWord.quoted(saved.name.safeName))")
        return
      }
      notices.append(
        "\(saved.name) has moved to \(target.uri). It has no certificate that would prove that it is the "
          + "same printer.")
    }
    // A book that can't be written is no reason not to print.
    try? context.settings.changePrinters { file in
      guard var entry = file.printers.first(where: { $0.name == saved.name }) else { return }
      entry.host = entry.chosenHost
      entry.uri = target.uri
      entry.addresses = target.addresses
      file.save(entry)
    }
  }

  /// Keeps the certificate that the printer shows, where it is another than the one that is known:
  /// its first, or one that an authority vouches for.
  ///
  /// Returns what a user should know about it.
  @discardableResult
  package func keepCertificate(_ context: Context) -> String? {
    guard let shown = connection.certificate?.fingerprint, shown != kept,
      !context.isLookingAround, connection.isAgreed, !isUnproven
    else { return nil }
    let words = PrinterTrust(context).keep(shown, for: target, instead: kept)
    notices.append(words)
    kept = shown
    return words
  }

  /// The printer's name in a message.
  package var name: String {
    target.saved?.name ?? capabilities.info ?? capabilities.name ?? target.name
  }

  /// The printer's capabilities, under the name that this user knows it by: for the ticket's
  /// sentences.
  package var namedCapabilities: Capabilities {
    var capabilities = capabilities
    capabilities.info = name
    return capabilities
  }

  /// Credentials that the printer wants from a user (uri-authentication-supported, RFC 8011
  /// §5.4.2), in the words of a DNS-SD record's `air`: none; username,password; negotiate;
  /// certificate.
  var authentication: String {
    let stated = capabilities.attributes.authentication
    return stated == "none" && connection.isAuthenticated ? "username,password" : stated
  }

  /// Sends a request and returns the answer, whatever its status.
  ///
  /// A failed exchange exits like `reach`.
  package func ask(_ request: Request) throws(Failure) -> Response {
    do {
      return try connection.exchange(request)
    } catch {
      throw PrinterConnection.failure(error, target, cancellation)
    }
  }

  /// Asks about one job; nil when the printer's answer does not mention it.
  ///
  /// A failed exchange exits like `reach`.
  package func status(ofJob job: Int, user: String) throws(Failure) -> JobStatus? {
    try ask(.getJobAttributes(job, at: connection.uri, user: user)).job(job)
  }

  /// The addresses that are known, else those that Avahi knows for a `.local` name: many machines
  /// can't look such a name up by themselves (cups#771).
  ///
  /// Other names are the system resolver's.
  static func addresses(
    of target: PrinterReference, _ uri: PrinterURI, _ cancellation: Cancellation
  ) -> [String] {
    guard target.addresses.isEmpty, uri.host.lowercased().hasSuffix(".local") else {
      return target.addresses
    }
    return waitFor(unless: cancellation) { await resolveHost(uri.host) } ?? []
  }

  /// The reason a printer could not be contacted, and what to do next.
  static func failure(
    _ error: IPPError, _ target: PrinterReference, _ cancellation: Cancellation
  ) -> Failure {
    let name = target.name
    switch error.kind {
    case .interrupted:
      return Failure(ExitCode(signal: cancellation.signal), "Interrupted.")
    case .unauthorized, .untrusted:
      return Failure(error.code ?? .notAllowed, error.sentence(of: name, at: target.uri))
    case .insecure, .outdated, .nonsense:
      return Failure(.refused, "\(name): \(error.message).")
    case .status(let status) where status.mayPass:
      return Failure(.notNow, "\(name) is busy: \(error.message). Nothing was sent.")
    case .status(.notFound):
      let resource = PrinterURI(target.uri)?.resource ?? ""
      let hint = ["", "/"].contains(resource) ? " Most printers are at /ipp/print there." : ""
      return Failure(.unavailable, "\(name): there is no printer at \(target.uri).\(hint)")
    case .status:
      return Failure(.refused, "\(name) refused to report its capabilities: \(error.message).")
    case .refused, .silent, .broken, .unresolved:
      return Failure(
        .unavailable,
        "\(name) does not answer: \(error.message). Is it switched on and on this network?")
    }
  }
}

extension Capabilities {
  /// A printer's attributes, corrected where it is known to be wrong.
  fileprivate func corrected(by quirks: Quirks) -> Capabilities {
    var capabilities = self
    for quirk in quirks.quirks(of: makeAndModel) { capabilities.correct(by: quirk) }
    return capabilities
  }
}

extension AttributeSet {
  /// uri-authentication-supported in the words of a DNS-SD record's `air`.
  var authentication: String {
    let kinds = strings("uri-authentication-supported")
    for kind in ["certificate", "negotiate"] where kinds.contains(kind) { return kind }
    let isOpen = kinds.allSatisfy { ["none", "requesting-user-name"].contains($0) }
    return isOpen ? "none" : "username,password"
  }
}
