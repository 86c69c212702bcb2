import PrintModel
import Simulation
import Testing
import PrintOptions

@Suite struct FaultNameTests {
  @Test(arguments: [
    ("media-empty", Fault.Kind.stop(reason: "media-empty"), nil),
    ("media-empty@3", .stop(reason: "media-empty"), 3),
    ("jam@2", .stop(reason: "media-jam"), 2),
    ("Toner-Low", .warn(reason: "toner-low"), nil),
    ("cancel@2", .cancel, 2),
    ("abort", .abort, nil),
    ("busy:10s", .busy(.seconds(10)), nil),
    ("sleep:0.5s", .sleep(.milliseconds(500)), nil),
    ("drop@100k", .drop(after: 102_400), nil),
    ("slow:50k/s", .slow(bytesPerSecond: 51_200), nil),
    ("slow:9", .slow(bytesPerSecond: 9), nil),
    ("forget", .forget, nil),
    ("new-certificate", .newCertificate, nil), ("restart", .restart, nil),
    ("miscount:-1", .miscount(by: -1), nil), ("miscount:2", .miscount(by: 2), nil),
    ("print-job-only", .printJobOnly, nil), ("one-bit", .oneBit, nil),
  ])
  func `a fault is read`(_ text: String, _ kind: Fault.Kind, _ side: Int?) throws {
    let fault = try Fault(text)
    #expect(fault.kind == kind && fault.side == side)
  }

  @Test(arguments: [
    "", "fire", "media-empty@0", "media-empty@", "media-empty:3", "busy", "busy:10", "busy:-1s",
    "drop:100k", "drop@", "drop@0", "slow@50k", "forget@2", "sleep:1e99s",
    "miscount", "miscount:0", "miscount@1", "restart:1s", "one-bit@2",
  ])
  func `what is none is a mistake`(_ text: String) {
    #expect { try Fault(text) } throws: { ($0 as? Failure)?.code == .usage }
  }
}

@Suite struct ProfileTests {
  @Test(arguments: Profile.all.map(\.name))
  func `its trays hold what is loaded`(_ name: String) throws {
    let profile = try Profile.named(name)
    #expect(profile.trays.contains { $0.loaded != nil })
    for tray in profile.trays {
      #expect(!tray.papers.isEmpty && tray.papers.allSatisfy { $0.source == tray.source })
      for paper in tray.ready {
        #expect(paper.size.width == tray.loaded?.size.width)
        #expect(tray.papers.contains(paper))
      }
      let title = try #require(tray.papers.first?.title)
      let wish = try MediaSelector(
        tray.papers[0].isRoll ? "\(Double(tray.papers[0].size.width.count) / 100)mm" : title)
      #expect(tray.holds(wish) != nil, "\(title)")
    }
  }

  @Test func `a tray takes by hand what lies within its bounds`() throws {
    let tray = try #require(try Profile.named("laser").trays.last)
    #expect(
      tray.holds(try MediaSelector("100x200mm"))?.size == MediaSize(width: 10_000, length: 20_000))
    #expect(tray.holds(try MediaSelector("300x400mm")) == nil)
    #expect(tray.holds(try MediaSelector("80mm")) == nil)
  }

  @Test func `a printer's file is read`() throws {
    let text = """
      # a comment
      ATTR keyword sides-supported "one-sided","two-sided-long-edge"
      ATTR collection media-size-supported { MEMBER integer x-dimension 21000 MEMBER rangeOfInteger y-dimension 100-200 }
      ATTR resolution printer-resolution-supported 600x300dpi
      """
    let attributes = try AttributeSet(AttributeFile.attributes(of: text, "file"))
    #expect(attributes.strings("sides-supported").count == 2)
    #expect(
      attributes.collections("media-size-supported").first?.spans("y-dimension") == [100...200])
    #expect(attributes.resolutions("printer-resolution-supported") == [Resolution(x: 600, y: 300)])
    // ippeveprinter's own escapes: \" and \\.
    let escaped = #"ATTR text printer-info "2.4\" \\ wide" ATTR integer a 1"#
    let quoted = try AttributeSet(AttributeFile.attributes(of: escaped, "file"))
    #expect(quoted.string("printer-info") == #"2.4" \ wide"#)
    #expect(quoted.number("a") == 1)
    for bad in ["", "hello", "ATTR integer", "ATTR integer copies x", "ATTR collection a { b }"] {
      #expect { try AttributeFile.attributes(of: bad, "file") } throws: {
        ($0 as? Failure)?.code == .document
      }
    }
  }
}
