import Testing

@testable import PrintModel

/// The documents that choose the printer that is saved for their type.
@Suite struct SureTypeTests {
  private static func pages(
    _ width: Double, _ height: Double, _ mediaType: String = DocumentFormat.pdf
  ) -> DocumentInfo {
    DocumentInfo(
      mediaType: mediaType,
      pages: [DocumentInfo.Page(size: PageSize(width: width, height: height))])
  }

  private static func picture(
    _ mediaType: String, _ width: Int, _ height: Int, isFlat: Bool = false
  ) -> DocumentInfo {
    var info = pages(Double(width), Double(height), mediaType)
    info.image = DocumentInfo.Image(width: width, height: height, isFlat: isFlat)
    return info
  }

  @Test(
    arguments: [
      ("A4", pages(595, 842), .document), ("Letter", pages(612, 792), .document),
      ("A5 across", pages(595, 420), .document), ("half of Letter", pages(396, 612), .document),
      ("A3", pages(842, 1_191), .document), ("slides", pages(960, 540), .document),
      ("a label", pages(288, 432), nil), ("a receipt's page", pages(227, 900), nil),
      ("an envelope", pages(312, 624), nil), ("A2", pages(1_191, 1_684), nil),
      ("a photo", picture("image/jpeg", 4_000, 3_000), .photo),
      ("a scan", picture("image/jpeg", 2_480, 3_508, isFlat: true), nil),
      ("a screenshot", picture("image/png", 1_920, 1_080), nil),
      ("data", pages(595, 842, DocumentFormat.octets), nil),
      ("a receipt", pages(227, 600, DocumentFormat.receipt), .receipt),
    ] as [(String, DocumentInfo, JobType?)])
  func `a document is sure of its type, or not`(
    _ what: String, _ info: DocumentInfo, _ type: JobType?
  ) {
    #expect(info.sureType == type, "\(what)")
  }

  @Test func `text and its kin are documents on any paper, prepared raster may be anything`() {
    var text = Self.pages(200, 300, DocumentFormat.text)
    text.reflows = true
    #expect(text.sureType == .document)
    var raster = Self.pages(595, 842, DocumentFormat.pwg)
    raster.raster = DocumentInfo.Raster(
      resolution: Resolution(300), isGray: true, sides: .oneSided, turnsBacks: false)
    #expect(raster.sureType == nil)
    var mixed = Self.pages(595, 842)
    mixed.pages += Self.pages(288, 432).pages
    #expect(mixed.sureType == nil)
  }
}
