import Capability
import FoundationEssentials
import PrintModel
import Testing

/// The printers of Recordings/, with their makers' attributes: see SOURCES.md there.
enum Recordings {
  static let folder =
    #filePath.split(separator: "/").dropLast().reduce(into: "") { $0 += "/\($1)" } + "/Recordings"

  static func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".conf") }.map { String($0.dropLast(5)) }.sorted()
  }

  static func attributes(_ name: String) throws -> [Attribute] {
    let bytes = try #require(
      FileManager.default.contents(atPath: "\(folder)/\(name).conf"), "\(name)")
    var attributes = try AttributeFile.attributes(of: String(decoding: bytes, as: UTF8.self))
    // ippeveprinter does not return it, so the files do not contain it.
    if name.hasPrefix("cupsq-") { attributes.append(Attribute("cups-version", .text("2.4.2"))) }
    return attributes
  }

  static func printer(_ name: String) throws -> Capabilities {
    Capabilities(reading: AttributeSet(try attributes(name)))
  }

  /// Typical documents.
  static let jobs: [(name: String, document: DocumentInfo)] = [
    ("A4", Sample.a4.info), ("Letter", Sample.letter.info), ("three pages", Sample.threePages.info),
    ("text", Sample.text.info),
    ("photo 3:2", Sample.photo.info), ("photo 4:3", Sample.photo4by3.info),
    ("photo 1:1", Sample.photoSquare.info), ("photo 3:1", Sample.photoPanorama.info),
    ("screenshot", Sample.screenshot.info), ("receipt", Sample.receipt80.info),
    ("label 4x6", Sample.label4x6.info), ("label 62x29", Sample.label62x29.info),
    ("label 90x29", Sample.label90x29.info), ("label 6x4", Sample.label6x4.info),
    ("label 103x153", Sample.label103x153.info), ("envelope", Sample.number10Landscape.info),
    ("postcard", Sample.hagaki.info),
  ]
}
