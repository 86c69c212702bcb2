import LateLibraries
import PDFRepair
import PrintModel
import Testing

@testable import PDF

/// Words in a PDF's bytes that determine if QPDF has to read it.
@Suite struct PDFFeaturesTests {
  private func mayBe(_ file: [UInt8], unpackingAtMost budget: Int = 1 << 20) throws -> Bool {
    try GraphicsLibraries.pdf.load()
    return file.withUnsafeBytes { PDFFeature.mayBe(in: $0, unpackingAtMost: budget) }
  }

  @Test(arguments: [
    ("<< /Type /Page /UserUnit 2 >>", true), ("<</Subtype/Type3>>", false), ("/Type /Font", false),
    ("<</BM/Normal>>", false), ("<</BM /Multiply>>", true), ("<< /BM [/Multiply] >>", true),
    ("<</BM\n/Compatible/ca 1>>", false), ("/BM 7 0 R", true), ("/BMW 3", false),
    ("/TR /Identity", false), ("/TR2 /Default", false), ("/TR 12 0 R", true), ("/TR<<", true),
    ("/ShadingType 2 /Coords", false), ("/ShadingType 3\n", true),
    ("/ShadingType 7", true),
    ("/S /Luminosity /ShadingType 2 /Coords", true), ("/S/Alpha/G", false),
    ("/S /Luminosity /G 5 0 R", false), ("/ShadingType 2 0 R", true), ("/K true", true),
    ("/K/Identity", false), ("/K false", false),
    ("/Subtype/Widget", true), ("/PrintState /OFF", true), ("/Print 1", false),
    ("<</Type/StructElem/S/TR/P 5 0 R>>", false), ("<</S /TR /K[1]>>", false),
    ("<</K[1]/S /TR>>", false), ("/K [1 2]", false), ("/BM [/Normal /Multiply]", false),
    ("/BM [/X /Multiply]", true), ("[/Separation /None /DeviceCMYK 7 0 R]", true),
    ("[/Separation /All /DeviceCMYK 7 0 R]", false),
    ("[/DeviceN [/None /None] /DeviceCMYK 7 0 R]", true),
    ("[/DeviceN[/Cyan /None] /DeviceCMYK 7 0 R]", false), ("/", false), ("", false),
    ("/Matte[0 0 0]", true), ("/VE [/Not 5 0 R]", true), ("/VEX 1", false), ("/AP << >>", true),
    ("/ca .5 /Mask 8 0 R", true), ("/Mask 8 0 R /ca 0.25", true), ("/ca 1 /Mask 8 0 R", false),
    ("/CA .5 /Mask 8 0 R", false), ("/ca .5 /SMask 8 0 R", false), ("/ca .5 /Mask [0 1]", false),
    ("/XStep 9 /BBox [0 0 9 9]", true), ("/XSteps 9", false),
    ("/QuadPoints [1]", false),
  ])
  func words(_ text: String, _ expected: Bool) throws {
    #expect(try mayBe(Array(text.utf8)) == expected)
    #expect(try mayBe(Array("%PDF-1.4\n\(text) ".utf8)) == expected)
    #expect(try mayBe(objectStream(of: text + " ")) == expected)
  }

  @Test func `every annotation that may be left out is a feature`() throws {
    #expect(try mayBe(Array("<</Subtype/Stamp/F 4/AP<<>>>>".utf8)))
    #expect(try !mayBe(Array("<</Subtype/Stamp/F 4>>".utf8)))
  }

  @Test(arguments: [
    "/Filter /FlateDecode /DecodeParms << /Predictor 12 >>", "/Filter /LZWDecode", "",
    "/Filter [/FlateDecode /FlateDecode]", "/Filter [/Crypt /FlateDecode]",
  ])
  func streamsThatAreNotUnpacked(_ members: String) throws {
    #expect(try mayBe(objectStream(of: "/Type /Page", members)))
  }

  @Test func brokenStreams() throws {
    let whole = objectStream(of: "/Type /Page")
    #expect(try !mayBe(whole))
    #expect(try mayBe(whole, unpackingAtMost: 5))
    // Truncated, and encrypted, so that its bytes are noise.
    #expect(try mayBe(Array(whole.prefix(whole.count - 25))))
    var noise = whole
    for place in whole.count - 30..<whole.count { noise[place] ^= 0x5A }
    #expect(try mayBe(noise))
    #expect(try mayBe(Array("<< /Type /ObjStm".utf8)))
  }

  /// Returns a PDF with one object stream in Flate format.
  private func objectStream(
    of text: String, _ members: String = "/Filter /FlateDecode"
  ) -> [UInt8] {
    Array("%PDF-1.5\n".utf8) + stream(of: text, "/Type /ObjStm /N 1 /First 4 \(members)")
  }

  /// Returns an object with a stream in Flate format, which contains `text` uncompressed.
  private func stream(of text: String, _ members: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    let length = [UInt8(bytes.count & 0xFF), UInt8(bytes.count >> 8)]
    var (a, b) = (UInt32(1), UInt32(0))
    for byte in bytes {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    let sum = (0..<4).map { UInt8(truncatingIfNeeded: (b << 16 | a) >> (24 - 8 * UInt32($0))) }
    let stored = [0x78, 0x01, 0x01] + length + length.map { ~$0 } + bytes + sum
    return Array("1 0 obj\n<< \(members) >>\nstream\r\n".utf8) + stored
      + Array("\nendstream\nendobj\n".utf8)
  }
}
