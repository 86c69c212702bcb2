package import DNSSD
internal import ForeignText
internal import PrintModel

/// Places to look for printers.
package struct SearchScope: Sendable {
  /// Includes the links of this machine.
  package var includesLink = true
  /// Includes domains that the network recommends (RFC 6763 §11).
  package var includesRecommended = true
  /// Further domains of unicast DNS.
  package var domains: [String] = []
  /// True if the user named the domains; one that does not exist then ends the search.
  package var isExplicit = false
  /// Returns true for instance names of a domain to look up: of thousands, those that match a filter.
  package var admits: @Sendable (String) -> Bool = { _ in true }

  /// Returns true for locations in TXT records of printers to resolve; nil: all.
  package var admitsLocation: (@Sendable (String?) -> Bool)?

  /// Returns services of this machine that Avahi would announce on loopback if it ran, to look for without it; nil: there
  /// are none.
  package var servedHere: (@Sendable () async -> [Service: ServiceDetails])?

  /// Searches everywhere: the link, the domains that the network recommends, and these.
  package init(besides domains: [String] = []) { self.domains = domains }

  /// Searches only these domains, of which `local` is the link.
  package init(only domains: [String]) {
    let local = domains.filter { ["local", "local."].contains($0.lowercased()) }
    includesLink = !local.isEmpty
    includesRecommended = false
    self.domains = domains.filter { !local.contains($0) }
    isExplicit = true
  }

  /// Returns the services of the whole scope as one stream.
  ///
  /// - `timeout`: how long to wait for a domain that the user named.
  /// - `note`: called with messages for the user about domains that can't be searched.
  /// - Throws: `unavailable` if there is neither Avahi, nor a network to search without it, nor a domain, or if a
  ///   domain does not exist or no server answers for it; `usage` for an invalid domain.
  func services(
    timeout: Duration, note: @escaping @Sendable (String) -> Void
  ) async throws(Failure) -> AsyncStream<ServiceEvent> {
    var sources: [AsyncStream<ServiceEvent>] = []
    if includesLink {
      do throws(DNSSDError) {
        sources.append(try await browse(Search.types))
      } catch {
        do throws(DNSSDError) {
          guard [.noBus, .noDaemon, .silentDaemon].contains(error.code) else { throw error }
          if let servedHere { sources.append(watch(servedHere)) }
          sources.append(try browseLink(Search.types))
          let state = error.code == .silentDaemon ? "doesn't answer" : "isn't running"
          note(
            "Avahi \(state); searching without it; printers that appear later may be missed.")
        } catch let other {
          let problem = Failure(other, domain: nil)
          guard !domains.isEmpty || !sources.isEmpty else { throw problem }
          note(
            sources.isEmpty
              ? problem.message : "No local network is up here; only printers on USB are found.")
        }
      }
    }
    if includesRecommended || !domains.isEmpty {
      for domain in domains where isExplicit {
        do throws(DNSSDError) {
          try await checkDomain(domain, for: Search.types, timeout: timeout)
        } catch {
          throw Failure(error, domain: domain)
        }
      }
      var scope = UnicastScope(domains)
      scope.includesRecommended = includesRecommended
      scope.admits = admits
      if let admitsLocation {
        // Keep services whose record can't be understood.
        scope.admitsText = {
          PrinterTXTRecord(TextRecord($0)).map { admitsLocation($0.location) } ?? true
        }
      }
      do throws(DNSSDError) {
        sources.append(try browseUnicast(Search.types + Search.unicastTypes, in: scope))
      } catch {
        throw Failure(error, domain: error.message)
      }
    }
    return merged(sources, note: note)
  }
}

extension Search {
  /// Subtypes for domains that list their printers only for IPP Everywhere (PWG 5100.14 §4.2.1).
  static let unicastTypes = ["_print._sub._ipps._tcp", "_print._sub._ipp._tcp"]
}

/// Looks for services again and again, until the stream's consumer stops or is canceled.
func watch(
  _ look: @escaping @Sendable () async -> [Service: ServiceDetails]
) -> AsyncStream<ServiceEvent> {
  stream { tell in
    var known: [Service: ServiceDetails] = [:]
    while !Task.isCancelled {
      let now = await look()
      for service in known.keys where now[service] == nil {
        tell(.vanished(service, asked: service.type))
      }
      for (service, details) in now where known[service] != details {
        if known[service] == nil { tell(.appeared(service, asked: service.type)) }
        tell(.resolved(service, details))
      }
      known = now
      tell(.allForNow)
      try? await Task.sleep(for: .seconds(3))
    }
  }
}

/// Merges streams into one, which reports `allForNow` once all of them have.
///
/// Each reason for a failure is noted once.
func merged(
  _ sources: [AsyncStream<ServiceEvent>], note: @escaping @Sendable (String) -> Void
) -> AsyncStream<ServiceEvent> {
  stream { tell in
    let (inputs, feed) = AsyncStream<(Int, ServiceEvent)>.makeStream()
    await withDiscardingTaskGroup { group in
      group.addTask {
        await withDiscardingTaskGroup { group in
          for (number, source) in sources.enumerated() {
            group.addTask { for await event in source { feed.yield((number, event)) } }
          }
        }
        feed.finish()
      }
      var pending = Set(sources.indices)
      var noted: Set<String> = []
      for await (number, event) in inputs {
        switch event {
        case .allForNow:
          pending.remove(number)
          if pending.isEmpty { tell(event) }
        case .failed(let reason):
          // It may contain the name of a domain that the network recommends.
          if noted.insert(reason).inserted { note(reason.onOneLine) }
          tell(event)
        default: tell(event)
        }
      }
    }
  }
}
