import Capability
import FoundationEssentials
import PrintModel
import Testing

/// The printers of Printers/, as airprint's capabilities.
enum Samples {
  static let folder =
    #filePath.split(separator: "/").dropLast().reduce(into: "") { $0 += "/\($1)" } + "/Printers"

  static func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".conf") }.map { String($0.dropLast(5)) }.sorted()
  }

  static func printer(_ name: String) throws -> Capabilities {
    if name.contains(":") { return try Trays(name).printer }
    let bytes = try #require(
      FileManager.default.contents(atPath: "\(folder)/\(name).conf"), "\(name)")
    let text = String(decoding: bytes, as: UTF8.self)
    return Capabilities(reading: AttributeSet(try AttributeFile.attributes(of: text)))
  }
}

/// A document for the table.
struct Sample: Sendable {
  var info: DocumentInfo
}

extension Sample {
  private static func millimeters(_ length: Double) -> Double { length * 72 / 25.4 }

  /// Returns a PDF with pages in points.
  private static func pdf(
    _ width: Double, _ height: Double, pages: Int = 1, content: Double? = nil
  ) -> Sample {
    let page = DocumentInfo.Page(
      size: PageSize(width: width, height: height), contentHeight: content)
    return Sample(
      info: DocumentInfo(
        mediaType: DocumentFormat.pdf, pages: Array(repeating: page, count: pages)))
  }

  private static func pdf(
    millimeters width: Double, _ height: Double, pages: Int = 1, content: Double? = nil
  ) -> Sample {
    pdf(
      millimeters(width), millimeters(height), pages: pages, content: content.map(millimeters))
  }

  private func marked(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Sample {
    var sample = self
    sample.info.pages[0].marks = Rectangle(x: x, y: y, width: width, height: height)
    return sample
  }

  /// Returns a picture of this many pixels, at 72 dpi if its file does not state a resolution.
  private static func picture(
    _ width: Int, _ height: Int, dpi: Int = 72, type: String = DocumentFormat.png,
    jpeg: DocumentInfo.JPEG? = nil
  ) -> Sample {
    let size = PageSize(
      width: Double(width * 72) / Double(dpi), height: Double(height * 72) / Double(dpi))
    return Sample(
      info: DocumentInfo(
        mediaType: type, pages: [DocumentInfo.Page(size: size)],
        image: DocumentInfo.Image(width: width, height: height, jpeg: jpeg)))
  }

  private static func jpeg(
    _ width: Int, _ height: Int, isBaseline: Bool = true, components: Int = 3,
    hasProfile: Bool = false, orientation: Int = 1, octets: Int = 2_000_000,
    canBeDrawn: Bool = true
  ) -> Sample {
    var sample = picture(
      width, height, type: DocumentFormat.jpeg,
      jpeg: DocumentInfo.JPEG(
        isBaseline: isBaseline, components: components, hasProfile: hasProfile,
        orientation: orientation, octets: octets))
    sample.info.canBeDrawn = canBeDrawn
    return sample
  }

  // Sheets
  /// A4 as most PDFs state it, 0.1 mm off.
  static let a4 = pdf(595, 842)
  /// With a footer 3 mm from its edge.
  static let a4Footer = a4.marked(36, 36, 523, 798)
  static let a4FooterUnscaled = {
    var sample = a4Footer
    sample.info.keepsScale = true
    return sample
  }()
  static let letterUnscaled = {
    var sample = letter.marked(10, 36, 592, 720)
    sample.info.keepsScale = true
    return sample
  }()
  static let a4Unscaled = {
    var sample = a4
    sample.info.keepsScale = true
    return sample
  }()
  static let a4TwoCopies = {
    var sample = a4
    sample.info.copies = 2
    return sample
  }()
  static let a4Landscape = pdf(842, 595)
  static let threePages = pdf(595, 842, pages: 3)
  static let threePagesWithWishes = {
    var sample = threePages
    (sample.info.sides, sample.info.copies) = (.longEdge, 2)
    return sample
  }()
  static let tenPages = pdf(595, 842, pages: 10)
  static let letter = pdf(612, 792)
  static let legal = pdf(612, 1008)
  static let a3 = pdf(millimeters: 297, 420)
  /// 13⅓ by 7½ inches.
  static let slides = pdf(millimeters: 338.7, 190.5)
  static let a5 = pdf(millimeters: 148, 210)
  static let a1Landscape = pdf(millimeters: 841, 594)
  static let a2 = pdf(millimeters: 420, 594)
  static let a0 = pdf(millimeters: 841, 1189)
  /// PDFs within 0.5 mm of A4, within 1.76 mm, and beyond.
  static let a4Exactly = pdf(millimeters: 210.4, 296.6)
  static let a4Nearly = pdf(millimeters: 211.5, 298.5)
  static let a4Hardly = pdf(millimeters: 212, 299)
  /// Text after its layout for an 80 mm roll.
  static let textOnRoll: Sample = {
    var sample = pdf(millimeters: 80, 55, content: 50)
    sample.info.mediaType = DocumentFormat.text
    sample.info.reflows = true
    return sample
  }()
  static let text = Sample(
    info: DocumentInfo(
      mediaType: DocumentFormat.text,
      pages: [DocumentInfo.Page(size: PageSize(width: 595, height: 842))], reflows: true))

  /// Files that aren't read here: a label in ZPL, and one of a type that was stated.
  static let zpl = raw("application/vnd.zebra-zpl")
  static let pcl = raw("application/vnd.hp-pcl")
  static let stated = raw("application/vnd.example")

  private static func raw(_ type: String) -> Sample {
    var sample = text
    sample.info.mediaType = type
    sample.info.isRaw = true
    return sample
  }

  // Envelopes, labels, cards
  static let number10 = pdf(297, 684)
  static let number10Landscape = pdf(684, 297)
  static let label4x6 = pdf(288, 432)
  /// With a frame 2 mm from its edge.
  static let label4x6Framed = label4x6.marked(6, 6, 276, 420)
  static let label6x4 = pdf(432, 288)
  static let label62x40 = pdf(millimeters: 62, 40, content: 40)
  static let label90x29 = pdf(millimeters: 90, 29)
  /// Longer than any cut, when turned along a roll of 62 mm.
  static let banner = pdf(millimeters: 4_000, 100)
  static let label62x29 = pdf(millimeters: 62, 29, content: 15)
  static let label100x62 = pdf(millimeters: 100, 62)
  static let label64x29 = pdf(millimeters: 63.5, 29)
  static let label103x153 = pdf(millimeters: 103, 153.5)
  static let label50x30 = pdf(millimeters: 50, 30)
  static let label50x30Unscaled = {
    var sample = label50x30
    sample.info.keepsScale = true
    return sample
  }()
  static let hagaki = pdf(millimeters: 100, 148)
  /// Exactly the pixels of a 4x6 label at 203 dpi, upright and turned; one pixel short below.
  static let labelPixels = picture(812, 1218, dpi: 203)
  static let labelPixelsTurned = picture(1218, 812, dpi: 96)
  /// Exactly as many rows as a 62 mm roll has dots at 300 dpi.
  static let labelPixelsAlong = picture(1_000, 732, dpi: 300)
  static let labelPixelsShort = picture(811, 1218, dpi: 96)

  // Receipts
  static let receipt80 = pdf(millimeters: 80, 297, content: 150)
  static let receipt72 = pdf(millimeters: 72, 400, content: 100)
  static let receiptPages = pdf(millimeters: 80, 200, pages: 3, content: 120.4)
  static let receiptLong = pdf(millimeters: 80, 5_000, content: 5_000)
  static let receiptShort = pdf(millimeters: 80, 297, content: 6)

  // Pictures
  static let photo = jpeg(3_000, 2_000)
  static let photo4by3 = jpeg(4_000, 3_000)
  static let photoSquare = jpeg(2_000, 2_000)
  static let photoSmall = jpeg(600, 400)
  static let photoProgressive = jpeg(3_000, 2_000, isBaseline: false)
  static let photoCMYK = jpeg(3_000, 2_000, components: 4)
  static let photoProfiled = jpeg(3_000, 2_000, hasProfile: true)
  static let photoTurned = jpeg(2_000, 3_000, orientation: 6)
  static let photoHuge = jpeg(3_000, 2_000, octets: 20_000_000)
  static let photoWide = jpeg(15_500, 2_000)
  /// Photos where no library is installed that draws them.
  static let photoUndrawable = jpeg(3_000, 2_000, canBeDrawn: false)
  static let photoUndrawableProfiled = jpeg(3_000, 2_000, hasProfile: true, canBeDrawn: false)
  static let photoPanorama = jpeg(6_000, 2_000)
  static let png = picture(3_000, 2_000)
  /// A page of text from a scanner, as JPEG.
  static let scan: Sample = {
    var sample = jpeg(2_480, 3_508)
    sample.info.image?.isFlat = true
    return sample
  }()
  static let screenshot = picture(1_920, 1_080, dpi: 96)
}
