internal import Capability
internal import DNSSD
internal import IPP
internal import PrintModel
internal import Settings
internal import Threading

/// A printer that answered: the connection to it, and what it said of itself. It belongs to the thread
/// that made it.
final class Session {
  let target: Target
  let connection: Connection
  let capabilities: Capabilities
  let status: PrinterStatus
  /// What a person should know of the printer's certificate: that it is trusted from now on.
  private(set) var news: String?
  /// The certificate that it is known by.
  private var kept: Fingerprint?
  private let interruption: Interruption

  /// Contacts the printer, patient with one that sleeps. A saved printer that is not where it was is
  /// looked for by its UUID or name, and its new address is kept. Exit 69 when it does not answer.
  static func reach(
    _ target: Target, _ context: Context, patience: Duration, interruption: Interruption
  ) throws(Failure) -> Session {
    let security = try context.security(of: target)
    let session = try reach(
      target, context, security, patience: patience, interruption: interruption)
    if let news = session.keepCertificate(context) { context.note(news) }
    return session
  }

  /// The same with another `security` than what is known of the printer, of which nothing is kept.
  static func reach(
    _ target: Target, _ context: Context, _ security: Security, patience: Duration,
    interruption: Interruption
  ) throws(Failure) -> Session {
    let deadline = ContinuousClock.now + patience
    let quirks = try Quirks(context.places)
    // Silence may be sleep or a new address: after three seconds both are tried.
    let canMove = target.saved?.service != nil || target.saved?.uuid != nil
    let first: IPPError
    do {
      return try answering(
        target, context, quirks, security,
        patience: canMove ? min(patience, .seconds(3)) : patience,
        until: deadline, interruption)
    } catch {
      // Another printer may have got its address, and show another certificate.
      let mayHaveMoved: [IPPError.Kind] = [
        .refused, .silent, .broken, .unresolved, .untrusted, .outdated,
      ]
      guard canMove, mayHaveMoved.contains(error.kind) else {
        throw failure(error, target, interruption)
      }
      first = error
    }
    let moved = relocated(target, context, interruption)
    if interruption.isRaised {
      throw failure(IPPError(.interrupted, "interrupted"), target, interruption)
    }
    guard moved != nil || first.kind == .silent else { throw failure(first, target, interruption) }
    do {
      let left = max(.seconds(1), ContinuousClock.now.duration(to: deadline))
      let session = try Session(
        moved ?? target, context, quirks, security, patience: left, interruption)
      if let moved { rememberMove(moved, context) }
      return session
    } catch {
      let isTelling =
        [.untrusted, .outdated].contains(first.kind) && error.kind != .interrupted
      throw failure(isTelling ? first : error, target, interruption)
    }
  }

  /// Asks a printer again that answers that it is busy, and twice one whose connection broke, after
  /// Fibonacci's pauses.
  private static func answering(
    _ target: Target, _ context: Context, _ quirks: Quirks, _ security: Security,
    patience: Duration, until deadline: ContinuousClock.Instant, _ interruption: Interruption
  ) throws(IPPError) -> Session {
    var pauses = (1, 1)
    var breaks = 0
    while true {
      do {
        return try Session(
          target, context, quirks, security, patience: patience, interruption)
      } catch {
        if error.kind == .broken { breaks += 1 }
        guard error.status?.mayPass == true || error.kind == .broken && breaks < 3,
          interruption.sleep(.seconds(pauses.0), until: deadline)
        else { throw error }
        pauses = (pauses.1, pauses.0 + pauses.1)
      }
    }
  }

  /// One attempt. Another printer than the one that was saved is as good as none.
  private init(
    _ target: Target, _ context: Context, _ quirks: Quirks, _ security: Security,
    patience: Duration, _ interruption: Interruption
  ) throws(IPPError) {
    guard let uri = PrinterURI(target.uri) else {
      throw IPPError(.unresolved, "\(target.uri) is no ipp or ipps URI of a printer")
    }
    self.target = target
    kept = security.pin
    self.interruption = interruption
    connection = try Connection(
      to: uri, at: Session.addresses(of: target, uri, interruption), security: security,
      patience: patience, interruption: interruption)
    let contact = try Contact(over: connection, user: context.user)
    capabilities = contact.capabilities.corrected(by: quirks)
    status = contact.status
    if let saved = target.saved?.uuid, let stated = capabilities.uuid, saved != stated {
      throw IPPError(.unresolved, "another printer answers at its address")
    }
    Sightings(context.places).saw(target.uri)
  }

  /// The saved printer where it is now, if that is another address than before.
  private static func relocated(
    _ target: Target, _ context: Context, _ interruption: Interruption
  ) -> Target? {
    guard let saved = target.saved,
      let found = waitFor(unless: interruption, { await AirprintKit.relocate(saved) }) ?? nil
    else { return nil }
    var moved = target
    moved.uri = found.uri
    moved.addresses = Target(found).addresses
    return moved.uri != target.uri || moved.addresses != target.addresses ? moved : nil
  }

  /// Keeps the new address, of a printer that has proved to be the one that was saved.
  private static func rememberMove(_ moved: Target, _ context: Context) {
    // A book that can't be written is no reason not to print.
    try? PrinterBook.change(context.places) { page in
      guard var entry = page.printers.first(where: { $0.name == moved.saved?.name }) else { return }
      entry.uri = moved.uri
      entry.addresses = moved.addresses
      page.save(entry)
    }
  }

  /// Keeps the certificate that the printer shows, where it is another than the one that is known: its
  /// first, or one that an authority vouches for. Gives what a person should know of it.
  @discardableResult
  func keepCertificate(_ context: Context) -> String? {
    guard let shown = connection.certificate?.fingerprint, shown != kept,
      !context.isLookingAround
    else { return nil }
    news = context.keep(shown, for: target, instead: kept)
    kept = shown
    return news
  }

  /// What to call the printer in a message.
  var name: String {
    target.saved?.name ?? capabilities.info ?? capabilities.name ?? target.name
  }

  /// What the printer can do, under the name that this person knows it by: for the ticket's sentences.
  var namedCapabilities: Capabilities {
    var capabilities = capabilities
    capabilities.info = name
    return capabilities
  }

  /// What the printer wants to see of a person (uri-authentication-supported, RFC 8011 §5.4.2), in the
  /// words of a DNS-SD record's `air`: none; username,password; negotiate; certificate.
  var authentication: String {
    let kinds = capabilities.attributes.strings("uri-authentication-supported")
    for kind in ["certificate", "negotiate"] where kinds.contains(kind) { return kind }
    let isOpen = kinds.allSatisfy { ["none", "requesting-user-name"].contains($0) }
    return isOpen && !connection.isAuthenticated ? "none" : "username,password"
  }

  /// Sends a request and returns the answer, whatever its status.
  func ask(_ request: Request) throws(Failure) -> Response {
    do {
      return try connection.exchange(request)
    } catch {
      throw Session.failure(error, target, interruption)
    }
  }

  /// The addresses that are known, else those that Avahi knows for a `.local` name: many machines can't
  /// look such a name up by themselves (cups#771). Other names are the system resolver's.
  static func addresses(
    of target: Target, _ uri: PrinterURI, _ interruption: Interruption
  ) -> [String] {
    guard target.addresses.isEmpty, uri.host.lowercased().hasSuffix(".local") else {
      return target.addresses
    }
    return waitFor(unless: interruption) { await resolveHost(uri.host) } ?? []
  }

  /// Why a printer could not be contacted, and what to do next.
  static func failure(
    _ error: IPPError, _ target: Target, _ interruption: Interruption
  ) -> Failure {
    let name = target.name
    switch error.kind {
    case .interrupted:
      return Failure(interruption.signal == 15 ? .terminated : .interrupted, "Interrupted.")
    case .unauthorized, .untrusted:
      return Failure(error.code ?? .notAllowed, error.sentence(of: name))
    case .insecure, .outdated, .nonsense:
      return Failure(.refused, "\(name): \(error.message).")
    case .status(let status) where status.mayPass:
      return Failure(.notNow, "\(name) is busy: \(error.message). Nothing was sent.")
    case .status(.notFound):
      return Failure(.unavailable, "\(name): there is no printer at \(target.uri).")
    case .status:
      return Failure(.refused, "\(name) refused to say what it can do: \(error.message).")
    case .refused, .silent, .broken, .unresolved:
      return Failure(
        .unavailable,
        "\(name) does not answer: \(error.message). Is it switched on and on this network?")
    }
  }
}

extension Capabilities {
  /// What a printer states, corrected where it is known to be wrong.
  fileprivate func corrected(by quirks: Quirks) -> Capabilities {
    var capabilities = self
    for quirk in quirks.quirks(of: makeAndModel) { capabilities.correct(by: quirk) }
    return capabilities
  }
}
