import Glibc
import System
import TestSupport
import Testing

@testable import DNSSD

/// A link on which somebody answers every question with what no good responder sends.
@Suite(.needsTwoHosts) struct HostileLinkTests {
  @Test func `a printer is found beside a host that sends rubbish`() async throws {
    guard isOwnProcess else {
      let hosts = try await TwoHosts(withAvahiOnA: false)
      _ = try await hosts.b.publish("Good", txt: ["rp=ipp/print"])
      async let hostile: Void = hosts.b.repeatTest(adding: ["ROLE": "hostile"])
      try await Sign("listening", on: hosts.b).wait()
      try await hosts.a.repeatTest(adding: ["ROLE": "client"])
      Sign("done", on: hosts.b).raise()
      try await hostile
      return await hosts.close()
    }
    if try variable("ROLE") == "hostile" { return try await answerWithRubbish() }
    let before = peakMemory()
    let start = ContinuousClock.now
    let events = await collect(try browseLink(["_ipp._tcp"]), within: timeout) { events in
      events.of("Good").contains(where: \.isResolution) && events.contains(.allForNow)
        && !events.of("Big").isEmpty && start.duration(to: .now) > .seconds(4)
    }
    #expect(events.of("Good").compactMap(\.details).last?.strings == ["rp=ipp/print"])
    let texts = events.compactMap(\.details).flatMap(\.strings)
    #expect(texts.allSatisfy { $0.utf8.count <= 255 })
    #expect(Set(events.compactMap(\.service)).count <= LinkSession.maximumServices)
    let grown = peakMemory() - before
    #expect(grown < 60_000, "\(grown) KB")
  }

  /// Answers whoever asks on the link, until the other process is done.
  private func answerWithRubbish() async throws {
    let stop = try StopSignal()
    let packets = try rubbish()
    detachThread {
      let ears = LinkSockets()
      Sign("listening").raise()
      while !stop.isRaised {
        for socket in ears.sockets {
          for descriptor in socket.descriptors {
            guard waitForInput(on: [descriptor], milliseconds: 20) == [true],
              let message = socket.receive(descriptor), !message.isResponse
            else { continue }
            socket.send([], shared: packets)
          }
        }
      }
    }
    try await Sign("done").wait()
    stop.raise()
  }

  /// Answers without an end, with wrong lengths and counts, names that refer to themselves, long texts, crowds, noise.
  private func rubbish() throws -> [[UInt8]] {
    let type = try #require(DomainName("_ipp._tcp.local"))
    let header: [UInt8] = [0, 0, 0x84, 0, 0, 0, 0, 1, 0, 0, 0, 0]
    let fixed: [UInt8] = [0, 12, 0, 1, 0, 0, 0, 120]
    let loops: [[UInt8]] = [
      header + [0xC0, 0x0C] + fixed + [0, 2, 0xC0, 0x0C],
      header + [1, 97, 0xC0, 0x0C] + fixed + [0, 2, 0xC0, 0x0C],
      header + [0] + fixed + [0xFF, 0xFF, 0xC0, 0x0C],
    ]
    func printer(_ name: String, _ text: [[UInt8]]) throws -> [UInt8] {
      let own = try #require(DomainName("\(name)._ipp._tcp.local"))
      let host = try #require(DomainName("host.local"))
      var message = DNSMessage()
      message.flags = 0x8400
      message.answers = [
        DNSRecord(type, DNSType.pointer, timeToLive: 120, data: .pointer(own)),
        DNSRecord(
          own, DNSType.service, timeToLive: 120,
          data: .service(priority: 0, weight: 0, port: 9, target: host)),
        DNSRecord(host, DNSType.a, timeToLive: 120, data: .address([192, 0, 2, 9])),
        DNSRecord(own, DNSType.text, timeToLive: 120, data: .text(text)),
      ]
      return try #require(message.bytes)
    }
    let long = [UInt8](repeating: UInt8(ascii: "a"), count: 255)
    var packets = loops + [try printer("Big", Array(repeating: long, count: 30))]
    packets.append(try printer("Bigger", Array(repeating: long, count: 250)))
    packets.append(try printer("Pieces", Array(repeating: [97], count: 4_000)))
    var crowd = DNSMessage()
    crowd.flags = 0x8400
    for number in 0..<2_000 {
      let name = try #require(DomainName("Crowd \(number)._ipp._tcp.local"))
      crowd.answers.append(DNSRecord(type, DNSType.pointer, timeToLive: 120, data: .pointer(name)))
      guard crowd.answers.count == 100 else { continue }
      packets.append(try #require(crowd.bytes))
      crowd.answers = []
    }
    var mutator = Mutator(seeds: packets.map { Array($0.prefix(1_400)) })
    // What is said of the good one would be a lie, not rubbish.
    packets += (0..<200).map { _ in mutator.next() }
    packets += (0..<200).map { _ in header.prefix(6) + mutator.noise(0...600) }
    return packets
  }

  /// In KB.
  private func peakMemory() -> Int {
    var usage = rusage()
    getrusage(__rusage_who_t(0), &usage)
    return usage.ru_maxrss
  }
}
