import DNSSD
import PrintModel
import TestSupport
import Testing

@testable import Discovery

/// Records of real printers, and malicious ones.
@Suite struct FactsTests {
  @Test func `an Epson behind ipp-usb`() throws {
    let facts = try #require(
      read([
        "txtvers=1", "qtotal=1", "rp=ipp/print", "ty=EPSON ET-4850 Series", "priority=50",
        "product=(EPSON ET-4850 Series)", "usb_MFG=EPSON", "usb_MDL=ET-4850 Series",
        "usb_SER=X8Y1", "usb_HWID=04b8&1168", "air=none", "note=",
        "pdl=application/octet-stream,image/pwg-raster,image/urf,image/jpeg",
        "UUID=cfe92100-67c4-11d4-a45f-dccd2f1b3a2e", "Color=T", "Duplex=T", "Scan=T",
        "kind=document,envelope,photo", "PaperMax=isoC-A2",
        "URF=CP1,PQ4-5,OB9,OFU0,RS300,SRGB24,W8,DM3,IS1,V1.4,MT1-3-6-8-10-11-12",
      ]))
    #expect(facts.types == [.document, .envelope, .photo])
    #expect(facts.typesAreStated)
    #expect(facts.isUSB)
    #expect(facts.isColor == true)
    #expect(facts.isDuplex == true)
    #expect(facts.makeAndModel == "EPSON ET-4850 Series")
    #expect(facts.location == nil)
    #expect(facts.authentication == "none")
    #expect(facts.uuid == "cfe92100-67c4-11d4-a45f-dccd2f1b3a2e")
    #expect(
      facts.formats == [
        "application/octet-stream", "image/pwg-raster", "image/urf", "image/jpeg",
      ])
  }

  @Test func `a Canon SELPHY prints photos, in color, on one side`() throws {
    let facts = try #require(
      read([
        "txtvers=1", "rp=ipp/print", "ty=Canon SELPHY CP1500", "kind=photo", "PaperMax=<legal-A4",
        "URF=W8,SRGB24,V1.4,RS300,IS7,MT11,PQ4,OB9,IFU0,OFU0,CP99", "Duplex=F", "PaperCustom=T",
        "pdl=image/urf,image/jpeg",
      ]))
    #expect(facts.types == [.photo])
    #expect(facts.isColor == true)
    #expect(facts.isDuplex == false)
  }

  @Test func `a queue that a cupsd shares`() throws {
    let facts = try #require(
      read([
        "txtvers=1", "qtotal=1", "rp=printers/Office_Laser", "ty=Brother HL-L2350DW, driverless",
        "adminurl=https://server.local:631/printers/Office_Laser", "note=2nd floor", "priority=0",
        "product=(HL-L2350DW)", "pdl=application/octet-stream,application/pdf,image/urf",
        "UUID=urn:uuid:5F3E0B1C-8F19-3C7A-6A2B-0E1D2C3B4A59", "TLS=1.2",
        "URF=V1.4,CP1,W8,RS600,DM1", "Color=F", "Duplex=T", "air=username,password",
        "printer-type=0x809046",
      ]))
    #expect(facts.path == "printers/Office_Laser")
    #expect(facts.priority == 0)
    #expect(facts.makeAndModel == "Brother HL-L2350DW")
    #expect(facts.location == "2nd floor")
    #expect(facts.uuid == "5f3e0b1c-8f19-3c7a-6a2b-0e1d2c3b4a59")
    #expect(facts.authentication == "username,password")
    #expect(facts.types.isEmpty)
    #expect(!facts.typesAreStated)
  }

  @Test func `an empty record says nothing`() throws {
    let facts = try #require(read([]))
    #expect(facts.path == "ipp/print")
    #expect(facts.priority == 50)
    #expect(facts.types.isEmpty)
    #expect(facts.isColor == nil)
    #expect(facts.isDuplex == nil)
    #expect(facts.formats.isEmpty)
    #expect(facts.authentication == nil)
    #expect(facts.makeAndModel == nil)
  }

  @Test(arguments: [("1", true), ("", true), (" 1 ", true), ("2", false), ("one", false)])
  func `a record of another version is not read`(_ version: String, _ isRead: Bool) {
    #expect((read(["txtvers=\(version)"]) != nil) == isRead)
  }

  @Test(
    arguments: [
      ("kind=document,envelope", [.document, .envelope], true),
      ("kind=Document, LARGE-FORMAT ,disc", [.document, .largeFormat, .disc], true),
      // Unknown words in `kind` count as no statement.
      ("kind=hovercraft", [], false),
      ("kind=hovercraft,label", [.label], true),
      ("kind=", [], false),
      ("PaperMax=legal-A4", [.document], false),
      ("PaperMax=tabloid-A3", [.document], false),
      ("PaperMax=isoC-A2", [.document, .largeFormat], false),
      ("PaperMax=>isoC-A2", [.document, .largeFormat], false),
      ("PaperMax=<legal-A4", [], false),
      ("PaperMax=enormous", [], false),
    ] as [(String, Set<JobType>, Bool)])
  func `types come from kind, else from the paper`(
    _ string: String, _ types: Set<JobType>, _ areStated: Bool
  ) throws {
    let facts = try #require(read([string]))
    #expect(facts.types == types)
    #expect(facts.typesAreStated == areStated)
  }

  @Test(
    arguments: [
      ("W8,SRGB24", [.photo]), ("W8,IS7", [.photo]), ("W8,IS1-7", [.photo]),
      ("W8,MT1-11", [.photo]), ("W8,MT1-2", []), ("W8", []), ("W8,IS17,MT81", []), ("none", []),
    ] as [(String, Set<JobType>)])
  func `small paper is for photos when something says so`(
    _ urf: String, _ types: Set<JobType>
  ) throws {
    let facts = try #require(read(["PaperMax=<legal-A4", "URF=\(urf)"]))
    #expect(facts.types == types)
  }

  @Test(
    arguments: [
      (["Color=T"], true), (["Color=F", "URF=W8,SRGB24"], false), (["URF=W8,SRGB24"], true),
      (["URF=ADOBERGB24-48"], true), (["URF=DEVCMYK32"], true), (["URF=W8"], nil),
      (["Color=U"], nil), (["Color=U", "URF=DEVRGB24"], true),
    ] as [([String], Bool?)])
  func `color comes from Color, else from URF`(_ strings: [String], _ isColor: Bool?) throws {
    let facts = try #require(read(strings))
    #expect(facts.isColor == isColor)
  }

  @Test(
    arguments: [
      (["Duplex=T"], true), (["Duplex=F", "URF=DM1"], false), (["URF=W8,DM3"], true),
      (["URF=W8"], nil),
    ] as [([String], Bool?)])
  func `two sides come from Duplex, else from URF`(
    _ strings: [String], _ isDuplex: Bool?
  ) throws {
    let facts = try #require(read(strings))
    #expect(facts.isDuplex == isDuplex)
  }

  @Test(arguments: [
    (["pdl=image/URF, application/PDF;version=1.7,image/urf"], ["image/urf", "application/pdf"]),
    // A value that was cut at 255 bytes does not end with a complete media type.
    (["pdl=application/pdf,image"], ["application/pdf"]),
    (["pdl=application/pdf", "URF=W8"], ["application/pdf", "image/urf"]),
    (["pdl=application/pdf", "URF=none"], ["application/pdf"]),
    (["pdl="], []),
  ])
  func `formats come from pdl and URF`(_ strings: [String], _ formats: [String]) throws {
    let facts = try #require(read(strings))
    #expect(facts.formats == formats)
  }

  @Test(arguments: [
    (["ty=HP LaserJet 400, hpcups"], "HP LaserJet 400"),
    (["product=(HP DeskJet)"], "HP DeskJet"),
    (["product=DeskJet"], "DeskJet"),
    (["product=()"], "()"),
    (["usb_MFG=HP", "usb_MDL=DeskJet 990C"], "HP DeskJet 990C"),
    (["usb_MDL=DeskJet 990C"], "DeskJet 990C"),
    (["ty=,", "product=(X)"], "X"),
  ])
  func `make and model come from ty, product or USB`(
    _ strings: [String], _ makeAndModel: String
  ) throws {
    let facts = try #require(read(strings))
    #expect(facts.makeAndModel == makeAndModel)
  }

  @Test(
    arguments: [
      ("CFE92100-67C4-11D4-A45F-DCCD2F1B3A2E", "cfe92100-67c4-11d4-a45f-dccd2f1b3a2e"),
      ("urn:uuid:cfe92100-67c4-11d4-a45f-dccd2f1b3a2e", "cfe92100-67c4-11d4-a45f-dccd2f1b3a2e"),
      ("00000000-0000-0000-0000-000000000000", nil),
      ("cfe9210067c411d4a45fdccd2f1b3a2e", nil),
      ("cfe92100-67c4-11d4-a45f-dccd2f1b3a2g", nil),
      ("0", nil), ("", nil),
    ] as [(String, String?)])
  func `a UUID is one or is none`(_ stated: String, _ uuid: String?) throws {
    let facts = try #require(read(["UUID=\(stated)"]))
    #expect(facts.uuid == uuid)
  }

  @Test(arguments: [
    ("rp=/ipp/print", "ipp/print"), ("rp=//x", "x"), ("rp=", "ipp/print"), ("rp=/", "ipp/print"),
    ("rp=printers/A B", "printers/A B"),
  ])
  func `a path has no slash at its front`(_ string: String, _ path: String) throws {
    let facts = try #require(read([string]))
    #expect(facts.path == path)
  }

  @Test(arguments: [("0", 0), ("99", 99), ("100", 99), ("-1", 0), ("best", 50), ("", 50)])
  func `a priority is from 0 to 99`(_ stated: String, _ priority: Int) throws {
    let facts = try #require(read(["priority=\(stated)"]))
    #expect(facts.priority == priority)
  }

  @Test func `random bytes do no harm`() {
    var generator = Dice(7)
    let keys = ["txtvers=1", "rp=", "URF=", "pdl=", "kind=", "UUID=", "priority=", "PaperMax=", ""]
    for _ in 0..<5000 {
      let strings = (0..<generator.next() % 12).map { _ in
        let key = Array(keys[Int(generator.next() % UInt64(keys.count))].utf8)
        return key + (0..<generator.next() % 40).map { _ in UInt8(generator.next() & 0xFF) }
      }
      let record = TextRecord(strings.compactMap { TXTEntry($0) })
      guard let facts = PrinterTXTRecord(record) else { continue }
      #expect(facts.formats.count <= TextRecord.maximumItems + 1)
      #expect((0...99).contains(facts.priority))
      let uri = AdvertisedURI.make(isSecure: true, host: "p.local", port: 631, path: facts.path)
      #expect(uri.utf8.allSatisfy { (0x21...0x7E).contains($0) })
    }
  }

  private func read(_ strings: [String]) -> PrinterTXTRecord? {
    PrinterTXTRecord(TextRecord(entries(strings)))
  }
}
