import FoundationEssentials
import PrintModel
import TestSupport
import Testing

@testable import Discovery

/// Discovery with real daemons, printers and records.
@Suite(.needsNamespaces) struct DiscoverTests {
  @Test func `a printer appears once, with what it announces`() async throws {
    guard isOwnProcess else {
      let bench = try await Bench()
      var options = VirtualPrinter.Options()
      options.isDuplex = true
      options.location = "Room 2"
      options.makeAndModel = ("Example", "Laser 5")
      options.formats = ["image/urf", "image/jpeg"]
      let printer = try await bench.printer("Büro 1. Stock", options)
      try await bench.repeatTest(adding: ["PORT": "\(printer.port)"])
      return await bench.close()
    }
    let port = try variable("PORT")
    let events = try await all(discover(timeout: timeout))
    #expect(events.last == .settled)
    #expect(events.appeared.count == 1)
    let printer = try #require(events.printers.first)
    #expect(printer.service == ServiceName(instance: "Büro 1. Stock", domain: "local"))
    #expect(printer.name == "Büro 1. Stock")
    #expect(printer.uri == "ipps://bench.local:\(port)/ipp/print")
    let (ipps, ipp) = (printer.uri, "ipp://bench.local:\(port)/ipp/print")
    #expect(
      printer.endpoints == [
        Endpoint(uri: ipps, address: "127.0.0.1"), Endpoint(uri: ipps, address: "::1"),
        Endpoint(uri: ipp, address: "127.0.0.1"), Endpoint(uri: ipp, address: "::1"),
      ])
    #expect(printer.uuid?.count == 36)
    #expect(printer.makeAndModel == "Example Laser 5")
    #expect(printer.location == "Room 2")
    #expect(printer.isDuplex == true)
    #expect(printer.isPrintable)
    // ippeveprinter's record has no kind, so the types are unknown until the printer is asked.
    #expect(printer.types.isEmpty && !printer.typesAreStated)
  }

  @Test func `records tell kinds, credentials and queues, whatever they are called`() async throws {
    let names = ["Récépissé \u{1B}[2J", #"..\..\"x" \065"#, String(repeating: "é", count: 31)]
    guard isOwnProcess else {
      let bench = try await Bench()
      let pdl = "pdl=application/pdf,image/urf"
      _ = try await bench.publish(
        names[0], type: "_ipps._tcp", port: 8631,
        txt: [pdl, "kind=receipt,label", "air=username,password", "UUID=nonsense", "URF=W8"],
        subtypes: ["_universal._sub._ipps._tcp"])
      _ = try await bench.publish(
        names[1], txt: [pdl, "PaperMax=>isoC-A2", "rp=/a b", "printer-type=0x1000", "note=\u{7}"])
      _ = try await bench.publish(
        names[2], rawTXT: [[0xFF, 0x3D, 0xFE], Array("pdl=".utf8) + [0x80], Array("rp".utf8)])
      _ = try await bench.publish("Version 2", txt: ["txtvers=2", pdl])
      _ = try await bench.publish("Placeholder", port: 0, txt: [pdl])
      try await bench.repeatTest()
      return await bench.close()
    }
    let printers = try await all(discover(timeout: timeout)).printers
    #expect(Set(printers.map(\.name)) == Set(names))
    let receipts = try #require(printers.first { $0.name == names[0] })
    #expect(receipts.types == [.receipt, .label])
    #expect(receipts.typesAreStated)
    #expect(receipts.authentication == "username,password")
    #expect(receipts.uuid == nil)
    let plotter = try #require(printers.first { $0.name == names[1] })
    #expect(plotter.types == [.document, .largeFormat])
    #expect(plotter.uri == "ipp://bench.local/a%20b")
    let silent = try #require(printers.first { $0.name == names[2] })
    #expect(!silent.isPrintable)
    #expect(silent.uri == "ipp://bench.local/ipp/print")
  }

  @Test func `two printers of one name are two`() async throws {
    guard isOwnProcess else {
      let bench = try await Bench()
      _ = try await bench.publishHost("first.local", address: "127.0.0.11")
      _ = try await bench.publishHost("second.local", address: "127.0.0.12")
      _ = try await bench.publish("Printer", type: "_ipp._tcp", host: "first.local")
      _ = try await bench.publish("Printer", type: "_ipps._tcp", host: "second.local")
      try await bench.repeatTest()
      return await bench.close()
    }
    let printers = try await all(discover(timeout: timeout)).printers
    #expect(
      Set(printers.map(\.uri)) == [
        "ipp://first.local/ipp/print", "ipps://second.local/ipp/print",
      ])
  }

  @Test func `one that watches tells what comes and goes`() async throws {
    guard isOwnProcess else {
      let bench = try await Bench()
      async let watching: Void = bench.repeatTest()
      try await Sign("settled", on: bench).wait()
      let announcement = try await bench.publish("Visitor")
      try await Sign("appeared", on: bench).wait()
      await announcement.withdraw()
      try await watching
      return await bench.close()
    }
    var kinds: [String] = []
    for await event in try await discover(watching: true) {
      switch event {
      case .settled:
        kinds.append("settled")
        Sign("settled").raise()
      case .appeared(let printer):
        kinds.append("appeared \(printer.name)")
        Sign("appeared").raise()
      case .changed: break  // its other addresses
      case .vanished(let printer): kinds.append("vanished \(printer.name)")
      }
      if kinds.count == 3 { break }
    }
    #expect(kinds == ["settled", "appeared Visitor", "vanished Visitor"])
  }

  @Test func `a restarted daemon makes a printer neither go nor come`() async throws {
    guard isOwnProcess else {
      let bench = try await Bench()
      _ = try await bench.publish("Stays", survives: true)
      _ = try await bench.publish("Goes")
      async let watching: Void = bench.repeatTest()
      try await Sign("settled", on: bench).wait()
      await bench.stopDaemon()
      try await bench.startDaemon()
      try await watching
      return await bench.close()
    }
    var events: [DiscoveryEvent] = []
    for await event in try await discover(watching: true) {
      events.append(event)
      if event == .settled { Sign("settled").raise() }
      if case .vanished = event { break }
    }
    #expect(events.vanished.map(\.name) == ["Goes"])
    #expect(events.appeared.map(\.name).sorted() == ["Goes", "Stays"])
  }

  @Test func `a hundred printers settle`() async throws {
    guard isOwnProcess else {
      let bench = try await Bench()
      _ = try await bench.publish((1...100).map { "Printer \($0)" })
      try await bench.repeatTest()
      return await bench.close()
    }
    let events = try await all(discover(timeout: timeout))
    #expect(events.printers.count == 100)
  }

  @Test func `an empty network takes little more than Avahi's second`() async throws {
    guard isOwnProcess else {
      let bench = try await Bench()
      try await bench.repeatTest()
      return await bench.close()
    }
    let start = ContinuousClock.now
    #expect(try await all(discover(timeout: timeout)) == [.settled])
    let time = start.duration(to: .now)
    #expect(time >= .seconds(1))
  }

  @Test func `a printer that does not resolve costs no more than the time allowed`() async throws {
    guard isOwnProcess else {
      let bench = try await Bench()
      _ = try await bench.publish("Silent", host: "nowhere.local")
      try await bench.repeatTest()
      return await bench.close()
    }
    let start = ContinuousClock.now
    #expect(try await all(discover(timeout: .seconds(2))) == [.settled])
    let time = start.duration(to: .now)
    #expect(time >= .seconds(2))
  }

  @Test func `a search that is given up leaves nothing behind`() async throws {
    guard isOwnProcess else {
      let bench = try await Bench()
      _ = try await bench.publish("Leftover")
      try await bench.repeatTest()
      return await bench.close()
    }
    let threads = { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count }
    _ = try await all(discover(timeout: .milliseconds(100)))
    try await Task.sleep(for: .milliseconds(300))
    let before = try threads()
    for _ in 0..<5 {
      for await _ in try await discover(watching: true) { break }
      _ = try await discover(watching: true)
      let canceled = Task { for await _ in try await discover(watching: true) {} }
      try await Task.sleep(for: .milliseconds(50))
      canceled.cancel()
    }
    try await eventually("every thread ends") { try threads() <= before }
  }

  @Test(.needsTwoHosts) func `another host's printer is one, however it is reached`() async throws {
    guard isOwnProcess else {
      let hosts = try await TwoHosts()
      let printer = try await hosts.b.printer("Over there")
      try await hosts.a.repeatTest(adding: ["PORT": "\(printer.port)"])
      return await hosts.close()
    }
    let printers = try await all(discover(timeout: timeout)).printers
    #expect(printers.map(\.name) == ["Over there"])
    let authority = "beta.local:\(try variable("PORT"))"
    #expect(
      printers.first?.endpoints == [
        Endpoint(uri: "ipps://\(authority)/ipp/print", address: TwoHosts.ipv4[1]),
        Endpoint(uri: "ipps://\(authority)/ipp/print", address: TwoHosts.ipv6[1]),
        Endpoint(uri: "ipp://\(authority)/ipp/print", address: TwoHosts.ipv4[1]),
        Endpoint(uri: "ipp://\(authority)/ipp/print", address: TwoHosts.ipv6[1]),
      ])
  }

  @Test(.needsTwoHosts) func `a printer with a link-local address alone is reached`() async throws {
    guard isOwnProcess else {
      let hosts = try await TwoHosts(onlyLinkLocal: true)
      let printer = try await hosts.b.printer("Next door")
      let address = Sign("address", on: hosts.a)
      async let discovery: Void = hosts.a.repeatTest()
      try await address.wait()
      try await discovery
      let found = try address.text()
      let uri = "ipp://[\(found.replacing("%", with: "%25"))]:\(printer.port)/ipp/print"
      let asked = try await hosts.a.run(["ipptool", "-tv", uri, "get-printer-attributes.test"])
      #expect(asked.stdout.contains("status-code = successful-ok"), "\(uri): \(asked.stderr)")
      return await hosts.close()
    }
    let printer = try #require(try await all(discover(timeout: timeout)).printers.first)
    let address = try #require(printer.endpoints.first?.address)
    #expect(address.hasPrefix("fe80::") && address.hasSuffix("%eth0"))
    Sign("address").raise(address)
  }
}

/// Discovery without Avahi.
@Suite(.needsNamespaces) struct DiscoveryFailureTests {
  /// Only printers on USB could be found.
  @Test func `without Avahi and a network it says so`() async throws {
    guard isOwnProcess else {
      let bench = try await Bench(withDaemon: false)
      try await bench.repeatTest()
      return await bench.close()
    }
    let failure = await #expect(throws: Failure.self) { try await discover() }
    #expect(failure?.code == .unavailable)
    #expect(failure?.message.contains("no local network is up here") == true)
    #expect(failure?.message.contains("USB are found where ipp-usb runs") == true)
  }

  @Test func `without D-Bus and a network it says the same`() async throws {
    guard isOwnProcess else {
      let bench = try await Bench(withDaemon: false)
      await bench.stopBus()
      try await bench.repeatTest()
      return await bench.close()
    }
    let failure = await #expect(throws: Failure.self) { try await discover() }
    #expect(failure?.code == .unavailable)
    #expect(failure?.message.contains("no local network is up here") == true)
  }

  @Test func `a domain that is none is a mistake of the person's`() async throws {
    guard isOwnProcess else { return try await Bench.shared.repeatTest() }
    let failure = await #expect(throws: Failure.self) {
      try await discover(in: SearchScope(only: ["a..b"]))
    }
    #expect(failure == Failure(.usage, "“a..b” is not a domain."))
  }
}

private func all(_ events: AsyncStream<DiscoveryEvent>) async -> [DiscoveryEvent] {
  await events.reduce(into: []) { $0.append($1) }
}

extension [DiscoveryEvent] {
  /// The printers that are present after these events.
  fileprivate var printers: [DiscoveredPrinter] {
    reduce(into: []) { printers, event in
      switch event {
      case .appeared(let printer): printers.append(printer)
      case .changed(let printer, let former):
        printers.removeAll { $0 == former }
        printers.append(printer)
      case .vanished(let printer): printers.removeAll { $0 == printer }
      case .settled: break
      }
    }
  }

  fileprivate var appeared: [DiscoveredPrinter] {
    compactMap { if case .appeared(let printer) = $0 { printer } else { nil } }
  }

  fileprivate var vanished: [DiscoveredPrinter] {
    compactMap { if case .vanished(let printer) = $0 { printer } else { nil } }
  }
}
