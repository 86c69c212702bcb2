import FoundationEssentials
import Glibc
import PrintModel
import TestSupport
import Testing

@testable import Submission

/// The line of one user's jobs for a printer.
@Suite struct SpoolTicketTests {
  private let folder = "\(Scratch.shared.path)/line-\(UUID().uuidString)"

  private var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  @Test func `first come, first served`() throws {
    let first = try SpoolTicket(in: folder)
    var second: SpoolTicket? = try SpoolTicket(in: folder)
    let third = try SpoolTicket(in: folder)
    #expect(files == ["000001", "000002", "000003", "lock"])
    #expect(try first.others() == 0)
    #expect(try second?.others() == 1)
    #expect(try third.others() == 2)
    // The others stay in order when one leaves.
    second = nil
    #expect(try third.others() == 1)
    #expect(try first.others() == 0)
    #expect(files == ["000001", "000003", "lock"])
  }

  @Test func `a ticket whose process is gone holds nobody up`() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try writeFile([], to: "\(folder)/000007")
    let ticket = try SpoolTicket(in: folder)
    #expect(files.contains("000008"))
    #expect(try ticket.others() == 0)
    #expect(!files.contains("000007"))
  }

  @Test func `two printers have two lines`() throws {
    let one = try SpoolTicket(in: folder)
    let other = try SpoolTicket(in: "\(folder)-other")
    #expect(try one.others() == 0 && other.others() == 0)
  }

  @Test func `a folder that can't be written is exit 73`() throws {
    try writeFile([], to: folder)
    #expect { try SpoolTicket(in: folder) } throws: { ($0 as? Failure)?.code == .cannotWrite }
  }
}
