import DNSSD
import PrintModel
import TestSupport
import Testing

@testable import Discovery

private let uuid = "cfe92100-67c4-11d4-a45f-dccd2f1b3a2e"
private let otherUUID = "11111111-67c4-11d4-a45f-dccd2f1b3a2e"

/// Grouping of sightings into printers, and the order of a printer's URIs.
@Suite struct ServiceRegistryTests {
  @Test func `a device with ipp, ipps, IPv4 and IPv6 on two interfaces is one printer`() throws {
    var sightings: [(Service, ServiceDetails)] = []
    for type in ["_ipp._tcp", "_ipps._tcp"] {
      sightings += [
        sighting("Laser", type, .ipv4, at: ["192.0.2.7"]),
        sighting("Laser", type, .ipv6, at: ["2001:db8::7", "fe80::7%eth0"]),
        sighting("Laser", type, on: "wlan0", .ipv4, at: ["198.51.100.7"]),
      ]
    }
    let printers = registry(of: sightings)
    #expect(printers.count == 1)
    let printer = try #require(printers.first)
    let (ipps, ipp) = ("ipps://printer.local/ipp/print", "ipp://printer.local/ipp/print")
    #expect(
      printer.endpoints == [
        Endpoint(uri: ipps, address: "192.0.2.7"), Endpoint(uri: ipps, address: "198.51.100.7"),
        Endpoint(uri: ipps, address: "2001:db8::7"), Endpoint(uri: ipps, address: "fe80::7%eth0"),
        Endpoint(uri: ipp, address: "192.0.2.7"), Endpoint(uri: ipp, address: "198.51.100.7"),
        Endpoint(uri: ipp, address: "2001:db8::7"), Endpoint(uri: ipp, address: "fe80::7%eth0"),
      ])
  }

  @Test func `a lower priority number is tried first, encryption before it`() {
    let printers = registry(of: [
      sighting("Laser", port: 1000, txt: ["priority=20"]),
      sighting("Laser", on: "wlan0", port: 2000, txt: ["priority=10"]),
      sighting("Laser", "_ipp._tcp", port: 3000, txt: ["priority=0"]),
    ])
    #expect(
      printers.first?.endpoints.map(\.uri) == [
        "ipps://printer.local:2000/ipp/print", "ipps://printer.local:1000/ipp/print",
        "ipp://printer.local:3000/ipp/print",
      ])
  }

  @Test func `a domain that states a link printer's name and UUID does not take its place`() {
    let link = sighting("Laser", "_ipp._tcp", at: ["192.0.2.7"], txt: ["UUID=\(uuid)"])
    let other = sighting(
      "Laser", domain: "example.com", on: "", .unicast, host: "evil.example.com",
      at: ["198.51.100.3"], txt: ["UUID=\(uuid)", "priority=0"])
    for order in [[link, other], [other, link]] {
      #expect(
        registry(of: order).map { $0.endpoints.map(\.uri) } == [
          ["ipp://printer.local/ipp/print", "ipps://evil.example.com/ipp/print"]
        ])
    }
  }

  @Test func `USB and network of one device are two printers`() {
    let network = sighting("HP LaserJet", host: "hp.local", txt: ["UUID=\(uuid)"])
    let usb = sighting(
      "HP LaserJet", on: "lo", host: "localhost", port: 60000, at: ["127.0.0.1", "::1"],
      txt: ["UUID=\(uuid)", "usb_SER=X", "usb_HWID=03f0&1234"], isLocal: true)
    #expect(registry(of: [network, usb]).map(\.name) == ["HP LaserJet", "HP LaserJet (USB)"])
  }

  @Test func `an ipp-usb that serves the network too is one printer`() {
    let here = sighting(
      "HP LaserJet", on: "lo", host: "desk.local", port: 60000, at: ["127.0.0.1"],
      txt: ["usb_SER=X"], isLocal: true)
    let there = sighting(
      "HP LaserJet", on: "eth0", host: "desk.local", port: 60000, at: ["192.0.2.1"],
      txt: ["usb_SER=X"], isLocal: true)
    #expect(registry(of: [here, there]).map(\.name) == ["HP LaserJet (USB)"])
    #expect(registry(of: [there]).map(\.name) == ["HP LaserJet"])
  }

  @Test(arguments: [
    ("HP LaserJet (USB)", "HP LaserJet (USB)"), ("HP LaserJet (USB 2)", "HP LaserJet (USB 2)"),
  ])
  func `ipp-usb's own suffix is not doubled`(_ instance: String, _ name: String) {
    let usb = sighting(
      instance, on: "lo", host: "desk.local", port: 60000, at: ["127.0.0.1"], isLocal: true)
    #expect(registry(of: [usb]).map(\.name) == [name])
  }

  @Test func `a program that serves a printer on loopback is no USB printer`() {
    let virtual = sighting(
      "Virtual", on: "lo", host: "localhost", port: 60000, at: ["127.0.0.1"], isLocal: true)
    let virtualOnNetwork = sighting("Elsewhere (USB)", at: ["192.0.2.9"])
    #expect(
      registry(of: [virtual, virtualOnNetwork]).map(\.name) == ["Virtual", "Elsewhere (USB)"])
  }

  @Test func `cheap printers with one UUID on two hosts are two`() {
    let printers = registry(of: [
      sighting("Cheap", host: "a.local", at: ["192.0.2.1"], txt: ["UUID=\(uuid)"]),
      sighting("Cheap #2", host: "b.local", at: ["192.0.2.2"], txt: ["UUID=\(uuid)"]),
    ])
    #expect(printers.map(\.name) == ["Cheap", "Cheap #2"])
  }

  @Test func `a device under two names is one printer`() throws {
    let printers = registry(of: [
      sighting("Brother HL", txt: ["UUID=\(uuid)"]),
      sighting("Brother HL (2)", "_ipp._tcp", txt: ["UUID=\(uuid)"]),
    ])
    #expect(printers.count == 1)
    #expect(printers.first?.name == "Brother HL")
    #expect(printers.first?.names.contains("Brother HL (2)") == true)
  }

  @Test func `one that a domain calls by another name than the link answers to both`() throws {
    let link = sighting("Laser", at: ["192.0.2.7"], txt: ["UUID=\(uuid)"])
    let other = sighting(
      "2nd floor", domain: "example.com", on: "", .unicast, host: "laser.example.com",
      at: ["192.0.2.7"], txt: ["UUID=\(uuid)"])
    for order in [[link, other], [other, link]] {
      let printers = registry(of: order)
      #expect(printers.map(\.name) == ["Laser"])
      #expect(Set(printers.flatMap(\.names)) == ["Laser", "2nd floor"])
      for name in ["Laser.local", "2nd floor.example.com"] {
        let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
        #expect(
          try #require(printers.first).announces(
            ServiceName(instance: parts[0], domain: parts[1])))
      }
    }
  }

  @Test func `the same attributes served at two ports of one host are two printers`() {
    let printers = registry(of: [
      sighting("Virtual A", port: 8001, txt: ["UUID=\(uuid)"]),
      sighting("Virtual A", "_ipp._tcp", port: 8001, txt: ["UUID=\(uuid)"]),
      sighting("Virtual B", port: 8002, txt: ["UUID=\(uuid)"]),
      sighting("Virtual B", "_ipp._tcp", port: 8002, txt: ["UUID=\(uuid)"]),
    ])
    #expect(printers.map(\.name) == ["Virtual A", "Virtual B"])
  }

  @Test func `the queues of a server are as many printers`() {
    let printers = registry(of: [
      sighting("Front", txt: ["UUID=\(uuid)", "rp=printers/front", "printer-type=0x1"]),
      sighting("Back", txt: ["UUID=\(otherUUID)", "rp=printers/back", "printer-type=0x1"]),
    ])
    #expect(
      printers.map(\.uri) == [
        "ipps://printer.local/printers/back", "ipps://printer.local/printers/front",
      ])
  }

  @Test func `one name at two hosts is two printers`() {
    let printers = registry(of: [
      sighting("Printer", on: "eth0", host: "a.local", at: ["192.0.2.1"]),
      sighting("Printer", on: "wlan0", host: "b.local", at: ["198.51.100.1"]),
    ])
    #expect(printers.map(\.uri) == ["ipps://a.local/ipp/print", "ipps://b.local/ipp/print"])
  }

  @Test func `one name and address with two UUIDs is two printers`() {
    // 192.168.1.5 and factory-set host names exist on many networks.
    let printers = registry(of: [
      sighting("Printer", on: "eth0", txt: ["UUID=\(uuid)"]),
      sighting("Printer", on: "wlan0", txt: ["UUID=\(otherUUID)"]),
    ])
    #expect(printers.count == 2)
  }

  @Test func `one name in two domains is two printers, with one UUID it is one`() throws {
    let apart = registry(of: [
      sighting("Printer", host: "p.local"),
      sighting(
        "Printer", domain: "example.org", on: "", host: "p.example.org", at: ["203.0.113.9"]),
    ])
    #expect(apart.map(\.service.domain).sorted() == ["example.org", "local"])
    let together = registry(of: [
      sighting("Printer", host: "p.local", txt: ["UUID=\(uuid)"]),
      sighting(
        "Printer", domain: "example.org", on: "", host: "p.example.org", at: ["203.0.113.9"],
        txt: ["UUID=\(uuid)"]),
    ])
    #expect(together.count == 1)
    #expect(together.first?.service.domain == "local")
    #expect(together.first?.endpoints.count == 2)
  }

  @Test func `a placeholder and an address that can't be right are no printers`() {
    let printers = registry(of: [
      sighting("Flagship", port: 0),
      sighting("Trap", at: ["127.0.0.1"]),
      sighting("Trap 6", at: ["::1"]),
      sighting("Nowhere", at: ["0.0.0.0", "::", "224.0.0.251", "ff02::fb", "255.255.255.255"]),
      sighting("Another version", txt: ["txtvers=2"]),
    ])
    #expect(printers.isEmpty)
  }

  @Test func `what one record does not say, another may`() throws {
    let printer = try #require(
      registry(of: [
        sighting("Laser", txt: ["ty=Laser 5", "pdl=image/urf"]),
        sighting(
          "Laser", "_ipp._tcp",
          txt: [
            "note=Hall", "kind=document", "pdl=application/pdf", "air=negotiate",
            "Color=T",
          ]),
      ]).first)
    #expect(printer.makeAndModel == "Laser 5")
    #expect(printer.location == "Hall")
    #expect(printer.types == [.document])
    #expect(printer.typesAreStated)
    #expect(printer.formats == ["image/urf", "application/pdf"])
    #expect(printer.authentication == "negotiate")
    #expect(printer.isColor == true)
    #expect(printer.isDuplex == nil)
  }

  @Test func `a printer that is no longer found under a subtype stays`() {
    let (service, details) = sighting("Laser")
    var registry = ServiceRegistry()
    _ = registry.absorb(.appeared(service, asked: "_ipps._tcp"))
    #expect(registry.absorb(.resolved(service, details)).printers.map(\.name) == ["Laser"])
    let subtype = "_universal._sub._ipps._tcp"
    #expect(registry.absorb(.appeared(service, asked: subtype)).isEmpty)
    #expect(registry.absorb(.vanished(service, asked: subtype)).isEmpty)
    let last = registry.absorb(.vanished(service, asked: "_ipps._tcp"))
    #expect(last.vanished.map(\.name) == ["Laser"])
  }

  @Test func `the same sightings in any order are the same printers`() {
    var sightings = [
      sighting("Cheap", host: "a.local", at: ["192.0.2.1"], txt: ["UUID=\(uuid)"]),
      sighting("Cheap", "_ipp._tcp", host: "a.local", at: ["192.0.2.1"]),
      sighting("Cheap", "_ipp._tcp", .ipv6, host: "a.local", at: ["fe80::1%eth0"]),
      sighting("Cheap (2)", host: "a.local", at: ["192.0.2.1"], txt: ["UUID=\(uuid)"]),
      sighting("Cheap #2", host: "b.local", at: ["192.0.2.2"], txt: ["UUID=\(uuid)"]),
      sighting(
        "Cheap", on: "wlan0", host: "c.local", at: ["192.0.2.3"], txt: ["UUID=\(otherUUID)"]),
      sighting(
        "Cheap", on: "lo", host: "localhost", at: ["127.0.0.1"],
        txt: ["usb_SER=1", "UUID=\(uuid)"],
        isLocal: true),
    ]
    let expected = registry(of: sightings)
    #expect(expected.count == 4)
    var generator = Dice(1)
    for _ in 0..<200 {
      sightings.shuffle(using: &generator)
      #expect(registry(of: sightings) == expected)
    }
  }
}

/// The changes that the registry reports over time.
@Suite struct ServiceRegistryNewsTests {
  @Test func `a row comes with the first record, and grows`() throws {
    let (ipp, details) = sighting("Laser", "_ipp._tcp")
    let (ipps, secureDetails) = sighting("Laser")
    var registry = ServiceRegistry()
    #expect(registry.absorb(.appeared(ipp, asked: "_ipp._tcp")).isEmpty)
    #expect(registry.absorb(.appeared(ipps, asked: "_ipps._tcp")).isEmpty)
    let first = registry.absorb(.resolved(ipp, details))
    let printer = try #require(first.printers.first)
    #expect(first == [.appeared(printer)])
    let second = registry.absorb(.resolved(ipps, secureDetails))
    let better = try #require(second.printers.first)
    #expect(second == [.changed(better, from: printer)])
    #expect(better.isSecure && !printer.isSecure)
    // The same details again are no change.
    #expect(registry.absorb(.updated(ipps, secureDetails)).isEmpty)
    #expect(
      registry.absorb(.vanished(ipps, asked: "_ipps._tcp")) == [.changed(printer, from: better)])
    #expect(registry.absorb(.vanished(ipp, asked: "_ipp._tcp")) == [.vanished(printer)])
  }

  @Test func `two rows that turn out to be one become one`() {
    let (first, details) = sighting("Brother HL", txt: ["UUID=\(uuid)"])
    let (second, otherDetails) = sighting("Brother HL (2)", "_ipp._tcp", txt: [])
    var registry = ServiceRegistry()
    _ = registry.absorb(.appeared(first, asked: "_ipps._tcp"))
    _ = registry.absorb(.appeared(second, asked: "_ipp._tcp"))
    _ = registry.absorb(.resolved(first, details))
    _ = registry.absorb(.resolved(second, otherDetails))
    var identified = otherDetails
    identified.txt = entries(["UUID=\(uuid)"])
    let news = registry.absorb(.updated(second, identified))
    #expect(news.vanished.map(\.name) == ["Brother HL (2)"])
    #expect(news.printers.map(\.name) == ["Brother HL"])
    // And separate again.
    let parting = registry.absorb(.updated(second, otherDetails))
    #expect(parting.printers.map(\.name) == ["Brother HL", "Brother HL (2)"])
  }

  @Test func `a printer that goes while it resolves was never there`() {
    let (service, details) = sighting("Laser")
    var registry = ServiceRegistry()
    _ = registry.absorb(.appeared(service, asked: "_ipps._tcp"))
    _ = registry.absorb(.allForNow)
    #expect(!registry.isComplete)
    #expect(registry.absorb(.vanished(service, asked: "_ipps._tcp")).isEmpty)
    #expect(registry.isComplete)
    #expect(registry.absorb(.resolved(service, details)).isEmpty)
  }

  @Test func `a search is complete when all is said and every service has resolved or failed`() {
    let (service, details) = sighting("Laser")
    let (silent, _) = sighting("Silent")
    var registry = ServiceRegistry()
    #expect(!registry.isComplete)
    _ = registry.absorb(.appeared(service, asked: "_ipps._tcp"))
    _ = registry.absorb(.appeared(silent, asked: "_ipps._tcp"))
    _ = registry.absorb(.allForNow)
    #expect(!registry.isComplete)
    _ = registry.absorb(.resolved(service, details))
    #expect(!registry.isComplete)
    _ = registry.absorb(.unresolved(silent))
    #expect(registry.isComplete)
  }

  @Test func `a restarted Avahi keeps what is still there`() {
    let (stays, details) = sighting("Stays")
    let (goes, otherDetails) = sighting("Goes")
    var registry = ServiceRegistry()
    for (service, details) in [(stays, details), (goes, otherDetails)] {
      _ = registry.absorb(.appeared(service, asked: "_ipps._tcp"))
      _ = registry.absorb(.resolved(service, details))
    }
    _ = registry.absorb(.allForNow)
    #expect(registry.absorb(.daemonLost).isEmpty)
    #expect(!registry.isComplete)
    #expect(registry.absorb(.appeared(stays, asked: "_ipps._tcp")).isEmpty)
    #expect(registry.absorb(.resolved(stays, details)).isEmpty)
    #expect(registry.absorb(.allForNow).vanished.map(\.name) == ["Goes"])
    #expect(registry.isComplete)
  }

  @Test func `names of unicast DNS whose printers are not known yet are counted`() {
    var registry = ServiceRegistry()
    let found = ["One", "Two", "Three"].flatMap { name in
      ["_ipp._tcp", "_ipps._tcp"].map {
        sighting(name, $0, domain: "example.test", on: "", .unicast)
      }
    }
    for (service, _) in found + [sighting("Link")] {
      _ = registry.absorb(.appeared(service, asked: service.type))
    }
    #expect(registry.unresolvedNames == 3)
    _ = registry.absorb(.resolved(found[0].0, found[0].1))
    #expect(registry.unresolvedNames == 3)
    _ = registry.absorb(.unresolved(found[1].0))
    #expect(registry.unresolvedNames == 2)
    for (service, _) in found[2...3] {
      _ = registry.absorb(.vanished(service, asked: service.type))
    }
    #expect(registry.unresolvedNames == 1)
  }

  @Test func `a UUID that more share than one printer has services makes no two of them one`() {
    func printers(_ count: Int) -> Int {
      registry(
        of: (0..<count).map {
          sighting("Printer \($0)", txt: ["pdl=image/urf", "URF=W8", "UUID=\(uuid)"])
        }
      ).count
    }
    #expect(printers(20) == 1)
    #expect(printers(300) > 200)
  }

  @Test func `a thousand services of 250 printers`() {
    let sightings = (0..<1000).map { number in
      sighting(
        "Printer \(number / 4)", number % 2 == 0 ? "_ipp._tcp" : "_ipps._tcp",
        number % 4 < 2 ? .ipv4 : .ipv6, host: "p\(number / 4).local",
        at: ["192.0.2.\(number / 4)", "2001:db8::\(number / 4)"])
    }
    #expect(Set(registry(of: sightings).map(\.name)).count == 250)
  }
}

/// Returns the printers after all sightings have been absorbed, by URI and name.
private func registry(of sightings: [(Service, ServiceDetails)]) -> [DiscoveredPrinter] {
  var registry = ServiceRegistry()
  var printers: [DiscoveredPrinter] = []
  for (service, details) in sightings {
    _ = registry.absorb(.appeared(service, asked: service.type))
    for event in registry.absorb(.resolved(service, details)) {
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
  return printers.sorted { ($0.uri, $0.name) < ($1.uri, $1.name) }
}

extension [DiscoveryEvent] {
  fileprivate var printers: [DiscoveredPrinter] {
    compactMap {
      switch $0 {
      case .appeared(let printer), .changed(let printer, _): printer
      case .vanished, .settled: nil
      }
    }
  }

  fileprivate var vanished: [DiscoveredPrinter] {
    compactMap { if case .vanished(let printer) = $0 { printer } else { nil } }
  }
}
