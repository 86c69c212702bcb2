import System

/// Domains in which to look for services by unicast DNS.
package struct UnicastScope: Sendable {
  /// Domains by name.
  package var domains: [String]
  /// Also includes the domains that those of the search list recommend (`b`, `lb` and `db._dns-sd._udp`, RFC 6763 §11).
  package var includesRecommended = false
  /// Returns true for instance names to look up.
  package var admits: @Sendable (String) -> Bool = { _ in true }
  /// Returns true for services to resolve, by their TXT records, which are queried first.
  package var admitsText: @Sendable ([TXTEntry]) -> Bool = { _ in true }

  package init(_ domains: [String]) { self.domains = domains }
}

/// Looks for services in domains of unicast DNS (RFC 6763), until the stream's consumer stops or is canceled.
///
/// It uses the system's resolver and not Avahi. Domains are searched again when their answers expire.
///
/// `allForNow` comes when every domain has listed its services. `failed` comes when a domain does not exist or no
/// server answers; its reason names the domain.
///
/// - `types`: service types, and subtypes such as `_universal._sub._ipp._tcp`.
/// - Throws: `.invalidDomain`, with the domain as its message (exit 64).
package func browseUnicast(
  _ types: [String], in scope: UnicastScope
) throws(DNSSDError) -> AsyncStream<ServiceEvent> {
  var domains: [DomainName] = []
  for text in scope.domains {
    guard let domain = DomainName(text) else { throw DNSSDError(.invalidDomain, text) }
    domains.append(domain)
  }
  let stop = try StopSignal()
  let (events, continuation) = AsyncStream<ServiceEvent>.makeStream()
  continuation.onTermination = { _ in stop.raise() }
  let session = UnicastSession(types, scope) { continuation.yield($0) }
  detachThread { [domains] in
    session.run(domains, until: stop)
    continuation.finish()
  }
  return events
}

/// Checks that a domain, or a service type in it, exists in unicast DNS.
///
/// - `timeout`: how long to wait for its servers. The thread that queries them ends later.
/// - Throws: `.invalidDomain` (exit 64), `.noSuchDomain` or `.noAnswer` (exit 69).
package func checkDomain(
  _ text: String, for types: [String], timeout: Duration
) async throws(DNSSDError) {
  guard let domain = DomainName(text) else { throw DNSSDError(.invalidDomain, text) }
  let (answers, feed) = AsyncStream<UnicastResolver.Answer>.makeStream()
  detachThread {
    if let resolver = UnicastResolver() { feed.yield(resolver.existence(of: domain, types)) }
    feed.finish()
  }
  let timer = Task {
    try? await Task.sleep(for: timeout)
    feed.finish()
  }
  defer { timer.cancel() }
  switch await answers.first(where: { _ in true }) {
  case .records, .nothing: return
  case .noSuchName: throw DNSSDError(.noSuchDomain, text)
  case .failed(let reason): throw DNSSDError(.noAnswer, reason)
  case nil: throw DNSSDError(.noAnswer, "no DNS server answers for it")
  }
}

extension UnicastResolver {
  /// Checks that a domain exists.
  ///
  /// The domain's own name is queried last: some servers deny the existence of names that have only names below them
  /// (RFC 8020 explains why they should not).
  func existence(of domain: DomainName, _ types: [String]) -> Answer {
    for type in types {
      guard let name = DomainName(type)?.below(domain) else { continue }
      let answer = ask(DNSType.pointer, of: name)
      if answer != .noSuchName { return answer }
    }
    return ask(DNSType.authority, of: domain)
  }
}
