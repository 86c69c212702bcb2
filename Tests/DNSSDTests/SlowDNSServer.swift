import Glibc
import Synchronization
import System
import TestSupport

@testable import DNSSD

/// A misbehaving DNS server on this machine: for some names it sends no answer, one without end, or one that lies.
///
/// Its domain is `example.test`. It runs until the process ends.
final class SlowDNSServer: Sendable {
  enum Manner: String {
    /// Queries get no answer.
    case silent
    /// The answer is only sent over TCP, one byte at a time.
    case dripping
    /// Data state a length that they don't have; so does one more entry of the list.
    case lying
  }

  private let manner: Manner
  private let printers: [String]

  /// - `slow`: the number of printers that it is slow for, which are first in its list.
  /// - `good`: the printers that it answers for at once.
  init(_ manner: Manner, slow: Int, good: [String]) throws {
    self.manner = manner
    printers = (0..<slow).map { "slow \($0)" } + good
    let (datagrams, streams) = (try Self.listen(SOCK_DGRAM), try Self.listen(SOCK_STREAM))
    detachThread { [self] in
      var room = [UInt8](repeating: 0, count: 4096)
      while true {
        var source = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &source) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { source in
            let count = recvfrom(datagrams, &room, room.count, 0, source, &size)
            guard count > 0, let answer = answer(to: Array(room.prefix(count))) else { return }
            sendto(datagrams, answer, answer.count, 0, source, size)
          }
        }
      }
    }
    detachThread {
      while true {
        let client = accept(streams, nil, nil)
        guard client >= 0 else { continue }
        // The length prefix announces 65,535 bytes.
        detachThread {
          while send(client, [0xFF], 1, Int32(MSG_NOSIGNAL)) == 1 { usleep(100_000) }
          close(client)
        }
      }
    }
  }

  private func answer(to question: [UInt8]) -> [UInt8]? {
    guard var message = DNSMessage(question), let asked = message.questions.first else {
      return nil
    }
    message.flags = 0x8580
    message.additionals = []
    let text = asked.name.text
    func record(_ data: DNSRecord.Content) -> DNSRecord {
      DNSRecord(asked.name, asked.type, timeToLive: 120, data: data)
    }
    switch asked.type {
    case DNSType.pointer where text == "_ipp._tcp.example.test":
      message.answers = printers.compactMap { printer in
        DomainName(printer + "." + text).map { record(.pointer($0)) }
      }
      if manner == .lying { message.answers.append(record(.other([63, 0x61]))) }
    case DNSType.text where text.hasPrefix("slow"):
      switch manner {
      case .silent: return nil
      case .dripping: message.flags |= 0x0200
      case .lying: message.answers = [record(.other([200, 0x61]))]
      }
    case DNSType.text: message.answers = [record(.text([Array("rp=ipp/print".utf8)]))]
    case DNSType.service:
      guard let host = DomainName("host.example.test") else { return nil }
      message.answers = [record(.service(priority: 0, weight: 0, port: 631, target: host))]
    case DNSType.a: message.answers = [record(.address([192, 0, 2, 7]))]
    default: break
    }
    return message.bytes
  }

  private static func listen(_ kind: __socket_type) throws -> Int32 {
    let descriptor = socket(AF_INET, Int32(kind.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = UInt16(53).bigEndian
    let isBound = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isBound, kind == SOCK_DGRAM || Glibc.listen(descriptor, 256) == 0 else {
      throw Missing("the port of DNS")
    }
    return descriptor
  }
}
