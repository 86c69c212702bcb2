internal import DNSSD
internal import PrintModel

/// Places to look for printers.
package struct SearchScope: Sendable {
  /// The links that this machine is on.
  package var includesLink = true
  /// Domains that the network recommends (RFC 6763 §11).
  package var includesRecommended = true
  /// Domains of unicast DNS besides.
  package var domains: [String] = []
  /// The domains were asked for, and one that does not exist ends the search.
  package var isExplicit = false
  /// Choice of a domain's instance names to look at further: of thousands, those that a filter lets
  /// pass.
  package var admits: @Sendable (String) -> Bool = { _ in true }

  /// Choice among these by the location that their TXT records state; nil: all.
  package var admitsLocation: (@Sendable (String?) -> Bool)?

  /// Everywhere: the link, what the network recommends, and these domains.
  package init(besides domains: [String] = []) { self.domains = domains }

  /// Only in these domains, of which `local` is the link.
  package init(only domains: [String]) {
    let local = domains.filter { ["local", "local."].contains($0.lowercased()) }
    includesLink = !local.isEmpty
    includesRecommended = false
    self.domains = domains.filter { !local.contains($0) }
    isExplicit = true
  }

  /// The services of all of it, as one stream.
  ///
  /// - `timeout`: how long to wait for a domain that was asked for.
  /// - `note`: called with what a user should know about domains that can't be searched.
  /// - Throws: `unavailable` when there is neither Avahi, nor a network to search without it, nor a domain, and for a
  ///   domain that does not exist or that no server answers for; `usage` for an invalid one.
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
          sources.append(try browseLink(Search.types))
          let state = error.code == .silentDaemon ? "doesn't answer" : "isn't running"
          note(
            "Avahi \(state); searching without it; printers that appear later may be missed.")
        } catch let other {
          let problem = Failure(other, domain: nil)
          guard !domains.isEmpty else { throw problem }
          note(problem.message)
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
      var scope = UnicastScope(domains, includesRecommended: includesRecommended, admits: admits)
      if let admitsLocation {
        // A record that can't be understood is looked at as before.
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
  /// A domain may list its printers for IPP Everywhere alone (PWG 5100.14 §4.2.1).
  static let unicastTypes = ["_print._sub._ipps._tcp", "_print._sub._ipp._tcp"]
}

/// Several streams as one, which reports `allForNow` once all of them have.
///
/// Reasons for failures are noted, each once.
func merged(
  _ sources: [AsyncStream<ServiceEvent>], note: @escaping @Sendable (String) -> Void
) -> AsyncStream<ServiceEvent> {
  let (inputs, feed) = AsyncStream<(Int, ServiceEvent)>.makeStream()
  let (events, continuation) = AsyncStream<ServiceEvent>.makeStream()
  let task = Task {
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
          if pending.isEmpty { continuation.yield(event) }
        case .failed(_, let reason):
          if noted.insert(reason).inserted { note(reason) }
          continuation.yield(event)
        default: continuation.yield(event)
        }
      }
    }
    continuation.finish()
  }
  continuation.onTermination = { _ in task.cancel() }
  return events
}
