/// A DNS-SD record that a test announces, for a printer that does not exist or with unusual content.
package final class Announcement: Sendable {
  package let program: Program

  fileprivate init(_ program: Program) { self.program = program }

  /// Withdraws the record, with a goodbye to the network.
  package func withdraw() async {
    program.signal(15)
    _ = await program.end(within: .seconds(5))
  }
}

extension Bench {
  /// Announces a service with avahi-publish, and waits until it is established.
  ///
  /// - `host`: the service's host, such as `elsewhere.local`; nil for the bench's host. Avahi needs an address for
  ///   it: see `publishHost`.
  /// - `survives`: true to announce it again after the daemon restarts.
  package func publish(
    _ name: String, type: String = "_ipp._tcp", port: Int = 631, txt: [String] = [],
    subtypes: [String] = [], host: String? = nil, domain: String? = nil, survives: Bool = false
  ) async throws -> Announcement {
    try await publish(
      name, type: type, port: port, rawTXT: txt.map { Array($0.utf8) }, subtypes: subtypes,
      host: host, domain: domain, survives: survives)
  }

  /// Announces several services that differ only in their names.
  ///
  /// They are established at the same time; one alone takes 0.9 s.
  package func publish(
    _ names: [String], type: String = "_ipp._tcp", port: Int = 631, txt: [String] = []
  ) async throws -> [Announcement] {
    try await withThrowingTaskGroup(of: Announcement.self) { group in
      for name in names {
        group.addTask { try await self.publish(name, type: type, port: port, txt: txt) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  /// Announces a service, with TXT strings of any bytes but NUL.
  package func publish(
    _ name: String, type: String = "_ipp._tcp", port: Int = 631, rawTXT: [[UInt8]],
    subtypes: [String] = [], host: String? = nil, domain: String? = nil, survives: Bool = false
  ) async throws -> Announcement {
    var options: [String] = survives ? ["--no-fail"] : []
    options += subtypes.map { "--subtype=\($0)" }
    if let host { options.append("--host=\(host)") }
    if let domain { options.append("--domain=\(domain)") }
    let words = ["avahi-publish", "-s"] + options + ["--", name, type, "\(port)"]
    return try await establish(words.map { Array($0.utf8) } + rawTXT)
  }

  /// Announces an address of a host that does not exist.
  package func publishHost(_ host: String, address: String) async throws -> Announcement {
    let words = ["avahi-publish", "-a", "--no-reverse", host, address]
    return try await establish(words.map { Array($0.utf8) })
  }

  private func establish(_ arguments: [[UInt8]]) async throws -> Announcement {
    let program = try start(bytes: arguments)
    try await program.wait(for: "Established under name")
    return Announcement(program)
  }
}
