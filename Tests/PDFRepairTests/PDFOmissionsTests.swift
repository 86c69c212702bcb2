import LateLibraries
import PrintModel
import Testing

@testable import PDFRepair

/// Content that Poppler leaves out.
@Suite struct PDFOmissionsTests {
  /// A file of `count` pages, with an annotation on the last one.
  private func file(pages count: Int, _ annotation: String) throws -> PDFFile {
    try GraphicsLibraries.pdf.load()
    let pages = (0..<count).map { 4 + $0 }
    var objects = [
      "<</Type/Catalog/Pages 2 0 R>>",
      "<</Type/Pages/Count \(count)/Kids[\(pages.map { "\($0) 0 R" }.joined(separator: " "))]>>",
      annotation,
    ]
    objects += pages.map {
      "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]\($0 == pages.last ? "/Annots[3 0 R]" : "")>>"
    }
    var text = "%PDF-1.5\n"
    for (index, object) in objects.enumerated() { text += "\(index + 1) 0 obj\(object)endobj\n" }
    text += "trailer<</Size \(objects.count + 1)/Root 1 0 R>>\n%%EOF\n"
    let bytes = Array(text.utf8)
    return try bytes.withUnsafeBytes { try Self.kept($0) }
  }

  /// QPDF reads from the bytes later, too.
  private static func kept(_ bytes: UnsafeRawBufferPointer) throws -> PDFFile {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    copy.copyMemory(from: bytes)
    return try PDFFile(UnsafeRawBufferPointer(copy), password: nil)
  }

  @Test(arguments: [1, 3_000])
  func `a page is examined wherever it is`(_ count: Int) throws {
    let file = try file(
      pages: count, "<</Type/Annot/Subtype/Square/F 4/Rect[1 1 5 5]/AP<</N null>>>>")
    let losses = PDFOmissions(file).losses
    #expect(losses.map(\.page) == [count])
  }
}
