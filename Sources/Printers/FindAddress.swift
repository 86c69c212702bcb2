internal import AirprintContext
internal import Capability
internal import IPP
internal import PrintModel
internal import System

/// A host as people type it for a printer, with or without a port: often all that they have.
struct TypedAddress: Equatable {
  var host: String
  var port: Int?
  /// The path as typed; nil for a single slash.
  var path: String?
  /// True if it can only be an address: it contains a number, a port or a scheme.
  var isCertain: Bool
  /// Schemes to try, encrypted first; only one if it was typed.
  var schemes = ["ipps", "ipp"]

  /// Parses an address; nil if the text looks like a printer's name: no dot and no port, or a blank in it.
  init?(_ text: String) {
    var rest = Substring(text)
    var isCertain = false
    for (prefix, schemes) in TypedAddress.prefixes where text.lowercased().hasPrefix(prefix) {
      rest = rest.dropFirst(prefix.count)
      isCertain = true
      self.schemes = schemes
    }
    path = nil
    if let slash = rest.firstIndex(of: "/") {
      path = rest[slash...] == "/" ? nil : String(rest[slash...])
      rest = rest[..<slash]
    }
    guard !rest.isEmpty, !rest.contains(where: { $0.isWhitespace || $0 == "@" }) else { return nil }
    guard let parts = TypedAddress.parts(of: rest) else { return nil }
    (host, port) = (parts.host, parts.port)
    if port != nil || host.contains(":") || rest.hasPrefix("[") { isCertain = true }
    if let port, !(1...65_535).contains(port) { return nil }
    self.isCertain = isCertain
    if host.contains(":") { return }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    let isPlain = labels.allSatisfy { label in
      !label.isEmpty && label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    }
    guard isPlain else { return nil }
    if labels.count == 4, labels.allSatisfy({ Int($0).map { (0...255).contains($0) } == true }) {
      self.isCertain = true
    }
    let isName = labels.count > 1 && labels.last?.contains(where: \.isLetter) == true
    guard self.isCertain || isName || host.lowercased() == "localhost" else { return nil }
  }

  /// Splits `host`, `host:port`, `[host]:port`, or a bare IPv6 address; nil for anything else.
  private static func parts(of text: Substring) -> (host: String, port: Int?)? {
    if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      let host = String(text[text.index(after: text.startIndex)..<end])
      let behind = text[text.index(after: end)...]
      if behind.isEmpty { return (host, nil) }
      guard behind.hasPrefix(":"), let port = Int(behind.dropFirst()) else { return nil }
      return (host, port)
    }
    guard let colon = text.firstIndex(of: ":") else { return (String(text), nil) }
    if text.count(where: { $0 == ":" }) >= 2 {
      // Its zone may be any text (RFC 4007 §11.2).
      let isAddress = text.prefix { $0 != "%" }
        .allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
      return isAddress ? (String(text), nil) : nil
    }
    guard let port = Int(text[text.index(after: colon)...]) else { return nil }
    return (String(text[..<colon]), port)
  }

  /// Parses an address as `init` does; exit 64 for a link-local one without its interface.
  static func parse(_ text: String) throws(Failure) -> TypedAddress? {
    guard let address = TypedAddress(text) else { return nil }
    try refuseMissingZone(address.host, in: text)
    return address
  }

  /// Throws exit 64 for a link-local address without its interface: it means a host on each of them (RFC 4007 §6).
  static func refuseMissingZone(_ host: String, in text: String) throws(Failure) {
    let isLinkLocal =
      host.contains(":")
      && ["fe8", "fe9", "fea", "feb"]
        .contains { host.lowercased().hasPrefix($0) }
    guard isLinkLocal, !host.contains("%") else { return }
    let interfaces = InterfaceAddress.all.map(\.interfaceName).unique.filter { $0 != "lo" }
    let zone = (text.contains("://") ? "%25" : "%") + (interfaces.first ?? "eth0")
    let list = interfaces.isEmpty ? "" : " (\(interfaces.joined(separator: ", ")))"
    throw .usage(
      "\(text): a link-local address needs its interface\(list), such as "
        + "\(text.replacing(host, with: host + zone)).")
  }

  private static let prefixes = [
    "ipp://": ["ipp"], "ipps://": ["ipps"], "http://": ["ipps", "ipp"], "https://": ["ipps"],
  ]

  /// Returns true if a printer's URI ends with its host or port.
  ///
  /// Printers have a path (PWG 5100.14 §4.2); a URI with only `/` is used unchanged.
  static func isPathless(_ uri: String) -> Bool {
    guard let scheme = uri.firstRange(of: "://") else { return false }
    return !uri[scheme.upperBound...].contains("/")
  }

  /// The usual URIs of printers over one scheme (PWG 5100.14 §4.2 for the path).
  func candidates(_ scheme: String) -> [String] {
    let paths = path.map { [$0] } ?? ["/ipp/print", "/ipp", "/ipp/printer", "/"]
    return paths.map { uri(scheme, $0) }
  }

  /// The text for a URI that was found over one of several schemes, with which it is found again so.
  static func word(for uri: String) -> String {
    guard uri.hasPrefix("ipps://") else { return uri }
    let rest = String(uri.dropFirst("ipps://".count))
    return TypedAddress(rest) == nil ? "http://\(rest)" : rest
  }

  func uri(_ scheme: String, _ path: String) -> String {
    let name = host.contains(":") ? "[\(host)]" : host
    return "\(scheme)://\(name)\(port.map { ":\($0)" } ?? "")\(path)"
  }
}

/// Finds the printer at an address typed without a scheme: encrypted first (RFC 7472), at the usual paths.
///
/// nil if it is not an address, or a name that no host has; exit 69 with all attempts if no printer answers, 64 for a
/// link-local address without its interface.
///
/// - `timeout`: time for everything; nil: as long as the host takes to be silent.
func findAddress(
  _ text: String, timeout: Duration? = nil, _ context: Context
) async throws(Failure) -> PrinterReference? {
  guard let address = try TypedAddress.parse(text) else { return nil }
  let answer = await raceSchemes(address.schemes, timeout: timeout) {
    contact(at: address, $0, context, $1)
  }
  switch answer {
  case .found(let printer): return printer
  case .noHost: return nil
  case .failed(let tried): throw noPrinter(at: text, tried)
  }
}

private func contact(
  at address: TypedAddress, _ scheme: String, _ context: Context, _ cancellation: Cancellation
) -> SchemeAnswer<PrinterReference> {
  var tried: [FailedAddress] = []
  for candidate in address.candidates(scheme) {
    guard let uri = PrinterURI(candidate) else { return .noHost("\(address.host) is not a host") }
    var printer = PrinterReference(name: address.host, uri: candidate)
    printer.isTyped = address.schemes.count == 1
    do throws(IPPError) {
      let connection = try connect(toCandidate: uri, context, cancellation)
      _ = try connection.makeContact { (line) throws(IPPError) in
        try ContactResult(over: line, user: context.user)
      }
      return .found(printer)
    } catch {
      switch error.kind {
      // It answers, but requires more than this search provides.
      case .unauthorized, .untrusted, .outdated: return .found(printer)
      case .unresolved where !address.isCertain: return .noHost(error.message)
      default: tried.append(FailedAddress(uri: candidate, error))
      }
      // If no server listens or answers, other paths can't work either.
      if error.isAboutHost { return .failed(tried) }
    }
  }
  return .failed(tried)
}

extension IPPError {
  /// True if the host has the same problem with every path.
  var isAboutHost: Bool {
    [.unresolved, .silent, .interrupted, .refused, .insecure, .broken].contains(kind)
  }
}

/// Connects to a possible printer or list of printers.
///
/// The user has not chosen it, so it receives no password, and nothing about it is stored.
func connect(
  toCandidate uri: PrinterURI, _ context: Context, _ cancellation: Cancellation
) throws(IPPError) -> Connection {
  var target = PrinterReference(name: uri.host, uri: uri.text)
  target.addresses = PrinterConnection.addresses(of: target, uri, cancellation)
  let security: Security
  do { security = try PrinterTrust(context.lookingAround).security(of: target) } catch {
    throw IPPError(.untrusted, error.message)
  }
  return try Connection(
    to: uri, at: target.addresses, security: security, timeout: PrinterConnection.browseTimeout,
    cancellation: cancellation)
}

/// An address where no printer was found, and the reason.
struct FailedAddress: Equatable {
  var uri: String
  var reason: String
  /// True if a server answered that there is no printer.
  var hasAnswered = false
}

extension FailedAddress {
  init(uri: String, _ error: IPPError) {
    // Only the end of the time interrupts a search for an address.
    self.init(
      uri: uri, reason: error.kind == .interrupted ? "no answer in time" : error.message,
      hasAnswered: error.kind == .status(.notFound))
  }
}

/// Exit 69 with all that was tried, each reason once; if a server answered, with where its printers are.
func noPrinter(at text: String, _ tried: [FailedAddress]) -> Failure {
  if let answered = tried.first(where: \.hasAnswered) {
    let uris = tried.map(\.uri).inWords()
    return Failure(
      .unknownPrinter,
      "There is no printer at \(text). Tried \(uris).\(nextStep(answered.uri))")
  }
  let attempts = tried.map(\.reason).unique.map { reason in
    "\(tried.filter { $0.reason == reason }.map(\.uri).inWords()) (\(reason))"
  }
  return .unavailable(
    "No printer answers at \(text). Tried \(attempts.inWords()). Is it switched on and on this network, and does "
      + "it speak IPP?")
}

/// The answer of a host over one scheme.
enum SchemeAnswer<Found: Sendable>: Sendable {
  case found(Found)
  /// The name belongs to no host, as far as is known: the reason.
  case noHost(String)
  case failed([FailedAddress])
}

/// Contacts a host over its schemes, the encrypted one first, and returns the first answer that counts.
///
/// A server without TLS may keep a handshake waiting instead of refusing it, so the other scheme is tried beside it
/// after a moment. Its answer counts only if the encrypted one fails: a slow printer may need seconds for a handshake.
///
/// - `schemes`: at least one.
/// - `timeout`: time for everything; nil: each scheme ends by its own limits.
/// - `ask`: contacts the host over one scheme, on a thread of its own, and heeds the cancellation.
func raceSchemes<Found: Sendable>(
  _ schemes: [String], timeout: Duration?,
  _ ask: @escaping @Sendable (_ scheme: String, Cancellation) -> SchemeAnswer<Found>
) async -> SchemeAnswer<Found> {
  let headStart = min(.seconds(1), (timeout ?? .seconds(4)) / 4)
  let cancellation = Cancellation()
  let contacts = schemes.enumerated().map { number, scheme in
    let mayStart = Cancellation()
    return (
      mayStart,
      Task {
        // Ended early by the failure of the one before.
        await onThread { () throws(Never) in
          _ = mayStart.sleep(headStart * number)
          return cancellation.isRaised ? .failed([]) : ask(scheme, cancellation)
        }
      }
    )
  }
  // Each contact then ends at once, with what it has tried.
  let timer = Task {
    guard let timeout, (try? await Task.sleep(for: timeout)) != nil else { return }
    cancellation.raise()
  }
  defer {
    timer.cancel()
    cancellation.raise()
    for (mayStart, _) in contacts { mayStart.raise() }
  }
  var failures: [FailedAddress] = []
  for (mayStart, contact) in contacts {
    mayStart.raise()
    let answer = await contact.value
    guard case .failed(let more) = answer else { return answer }
    failures += more
  }
  return .failed(failures)
}
