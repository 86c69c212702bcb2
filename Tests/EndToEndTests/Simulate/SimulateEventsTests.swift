import FoundationEssentials
import TestSupport
import Testing

/// Notifications of events at a simulated printer, for its subscribers (RFC 3995, RFC 3996).
@Suite(.inTurn) struct SimulateEventsTests {
  @Test func `a subscriber hears of jobs and of the printer, once and in order`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser", "--fault", "media-empty@2")
    let made = try await person.ask(
      simulation, "Create-Printer-Subscriptions", "",
      subscription: """
        ATTR keyword notify-pull-method ippget
        ATTR keyword notify-events job-created,job-state-changed,job-progress,printer-stopped
        ATTR octetString notify-user-data till
        """)
    #expect(made.contains("notify-subscription-id (integer) = 1"), "\(made)")
    #expect(made.contains("notify-lease-duration (integer) = 86400"), "\(made)")
    let printing = try person.start(
      "print", "-d", simulation.uri, "--resolution", "300",
      try person.document(PageShape.a5.landmarks(pages: 2)))
    try await simulation.wait(for: "stopped")
    _ = try await person.airprint("simulate", "clear", simulation.name)
    let printed = await printing.end()
    #expect(printed.code == 0, "\(printed.report)")

    let told = try await person.ask(
      simulation, "Get-Notifications", "ATTR integer notify-subscription-ids 1")
    let twice = try await person.ask(
      simulation, "Get-Notifications", "ATTR integer notify-subscription-ids 1,1")
    #expect(twice.contains("client-error-bad-request"), "\(twice)")
    let events = told.values(of: "notify-subscribed-event")
    // Created, queued, printing, a page, out of paper, printing again, a page, completed: one keyword each.
    #expect(
      events == [
        "job-created", "job-state-changed", "job-state-changed", "job-progress",
        "job-state-changed", "printer-stopped", "job-state-changed", "job-progress",
        "job-state-changed",
      ], "\(told)")
    #expect(
      told.values(of: "notify-sequence-number") == (1...events.count).map(String.init), "\(told)")
    #expect(
      told.values(of: "job-state") == [
        "pending-held", "pending", "processing", "processing", "processing-stopped", "processing",
        "processing", "completed",
      ], "\(told)")
    #expect(told.contains("printer-state-reasons (keyword) = media-empty-error"), "\(told)")
    #expect(told.contains("notify-get-interval (integer) = 1"), "\(told)")
    let last = try await person.ask(
      simulation, "Get-Notifications",
      "ATTR integer notify-subscription-ids 1\nATTR integer notify-sequence-numbers 9")
    #expect(last.values(of: "notify-sequence-number") == ["9"], "\(last)")

    let renewed = try await person.ask(
      simulation, "Renew-Subscription", "ATTR integer notify-subscription-id 1",
      subscription: "ATTR integer notify-lease-duration 60")
    #expect(renewed.contains("notify-lease-duration (integer) = 60"), "\(renewed)")
    let canceled = try await person.ask(
      simulation, "Cancel-Subscription", "ATTR integer notify-subscription-id 1")
    #expect(canceled.contains("[PASS]"), "\(canceled)")
    let gone = try await person.ask(
      simulation, "Get-Notifications", "ATTR integer notify-subscription-ids 1")
    #expect(gone.contains("client-error-not-found"), "\(gone)")
    _ = await simulation.end()
  }

  @Test func `what is no subscription is refused, and a stranger hears nothing`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser")
    let pushed = try await person.ask(
      simulation, "Create-Printer-Subscriptions", "",
      subscription: "ATTR uri notify-recipient-uri mailto:nobody@example.com")
    #expect(pushed.contains("client-error-ignored-all-subscriptions"), "\(pushed)")
    let lost = try await person.ask(
      simulation, "Create-Job-Subscriptions", "ATTR integer notify-job-id 7",
      subscription: "ATTR keyword notify-pull-method ippget")
    #expect(lost.contains("client-error-not-found"), "\(lost)")
    let usual = try await person.ask(
      simulation, "Create-Printer-Subscriptions", "",
      subscription: "ATTR keyword notify-pull-method ippget")
    #expect(usual.contains("notify-subscription-id (integer) = 1"), "\(usual)")
    let stranger = try await person.ask(
      simulation, "Get-Notifications", "ATTR integer notify-subscription-ids 1", user: "mallory")
    #expect(stranger.contains("client-error-not-authorized"), "\(stranger)")
    _ = await simulation.end()
  }

  /// A lease of 0 seconds never expires (RFC 3995 §5.3.8).
  @Test func `one client's eternal subscriptions leave room for others`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser")
    let wish = "ATTR keyword notify-pull-method ippget\nATTR integer notify-lease-duration 0"
    let many = Array(repeating: wish, count: 101)
      .joined(separator: "\nGROUP subscription-attributes-tag\n")
    let made = try await person.ask(
      simulation, "Create-Printer-Subscriptions", "", subscription: many, user: "mallory")
    // Only as many as there is room for.
    #expect(made.values(of: "notify-subscription-id").count == 100, "\(made)")
    #expect(made.contains("successful-ok-ignored-subscriptions"), "\(made)")
    let other = try await person.ask(
      simulation, "Create-Printer-Subscriptions", "",
      subscription: "ATTR keyword notify-pull-method ippget")
    #expect(other.contains("notify-subscription-id (integer) = 101"), "\(other)")
    // The user with the most subscriptions lost the oldest one, and loses another; the other user's only one stays.
    let again = try await person.ask(
      simulation, "Create-Printer-Subscriptions", "", subscription: wish, user: "mallory")
    #expect(again.contains("notify-subscription-id (integer) = 102"), "\(again)")
    let left = try await person.ask(
      simulation, "Get-Subscriptions", "ATTR keyword requested-attributes notify-subscription-id")
    #expect(
      left.values(of: "notify-subscription-id") == (3...102).map(String.init), "\(left)")
    _ = await simulation.end()
  }

  @Test func `a system says how it and its printers are`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser", "--server", "receipt")
    let system = "ipp://localhost:\(simulation.port)/ipp/system"
    func ask(_ line: String) async throws -> String {
      try await person.ask(simulation, "Get-System-Attributes", line, at: system)
    }
    let whole = try await ask("")
    #expect(whole.contains("system-state (enum) = idle"), "\(whole)")
    #expect(whole.contains("system-uuid (uri) = urn:uuid:"), "\(whole)")
    #expect(whole.contains("system-default-printer-id (integer) = 1"), "\(whole)")
    for name in simulation.printers.compactMap(\.name?.string) {
      #expect(whole.contains("printer-name=\(name)"), "\(whole)")
    }
    let faulty = simulation.printers.compactMap(\.name?.string)
    for name in faulty { _ = try await person.airprint("simulate", "fault", name, "jam") }
    let part = try await ask("ATTR keyword requested-attributes system-state,system-state-reasons")
    #expect(part.contains("system-state (enum) = stopped"), "\(part)")
    #expect(part.contains("system-state-reasons (keyword) = media-jam-error"), "\(part)")
    #expect(!part.contains("system-uuid"), "\(part)")
    let printers = try await person.ask(
      simulation, "Get-Printers",
      "ATTR keyword requested-attributes printer-id,printer-xri-supported", at: system)
    #expect(printers.values(of: "printer-id") == ["1", "2"], "\(printers)")
    #expect(printers.contains("localhost:\(simulation.port)/ipp/print/receipt"), "\(printers)")
    _ = await simulation.end()
  }
}

extension Person {
  /// Returns ipptool's report of a request with these attributes, and of the response, whatever it is.
  ///
  /// - `subscription`: attributes of a subscription group.
  fileprivate func ask(
    _ simulation: Simulation, _ operation: String, _ attributes: String,
    subscription: String? = nil, user: String = "alice", at uri: String? = nil
  ) async throws -> String {
    let file = path("\(operation).test")
    let target = uri == nil ? "printer-uri" : "system-uri"
    try Array(
      """
      {
        OPERATION \(operation)
        GROUP operation-attributes-tag
        ATTR charset attributes-charset utf-8
        ATTR naturalLanguage attributes-natural-language en
        ATTR uri \(target) $uri
        ATTR name requesting-user-name \(user)
        \(attributes)
        \(subscription.map { "GROUP subscription-attributes-tag\n\($0)" } ?? "")
      }
      """.utf8
    ).write(to: file)
    return try await bench.run(["ipptool", "-tv", uri ?? simulation.uri, file]).stdout
  }
}

extension String {
  /// Returns the values of an attribute in ipptool's report, one for each group of the response.
  fileprivate func values(of name: String) -> [String] {
    split(separator: "\n").compactMap { line in
      let parts = line.split(separator: " = ", maxSplits: 1)
      guard parts.count == 2, parts[0].split(separator: " ").first == name[...] else { return nil }
      return String(parts[1])
    }
  }
}
