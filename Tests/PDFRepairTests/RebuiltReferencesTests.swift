import LateLibraries
import Testing

@testable import PDFRepair

/// PDFs whose references are made anew from the objects in the file.
@Suite struct RebuiltReferencesTests {
  /// The table and the trailer behind the file, and the objects that were unpacked.
  private func addition(to text: String) throws -> String? {
    try addition(to: Array(text.utf8))
  }

  private func addition(to file: [UInt8]) throws -> String? {
    try GraphicsLibraries.pdf.load()
    let rebuilt = file.withUnsafeBytes { RebuiltReferences.file(for: $0) }
    return rebuilt.map { String(decoding: $0.dropFirst(file.count), as: UTF8.self) }
  }

  @Test func `the last object of a number counts, with its generation`() throws {
    let file = "1 0 obj << /Type /Catalog >> endobj\n7 2 obj 1 endobj 7 3 obj 2 endobj"
    #expect(
      try addition(to: file) == """

        xref
        0 1
        0000000000 65535 f\u{20}
        1 1
        0000000000 00000 n\u{20}
        7 1
        0000000053 00003 n\u{20}
        trailer
        << /Size 8 /Root 1 0 R >>
        startxref
        70
        %%EOF

        """)
  }

  @Test(
    arguments: [
      ("1 0 obj<</Type/Catalog>>endobj 2 0 obj<</Type/Catalog>>endobj", 2),
      ("1 0 obj<</Type/Catalog>>endobj 2 0 obj<</Type/Catalog>>endobj trailer<</Root 1 0 R>>", 1),
      ("1 0 obj<</Type/Catalog>>endobj trailer<</Root 5 0 R>>", 1),
      ("1 0 obj<</Creator(a)>>endobj 2 0 obj<</Type/Catalog>>endobj trailer<</Root 1 0 R>>", 2),
      ("1 0 obj<</Type/Catalog>>endobj trailer<</Root 1 0 R/Encrypt 3 0 R>>", nil),
      ("1 0 obj<</Type/Catalog>>endobj 3 0 obj<</Filter /Standard>>endobj", nil),
      ("1 0 obj<</Type/Catalog>>endobj 3 0 obj<</Type/Page/Contents 4 0 R>>endobj", nil),
      ("1 0 obj<</Type/Catalog>>endobj 3 0 obj<</Type/Page/Contents[1 0 R 4 0 R]>>endobj", nil),
      ("1 0 obj<</Type/Catalog>>endobj 3 0 obj<</Type/Pages/Kids[4 0 R]>>endobj", nil),
      ("1 0 obj<</Type/Catalog>>endobj 3 0 obj<</Type/Page/Contents 1 0 R>>endobj", 1),
      ("1 0 obj<</Type/Page>>endobj", nil), ("obj", nil), ("0 obj", nil), ("1 0 obj", nil),
      ("", nil),
      ("99999999999999999999 0 obj<</Type/Catalog>>", nil), ("1 99999 obj<</Type/Catalog>>", nil),
      ("1 0 obj<</Type/ObjStm/N 9/First 9/Filter/FlateDecode>>stream", nil),
      (
        "1 0 obj<</Type/ObjStm/N 999999999/First 999999999/Filter/FlateDecode>>stream\n\u{8}\u{1}",
        nil
      ),
    ] as [(String, Int?)])
  func roots(_ file: String, _ root: Int?) throws {
    let added = try addition(to: file)
    #expect(
      added?.contains("/Root \(root ?? 0) 0 R") == root.map { _ in true }, "\(added ?? "nil")")
  }

  @Test func `objects of object streams are unpacked, also where the stream is cut off`() throws {
    let objects = "12 0 13 22 <</Type/Catalog     >><</Count 0>>"
    let data = Array(objects.utf8)
    // Said to be longer than it is (RFC 1951 §3.2.4).
    let length = [UInt8(data.count + 9), 0]
    let packed = [0x78, 0x01, 0x01] + length + length.map { ~$0 } + data
    let file =
      Array("3 0 obj\n<</Type/ObjStm/N 2/First 11/Filter/FlateDecode>>\nstream\r\n".utf8) + packed
    let added = try #require(try addition(to: file))
    #expect(added.contains("12 0 obj\n<</Type/Catalog     >>\nendobj\n"), "\(added)")
    #expect(added.contains("13 0 obj\n<</Count 0>>\nendobj\n"), "\(added)")
    #expect(added.contains("/Size 14 /Root 12 0 R"), "\(added)")
  }
}
