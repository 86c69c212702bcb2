import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import IPP

/// Links that are slower than compression.
@Suite struct LinkSpeedTests {
  @Test(arguments: [
    (["wireless/": ""], true), (["phy80211/": "", "speed": "-1\n"], true),
    (["speed": "100\n"], true),
    (["speed": "10\n"], true), (["speed": "1000\n"], false), (["speed": "-1\n"], false),
    (["speed": "fast"], false), ([:], false),
  ])
  func `a link gains by packing`(_ files: [String: String], _ gains: Bool) throws {
    let scratch = try Scratch()
    for (name, text) in files {
      let path = "\(scratch.path)/net0/\(name)"
      let isFolder = name.hasSuffix("/")
      try FileManager.default.createDirectory(
        atPath: isFolder ? path : "\(scratch.path)/net0", withIntermediateDirectories: true)
      if !isFolder { try Data(text.utf8).write(to: URL(filePath: path)) }
    }
    #expect(OutgoingInterface.gainsByCompression("net0", in: scratch.path) == gains)
  }

  @Test(arguments: [AF_INET, AF_INET6])
  func `a connection knows its interface`(_ family: Int32) throws {
    let socket = socket(family, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(socket) }
    // Nothing is sent: connecting a datagram socket only selects its address.
    if family == AF_INET {
      var there = sockaddr_in()
      there.sin_family = sa_family_t(AF_INET)
      there.sin_port = 9
      there.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      try connect(socket, &there)
    } else {
      var there = sockaddr_in6()
      there.sin6_family = sa_family_t(AF_INET6)
      there.sin6_port = 9
      there.sin6_addr = in6addr_loopback
      try connect(socket, &there)
    }
    #expect(OutgoingInterface.interface(ofSocket: socket) == "lo")
    #expect(OutgoingInterface.interface(ofSocket: -1) == nil)
  }

  private func connect<Address>(_ socket: Int32, _ there: inout Address) throws {
    let code = withUnsafePointer(to: &there) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(socket, $0, socklen_t(MemoryLayout<Address>.size))
      }
    }
    try #require(code == 0)
  }
}
