import DNSSD
import Glibc
import TestSupport
import Testing

let printerTypes = ["_ipps._tcp", "_ipp._tcp"]

/// Returns the events until `isEnough` is true, or until `limit`.
func collect(
  _ events: AsyncStream<ServiceEvent>, within limit: Duration = timeout,
  until isEnough: @escaping @Sendable ([ServiceEvent]) -> Bool
) async -> [ServiceEvent] {
  let collecting = Task {
    var seen: [ServiceEvent] = []
    for await event in events {
      seen.append(event)
      if isEnough(seen) { break }
    }
    return seen
  }
  let timer = Task {
    try await Task.sleep(for: limit)
    collecting.cancel()
  }
  let seen = await collecting.value
  timer.cancel()
  if !isEnough(seen) { Issue.record("not within \(limit); seen: \(seen.map(\.summary))") }
  return seen
}

/// Returns the queries that were answered with `_ipp._tcp`.
func asked(_ events: [ServiceEvent]) -> Set<String> {
  Set(events.filter { $0.service?.type == "_ipp._tcp" }.compactMap(\.asked))
}

extension ServiceEvent {
  var service: Service? {
    switch self {
    case .appeared(let service, _), .resolved(let service, _), .updated(let service, _),
      .unresolved(let service), .vanished(let service, _):
      service
    case .failed, .allForNow, .daemonLost: nil
    }
  }

  var details: ServiceDetails? {
    switch self {
    case .resolved(_, let details), .updated(_, let details): details
    default: nil
    }
  }

  /// The type that was browsed for.
  var asked: String? {
    switch self {
    case .appeared(_, let asked), .vanished(_, let asked): asked
    default: nil
    }
  }

  var isResolution: Bool { if case .resolved = self { true } else { false } }
  var isFailure: Bool { if case .unresolved = self { true } else { false } }
  var isDisappearance: Bool { if case .vanished = self { true } else { false } }

  /// A description for messages: the kind of event, and the service.
  var summary: String {
    let kind = "\(self)".prefix { $0 != "(" }
    return "\(kind) \(service.map { "\($0.instance) \($0.type) \($0.transport)" } ?? "")"
  }
}

extension [ServiceEvent] {
  func of(_ instance: String) -> [ServiceEvent] {
    filter { $0.service?.instance == instance }
  }
}

extension ServiceDetails {
  /// The strings of a TXT record.
  var strings: [String] {
    txt.map { entry in
      entry.value.map { "\(entry.key)=\(String(decoding: $0, as: UTF8.self))" } ?? entry.key
    }
  }
}

/// Returns the number of entries in a folder of /proc.
func count(_ folder: String) -> Int {
  guard let directory = opendir(folder) else { return -1 }
  defer { closedir(directory) }
  var count = 0
  while readdir(directory) != nil { count += 1 }
  return count
}
