import PrintModel
import TestSupport
import Testing

@testable import IPP

/// Handmade responses, some of them invalid.
@Suite struct DecodeTests {
  private func answer(_ status: Int = 0, message: String? = nil) -> IPPAnswer {
    IPPAnswer(to: ScriptedServer.Request(), status: status, message: message)
  }

  private func printer(_ build: (inout IPPAnswer) -> Void) throws -> AttributeSet {
    var answer = answer()
    answer.group(4)
    build(&answer)
    return try #require(Response(recorded: answer.message)).printer
  }

  @Test func `status and message`() throws {
    let refusal = try #require(
      Response(recorded: answer(0x0507, message: "Noch beschäftigt").message))
    #expect(refusal.status == .busy)
    #expect(refusal.message == "Noch beschäftigt")
    #expect(!refusal.status.isSuccess && refusal.status.mayPass)
    #expect("\(refusal.status)" == "server-error-busy")
    let forged = try #require(
      Response(recorded: answer(0x0507, message: "busy\nPrinted a.pdf\r\u{2028}.").message))
    #expect(forged.message == "busy Printed a.pdf .")
    let strange = try #require(Response(recorded: answer(0x04FE).message))
    #expect(strange.status.rawValue == 0x04FE)
    #expect("\(strange.status)" == "0x04fe")
    #expect(try #require(Response(recorded: answer(0x0001).message)).status.isSuccess)
  }

  @Test func `each job is a set of its own`() throws {
    var answer = answer()
    for id in [7, 8] as [Int32] {
      answer.group(2)
      answer.add(0x21, "job-id", id)
      answer.add(0x23, "job-state", 5)
    }
    let response = try #require(Response(recorded: answer.message))
    #expect(response.jobs.map { $0.number("job-id") } == [7, 8])
    #expect(response.printer.all.isEmpty)
  }

  @Test func `a job's number in the operation group is read, where no job has one`() throws {
    var answer = answer()
    answer.add(0x21, "job-id", 12)
    answer.add(0x23, "job-state", 3)
    let misplaced = try #require(Response(recorded: answer.message))
    #expect(misplaced.jobs.map { $0.number("job-id") } == [12])
    answer.group(2)
    answer.add(0x21, "job-id", 13)
    let both = try #require(Response(recorded: answer.message))
    #expect(both.jobs.map { $0.number("job-id") } == [13])
  }

  @Test func `what was not taken is in a group of its own`() throws {
    var answer = answer(1)
    answer.group(5)
    answer.add(0x44, "sides", "two-sided-long-edge")
    answer.add(0x10, "media-col", [])
    answer.group(2)
    answer.add(0x21, "job-id", 3)
    let response = try #require(Response(recorded: answer.message))
    #expect(response.unsupported.all.map(\.name) == ["sides", "media-col"])
    #expect(response.jobs.count == 1)
  }

  @Test func `a name is on one line`() {
    var answer = answer(1)
    answer.group(5)
    answer.add(0x10, "sides\nPrinted a.pdf", [])
    let response = Response(recorded: answer.message)
    #expect(response?.unsupported.all.map(\.name) == ["sides Printed a.pdf"])
  }

  @Test(arguments: [0x10, 0x12, 0x13, 0x15, 0x16, 0x17] as [UInt8])
  func `out-of-band values are there, and say nothing`(_ tag: UInt8) throws {
    let set = try printer { $0.add(tag, "media-ready", []) }
    #expect(set["media-ready"]?.values == [tag == 0x13 ? Attribute.Value.none : .unknown])
    #expect(set.values("media-ready").isEmpty)
  }

  @Test func `text with a language is text`() throws {
    // textWithLanguage: two lengths and two strings in one value.
    let value: [UInt8] = [0, 2] + Array("de".utf8) + [0, 5] + Array("Küche".utf8.prefix(5))
    let set = try printer {
      $0.add(0x35, "printer-info", value)
      $0.add(0x36, "printer-name", [0, 2] + Array("en".utf8) + [0, 3] + Array("Lab".utf8))
    }
    #expect(set.string("printer-info") == "Küch")
    #expect(set["printer-name"]?.values == [.name("Lab")])
  }

  @Test func `resolutions in dots per centimeter`() throws {
    func dots(_ x: UInt8, _ y: UInt8, _ unit: UInt8) -> [UInt8] {
      [0, 0, 0, x, 0, 0, 0, y, unit]
    }
    let set = try printer {
      $0.add(0x32, "printer-resolution-supported", dots(118, 236, 4))
      $0.add(0x32, "", dots(203, 203, 3))
      $0.add(0x32, "", dots(0, 203, 3))
    }
    #expect(
      set.resolutions("printer-resolution-supported")
        == [Resolution(x: 300, y: 599), Resolution(203)])
  }

  @Test func `a range the wrong way round is none`() throws {
    let set = try printer {
      $0.add(0x33, "copies-supported", [0, 0, 0, 9, 0, 0, 0, 1])
      $0.add(0x33, "", [0, 0, 0, 1, 0, 0, 0, 9])
    }
    #expect(set.spans("copies-supported") == [1...9])
  }

  @Test func `bytes that are no UTF-8 become text`() throws {
    let set = try printer { $0.add(0x41, "printer-info", [0x4B, 0xFC, 0x63, 0x68, 0x65]) }
    #expect(set.string("printer-info")?.hasPrefix("K") == true)
  }

  @Test func `a value of an unknown kind is none`() throws {
    let set = try printer {
      $0.add(0x3A, "x-strange", [1, 2, 3])
      $0.add(0x21, "x-after", 5)
    }
    #expect(set.values("x-strange").isEmpty)
    #expect(set.number("x-after") == 5)
  }

  /// begCollection and endCollection around members whose names are values (RFC 8010 §3.1.6).
  @Test(arguments: [1, 2, 8, 9, 32, 100_000])
  func `collections are followed as deep as anybody needs`(_ depth: Int) throws {
    let set = try #require(nested(depth)).printer
    var reached = 0
    var next = set.collections("c").first
    while let collection = next {
      reached += 1
      if depth <= 8, collection.number("leaf") == 7 { #expect(reached == depth) }
      next = collection.collections("c").first
    }
    #expect(reached == min(depth, 8))
    #expect(set.number("after") == 1)
  }

  private func nested(_ depth: Int) -> Response? {
    var answer = answer()
    answer.group(4)
    answer.add(0x34, "c", [])
    for _ in 1..<depth {
      answer.add(0x4A, "", "c")
      answer.add(0x34, "", [])
    }
    answer.add(0x4A, "", "leaf")
    answer.add(0x21, "", 7)
    for _ in 0..<depth { answer.add(0x37, "", []) }
    answer.add(0x21, "after", 1)
    return Response(recorded: answer.message)
  }

  @Test func `a long list comes whole`() throws {
    let set = try printer {
      $0.add(0x44, "media-supported", "m0")
      for number in 1..<20_000 { $0.add(0x44, "", "m\(number)") }
    }
    #expect(set.strings("media-supported").count == 20_000)
    #expect(set.strings("media-supported").last == "m19999")
  }

  @Test func `an answer is read from a file as it was stored`() throws {
    let date: [UInt8] = [7, 234, 11, 28, 12, 30, 0, 0, 43, 1, 0]
    let attributes = AttributeSet([
      Attribute("queued-job-count", [.integer(-7)]),
      Attribute("color-supported", [.boolean(true)]),
      Attribute("printer-state", [.enumeration(3)]),
      Attribute("printer-info", [.string(.text, "Büro")]),
      Attribute("media-supported", [.string(.keyword, "iso_a4"), .string(.keyword, "na_letter")]),
      Attribute("printer-alert", [.octets([0, 200, 7])]),
      Attribute("copies-supported", [.range(1...99)]),
      Attribute("printer-resolution-default", [.resolution(Resolution(x: 600, y: 1200))]),
      Attribute("printer-current-time", [.dateTime(date)]),
      Attribute(
        "media-col-ready",
        [.collection([Attribute("media-size", [.collection([Attribute("x", [.integer(1)])])])])]),
      Attribute("printer-geo-location", [Attribute.Value.none]),
    ])
    let stored = Response(status: .ok, printer: attributes).recorded
    #expect(try #require(Response(recorded: stored)).printer == attributes)
  }

  @Test(arguments: 0..<64)
  func `a message that is cut off is none`(_ length: Int) throws {
    var answer = answer()
    answer.group(4)
    answer.add(0x41, "printer-info", "Office")
    #expect(Response(recorded: Array(answer.message.prefix(length))) == nil)
  }
}
