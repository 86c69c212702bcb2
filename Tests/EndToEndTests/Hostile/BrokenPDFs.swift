/// A malicious PDF.
struct BrokenPDF: Sendable {
  var name: String
  private var make: @Sendable () -> [UInt8]

  init(_ name: String, _ make: @autoclosure @escaping @Sendable () -> [UInt8]) {
    self.name = name
    self.make = make
  }

  init(_ name: String, _ make: @autoclosure @escaping @Sendable () -> RawPDF) {
    self.init(name, make().bytes)
  }

  /// The bytes, made on demand, because some are megabytes.
  var bytes: [UInt8] { make() }

  /// All kinds, one of each.
  static let all = structure + pages + content + pictures + fonts + streams

  /// Returns one of the kinds with some changes: random bytes or digits, and parts removed or copied elsewhere.
  static func changed(seed: Int) -> [UInt8] {
    var state = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 | 1
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % max(1, bound)
    }
    // Only short ones, so that a change hits something relevant.
    let short = all.lazy.filter { !$0.name.contains("MB") }
    var bytes = Array(short)[next(Array(short).count)].bytes
    if bytes.count > 100_000 { bytes = RawPDF().bytes }
    // The file may be empty, or become empty.
    for _ in 0...next(12) where !bytes.isEmpty {
      let place = next(bytes.count)
      switch next(4) {
      case 0: bytes[place] = UInt8(next(256))
      case 1: bytes[place] = UInt8(0x30 + next(10))
      case 2: bytes.removeSubrange(place..<min(bytes.count, place + next(40)))
      default:
        bytes.insert(
          contentsOf: bytes[place..<min(bytes.count, place + next(200))], at: next(bytes.count))
      }
    }
    return bytes
  }

  private static func many(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count)
  }

  // MARK: Cross-references

  private static var structure: [BrokenPDF] {
    let plain = RawPDF()
    var files = [
      BrokenPDF(
        "a table of references that comes before itself",
        plain.with { $0.trailer += " /Prev START" }),
      BrokenPDF(
        "a stream of references that is the table",
        plain.with { $0.trailer += " /XRefStm START" }),
      BrokenPDF("a root that is itself", RawPDF().with { $0.add(1, "1 0 R") }),
      BrokenPDF("no root", RawPDF().with { $0.trailer = "" }),
      BrokenPDF(
        "a size beyond all numbers",
        RawPDF().with { $0.trailer += " /Size 99999999999999999999" }),
      BrokenPDF(
        "objects that hold each other",
        RawPDF(objects: [
          "<< /Type /ObjStm /N 1 /First 4 /Extends 5 0 R /Length 9 >>\nstream\n5 0 << >>\nendstream"
        ]).with { $0.trailer += " /Info 6 0 R" }),
      BrokenPDF(
        "a length that is its own stream",
        RawPDF().with { $0.stream(4, "", Array("0 0 9 9 re f".utf8), length: "4 0 R") }),
      BrokenPDF("arrays in arrays", RawPDF(page: "/X \(many("[", 300_000))")),
      BrokenPDF("dictionaries in dictionaries", RawPDF(page: "/X \(many("<</A", 300_000))")),
      BrokenPDF("brackets without an end", RawPDF(page: "/X \(many("(", 1_000_000))")),
      BrokenPDF(
        "garbage that is encrypted",
        RawPDF().with {
          $0.trailer +=
            " /Encrypt << /Filter /Standard /V 5 /R 6 /O <\(many("5A", 48))> /U <\(many("A5", 48))> "
            + "/OE <00> /UE <00> /Perms <00> /P -4 /Length 99999 >> /ID [<00> <00>]"
        }),
      BrokenPDF(
        "an unknown encryption",
        RawPDF().with { $0.trailer += " /Encrypt << /Filter /Other /V 99 >>" }),
      BrokenPDF("nothing but a head", Array("%PDF-1.7\n".utf8)),
      BrokenPDF(
        "a head and noise",
        Array("%PDF-1.7\n".utf8) + (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }),
      BrokenPDF(
        "a million objects of nothing",
        Array("%PDF-1.7\n".utf8) + Array(many("1 0 obj<<>>endobj ", 300_000).utf8)),
      BrokenPDF("object streams of 100 MB, and no trailer", objectStreams()),
    ]
    for part in [10, 30, 50, 70, 90] {
      files.append(BrokenPDF("cut off at \(part) %", cut(plain.bytes, part)))
    }
    return files
  }

  private static func objectStreams() -> [UInt8] {
    let packed = Bomb.zlib(Array("7 0 ".utf8), length: 100 << 20)
    return (1...4).reduce(into: Array("%PDF-1.7\n9 0 obj<</Type/Catalog/Pages 7 0 R>>endobj ".utf8))
    {
      $0 += "\($1) 0 obj<</Type/ObjStm/N 99999999/First 99999999/Filter/FlateDecode>>stream\n".utf8
      $0 += packed + Array(" endstream endobj ".utf8)
    }
  }

  private static func cut(_ bytes: [UInt8], _ part: Int) -> [UInt8] {
    Array(bytes.prefix(bytes.count * part / 100))
  }

  // MARK: Page trees and other objects

  private static var pages: [BrokenPDF] {
    let doubling = (0..<30).map { level in
      "<< /Type /Pages /Count \(1 << (30 - level)) /Kids [\(level < 29 ? many("\(6 + level) 0 R ", 2) : "3 0 R")] >>"
    }
    let deep = (0..<20_000).map {
      "<< /Type /Pages /Count 1 /Kids [\($0 < 19_999 ? "\(6 + $0) 0 R" : "3 0 R")] >>"
    }
    @Sendable func tree(_ body: String) -> RawPDF { RawPDF().with { $0.add(2, body) } }
    var files = [
      BrokenPDF(
        "pages that are their own children",
        tree("<< /Type /Pages /Count 5 /Kids [2 0 R 3 0 R 2 0 R] >>")),
      BrokenPDF(
        "a page that is its own parent",
        RawPDF().with { $0.add(3, "<< /Type /Page /Parent 3 0 R /Contents 4 0 R >>") }),
      BrokenPDF(
        "a tree of a thousand million pages",
        RawPDF(objects: doubling).with {
          $0.add(2, "<< /Type /Pages /Count \(1 << 31 - 1) /Kids [5 0 R 5 0 R] >>")
        }),
      BrokenPDF(
        "pages 20,000 levels deep",
        RawPDF(objects: deep).with { $0.add(2, "<< /Type /Pages /Count 1 /Kids [5 0 R] >>") }),
      BrokenPDF(
        "a thousand million pages that are not there",
        tree("<< /Type /Pages /Count 1000000000 /Kids [3 0 R] >>")),
      BrokenPDF("fewer than no pages", tree("<< /Type /Pages /Count -5 /Kids [3 0 R] >>")),
      BrokenPDF(
        "a page 100,000 times",
        tree("<< /Type /Pages /Count 100000 /Kids [\(many("3 0 R ", 100_000))] >>")),
      BrokenPDF(
        "labels in a ring",
        RawPDF(catalog: "/PageLabels 5 0 R", objects: ["<< /Kids [5 0 R 5 0 R] /Limits [0 9] >>"])),
      BrokenPDF(
        "fields in a ring",
        RawPDF(
          page: "/Annots [5 0 R]", catalog: "/AcroForm << /Fields [5 0 R] >>",
          objects: [
            "<< /T (a) /FT /Tx /Kids [5 0 R] /Parent 5 0 R /Subtype /Widget /Rect [0 0 9 9] >>"
          ])),
      BrokenPDF(
        "layers in a ring",
        RawPDF(
          "/OC /A BDC 0 0 9 9 re f EMC", resources: "/Properties << /A 5 0 R >>",
          catalog: "/OCProperties << /OCGs [5 0 R] /D << /Order [6 0 R] >> >>",
          objects: ["<< /Type /OCMD /VE 6 0 R >>", "[/And 6 0 R 6 0 R]"])),
      BrokenPDF(
        "20,000 notes",
        RawPDF(
          page: "/Annots [\(many("5 0 R ", 20_000))]",
          objects: ["<< /Subtype /Square /Rect [0 0 500 500] /F 4 /BS << /W 3 >> /C [1 0 0] >>"])),
    ]
    for box in [
      "0 0 1e38 1e38", "0 0 1000000 1000000", "0 0 0 0", "9 9 0 0", "0 0 0.0001 9",
      "-1e9 -1e9 1e9 1e9",
      "0 0 200000 1",
    ] {
      files.append(BrokenPDF("a page of \(box)", RawPDF(box: box)))
    }
    files.append(BrokenPDF("a unit of a million inches", RawPDF(page: "/UserUnit 72000000")))
    return files
  }

  // MARK: Page content

  private static var content: [BrokenPDF] {
    @Sendable func form(_ content: String, _ resources: String, _ more: String = "") -> String {
      "<< /Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << \(resources) >> \(more) "
        + "/Length \(content.utf8.count) >>\nstream\n\(content)\nendstream"
    }
    let tree = (0..<30).map { level in
      form(
        level < 29 ? "/A Do /A Do" : "0 0 1 1 re f",
        level < 29 ? "/XObject << /A \(6 + level) 0 R >>" : "")
    }
    let group = "/Group << /S /Transparency /I true /K true >>"
    let nest = (0..<2_000).map { level in
      form(
        level < 1_999 ? "/G gs /A Do" : "0 0 1 1 re f",
        "/ExtGState << /G << /ca 0.5 >> >>"
          + (level < 1_999 ? " /XObject << /A \(6 + level) 0 R >>" : ""), group)
    }
    @Sendable func pattern(_ step: String, _ content: String, _ resources: String = "") -> String {
      "<< /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 10 10] /XStep \(step) /YStep \(step) "
        + "/Resources << \(resources) >> /Length \(content.utf8.count) >>\nstream\n\(content)\nendstream"
    }
    let painted = "/Pattern cs /P scn 0 0 595 842 re f"
    @Sendable func shading(_ body: String, _ objects: [String] = []) -> RawPDF {
      RawPDF("/S sh", resources: "/Shading << /S << \(body) >> >>", objects: objects)
    }
    return [
      BrokenPDF(
        "a form that calls itself",
        RawPDF(
          "/A Do", resources: "/XObject << /A 5 0 R >>",
          objects: [form("/A Do /A Do", "/XObject << /A 5 0 R >>")])),
      BrokenPDF(
        "forms that call each other",
        RawPDF(
          "/A Do", resources: "/XObject << /A 5 0 R >>",
          objects: [
            form("/A Do", "/XObject << /A 6 0 R >>"), form("/A Do", "/XObject << /A 5 0 R >>"),
          ])),
      BrokenPDF(
        "forms that are called a thousand million times",
        RawPDF("/A Do", resources: "/XObject << /A 5 0 R >>", objects: tree)),
      BrokenPDF(
        "2,000 groups in one another",
        RawPDF("/A Do", resources: "/XObject << /A 5 0 R >>", objects: nest)),
      BrokenPDF(
        "a mask that masks itself",
        RawPDF(
          "/G gs 0 0 99 99 re f", resources: "/ExtGState << /G 5 0 R >>",
          objects: [
            "<< /SMask << /S /Luminosity /G 6 0 R >> >>",
            form("/G gs 0 0 9 9 re f", "/ExtGState << /G 5 0 R >>", group),
          ])),
      BrokenPDF(
        "a pattern of itself",
        RawPDF(
          painted, resources: "/Pattern << /P 5 0 R >>",
          objects: [pattern("10", painted, "/Pattern << /P 5 0 R >>")])),
      BrokenPDF(
        "a pattern of very small steps",
        RawPDF(
          painted, resources: "/Pattern << /P 5 0 R >>",
          objects: [pattern("0.00001", "0 0 1 1 re f")])),
      BrokenPDF(
        "a pattern of no steps",
        RawPDF(
          painted, resources: "/Pattern << /P 5 0 R >>",
          objects: [pattern("0", "0 0 1 1 re f")])),
      BrokenPDF(
        "a dashed line of 10 million dashes",
        RawPDF("[0.001 0.001] 0 d 1 w 0 0 m 595 842 l S 0 0 m 10000 10000 l S")),
      BrokenPDF(
        "dashes of nothing", RawPDF("[0 0] 0 d 0 0 m 595 842 l S [0 1e-30] 9 d 0 9 m 99 9 l S")),
      BrokenPDF(
        "an array of 500,000 dashes",
        RawPDF("[\(many("1 2 ", 250_000))] 0 d 0 0 m 595 842 l S")),
      BrokenPDF("a line as wide as the world", RawPDF("1e30 w 0 0 m 1e30 1e30 l S 0 0 m 1 1 l S")),
      BrokenPDF("300,000 saved states", RawPDF(many("q ", 300_000) + "0 0 9 9 re f")),
      BrokenPDF("restored, never saved", RawPDF(many("Q ", 300_000) + "0 0 9 9 re f")),
      BrokenPDF(
        "a path of a million curves",
        RawPDF("0 0 m " + many("1 900 300 -99 595 842 c 9 3 77 500 0 0 c ", 150_000) + "S")),
      BrokenPDF(
        "clipped 20,000 times",
        RawPDF(many("0 0 m 300 800 l 500 9 l 3 777 l h W* n ", 20_000) + "0 0 595 842 re f")),
      BrokenPDF("arrays in a page's content", RawPDF(many("[", 500_000) + " 0 d")),
      BrokenPDF(
        "operators without operands", RawPDF(many("re c l S f* sh Do Tj BI ID EI ", 20_000))),
      BrokenPDF(
        "numbers beyond all numbers",
        RawPDF(
          "99999999999999999999999999999 1e999 -1e999 0.00000000000000000000001 re f "
            + "1e38 0 0 1e38 0 0 cm 0 0 1 1 re f 0 0 0 0 0 0 cm 0 0 1 1 re S")),
      BrokenPDF(
        "a picture in the content without an end",
        RawPDF("BI /W 99999 /H 99999 /BPC 8 /CS /RGB ID " + many("x", 9_999))),
      BrokenPDF(
        "a shading whose function is itself",
        shading(
          "/ShadingType 1 /ColorSpace /DeviceGray /Function 5 0 R",
          [
            "<< /FunctionType 3 /Domain [0 1] /Functions [5 0 R 5 0 R] /Bounds [0.5] /Encode [0 1 0 1] >>"
          ])),
      BrokenPDF(
        "a shading of endless steps",
        shading(
          "/ShadingType 3 /ColorSpace /DeviceGray /Coords [0 0 0 1e9 1e9 1e-9] /Extend [true true] "
            + "/Function << /FunctionType 2 /Domain [0 1] /C0 [0] /C1 [1] /N 1e9 >>")),
      BrokenPDF(
        "a function of 100,000 brackets",
        shading(
          "/ShadingType 1 /ColorSpace /DeviceGray /Function 5 0 R",
          [
            "<< /FunctionType 4 /Domain [0 1 0 1] /Range [0 1] /Length 200000 >>\nstream\n"
              + many("{", 100_000) + many("}", 100_000) + "\nendstream"
          ])),
      BrokenPDF(
        "a table of a thousand million samples",
        shading(
          "/ShadingType 1 /ColorSpace /DeviceGray /Function 5 0 R",
          [
            "<< /FunctionType 0 /Domain [0 1 0 1] /Range [0 1] /Size [65535 65535] /BitsPerSample 32 "
              + "/Length 4 >>\nstream\nabcd\nendstream"
          ])),
      BrokenPDF(
        "a color that is its own alternate",
        RawPDF(
          "/C cs 1 scn 0 0 9 9 re f", resources: "/ColorSpace << /C 5 0 R >>",
          objects: [
            "[/Separation /X 5 0 R << /FunctionType 2 /Domain [0 1] /C0 [0] /C1 [1] /N 1 >>]"
          ])),
      BrokenPDF(
        "a palette of palettes",
        RawPDF(
          "/C cs 1 scn 0 0 9 9 re f", resources: "/ColorSpace << /C 5 0 R >>",
          objects: ["[/Indexed 5 0 R 255 <00>]"])),
    ]
  }

  // MARK: Pictures

  private static func picture(_ members: String, _ data: [UInt8], _ more: [String] = []) -> RawPDF {
    RawPDF("595 0 0 842 0 0 cm /I Do", resources: "/XObject << /I 5 0 R >>").with { file in
      file.stream(5, "/Type /XObject /Subtype /Image \(members)", data)
      for (index, body) in more.enumerated() { file.add(6 + index, body) }
    }
  }

  private static func zeros(_ length: Int) -> [UInt8] { Bomb.zlib([0, 0, 0], length: length) }

  private static var pictures: [BrokenPDF] {
    let noise = (0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 167 ^ $0 >> 3) }
    let rgb = "/BitsPerComponent 8 /ColorSpace /DeviceRGB"
    var files = [
      BrokenPDF(
        "a picture of 100,000 by 100,000 pixels",
        picture("/Width 100000 /Height 100000 \(rgb) /Filter /FlateDecode", zeros(300 << 20))),
      BrokenPDF(
        "a picture of 30,000 by 30,000 pixels",
        picture("/Width 30000 /Height 30000 \(rgb) /Filter /FlateDecode", zeros(300 << 20))),
      BrokenPDF(
        "a picture of 10,000 by 10,000 pixels",
        picture("/Width 10000 /Height 10000 \(rgb) /Filter /FlateDecode", zeros(300 << 20))),
      BrokenPDF(
        "a mask of 60,000 by 60,000 dots",
        picture(
          "/Width 60000 /Height 60000 /ImageMask true /BitsPerComponent 1 /Filter /FlateDecode",
          zeros(300 << 20))),
      BrokenPDF(
        "a picture of fewer than no pixels", picture("/Width -5 /Height 2147483647 \(rgb)", noise)),
      BrokenPDF("a picture with one row's data", picture("/Width 500 /Height 60000 \(rgb)", noise)),
      BrokenPDF(
        "a picture that masks itself",
        picture("/Width 20 /Height 20 \(rgb) /SMask 5 0 R", noise)),
      BrokenPDF(
        "a picture with a mask much larger",
        picture(
          "/Width 2 /Height 2 \(rgb) /SMask 6 0 R", noise,
          [
            "<< /Type /XObject /Subtype /Image /Width 50000 /Height 50000 /BitsPerComponent 8 "
              + "/ColorSpace /DeviceGray /Length 3 >>\nstream\nabc\nendstream"
          ])),
      BrokenPDF(
        "400 pictures of 4,000 by 4,000 pixels",
        picture("/Width 4000 /Height 4000 \(rgb) /Filter /FlateDecode", zeros(300 << 20)).with {
          $0.stream(4, "", Array(many("q 595 0 0 842 0 0 cm /I Do Q ", 400).utf8))
        }),
      BrokenPDF(
        "pixels of 16 bits in 32 inks",
        picture(
          "/Width 4000 /Height 4000 /BitsPerComponent 16 /ColorSpace [/DeviceN [\(many("/A ", 32))] "
            + "/DeviceCMYK << /FunctionType 4 /Domain [\(many("0 1 ", 32))] /Range [0 1 0 1 0 1 0 1] >>] "
            + "/Filter /FlateDecode", zeros(300 << 20))),
      BrokenPDF(
        "a fax of two thousand million columns",
        picture(
          "/Width 20000 /Height 20000 /BitsPerComponent 1 /ColorSpace /DeviceGray /Filter /CCITTFaxDecode "
            + "/DecodeParms << /K -1 /Columns 2147483647 /Rows 2147483647 >>", noise)),
      BrokenPDF(
        "differences over two thousand million columns",
        picture(
          "/Width 2000 /Height 2000 \(rgb) /Filter /FlateDecode /DecodeParms << /Predictor 15 "
            + "/Columns 2147483647 /Colors 32 /BitsPerComponent 16 >>", zeros(300 << 20))),
      BrokenPDF(
        "a profile of noise",
        picture(
          "/Width 20 /Height 20 /BitsPerComponent 8 /ColorSpace [/ICCBased 6 0 R]", noise,
          [
            "<< /N 3 /Length 4 >>\nstream\nabcd\nendstream"
          ])),
    ]
    for filter in [
      "DCTDecode", "JPXDecode", "JBIG2Decode", "CCITTFaxDecode", "LZWDecode", "RunLengthDecode",
    ] {
      files.append(
        BrokenPDF(
          "noise for \(filter)",
          picture("/Width 3000 /Height 3000 \(rgb) /Filter /\(filter)", noise)))
    }
    files.append(
      BrokenPDF(
        "a JPEG 2000 that claims to be endless",
        picture("\(rgb) /Width 9 /Height 9 /Filter /JPXDecode", jpeg2000)))
    files.append(
      BrokenPDF(
        "a JBIG2 page that claims to be endless",
        picture(
          "/Width 9 /Height 9 /BitsPerComponent 1 /ColorSpace /DeviceGray /Filter /JBIG2Decode",
          jbig2)))
    files.append(
      BrokenPDF(
        "a JPEG that claims to be endless",
        picture("\(rgb) /Width 65500 /Height 65500 /Filter /DCTDecode", jpeg)))
    return files
  }

  /// A codestream's size marker: 2³¹ by 2³¹ pixels in one tile, three components (ISO/IEC 15444-1, A.5.1).
  private static var jpeg2000: [UInt8] {
    let most = big(1 << 30, 4)
    return joined(
      [0xFF, 0x4F, 0xFF, 0x51], big(47, 2), big(0, 2), most, most, big(0, 8), most, most, big(0, 8),
      big(3, 2), [7, 1, 1, 7, 1, 1, 7, 1, 1, 0xFF, 0x52, 0, 12, 0, 0, 0, 1, 0, 5, 4, 4, 0, 1],
      [0xFF, 0x5C, 0, 19], [UInt8](repeating: 0x40, count: 17),
      [0xFF, 0x90, 0, 10, 0, 0, 0, 0, 0, 0, 0, 1, 0xFF, 0x93], [UInt8](repeating: 0x55, count: 500))
  }

  /// A page of 2³⁰ by 2³⁰ dots, and a region as large (ISO/IEC 14492, 7.4.8).
  private static var jbig2: [UInt8] {
    let side = big(1 << 30, 4)
    return joined(
      big(0, 4), [48, 0, 1], big(19, 4), side, side, big(0, 8), [0, 0, 0],
      big(1, 4), [38, 0, 1], big(100, 4), side, side, big(0, 8), [UInt8](repeating: 0x33, count: 84)
    )
  }

  /// A progressive JPEG of 65,500 by 65,500 pixels that ends with its first scan.
  private static var jpeg: [UInt8] {
    let table = [UInt8](repeating: 1, count: 64)
    let counts: [UInt8] = [0, 1] + [UInt8](repeating: 0, count: 14)
    return joined(
      [0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0], table, [0xFF, 0xC2, 0, 17, 8], big(65_500, 2),
      big(65_500, 2), [3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0], [0xFF, 0xC4, 0, 20, 0], counts, [0],
      [0xFF, 0xDA, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 0, 0], [UInt8](repeating: 0, count: 100))
  }

  // MARK: Fonts

  private static var fonts: [BrokenPDF] {
    let noise = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 91 ^ $0 >> 2) }
    let text = "BT /F 20 Tf 50 700 Td (Hello, world) Tj ET"
    @Sendable func font(_ body: String, _ content: String = text, _ more: [String] = []) -> RawPDF {
      RawPDF(content, resources: "/Font << /F 5 0 R >>", objects: [body] + more)
    }
    @Sendable func embedded(_ kind: String, _ subtype: String, _ head: [UInt8]) -> RawPDF {
      font(
        "<< /Type /Font /Subtype /\(subtype) /BaseFont /X /FirstChar 0 /LastChar 255 "
          + "/Widths [\(many("500 ", 256))] /FontDescriptor 6 0 R >>", text,
        ["<< /Type /FontDescriptor /FontName /X /Flags 4 /\(kind) 7 0 R >>"]
      ).with {
        $0.stream(
          7, kind == "FontFile3" ? "/Subtype /Type1C" : "/Length1 20000 /Length2 0 /Length3 0",
          head + noise)
      }
    }
    @Sendable func glyphs(_ procedure: String, _ resources: String) -> [String] {
      [
        "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /FirstChar 72 "
          + "/LastChar 72 /Widths [1] /Encoding << /Differences [72 /H] >> /CharProcs << /H 6 0 R >> "
          + "/Resources << \(resources) >> >>",
        "<< /Length \(procedure.utf8.count) >>\nstream\n\(procedure)\nendstream",
      ]
    }
    let own = glyphs("1 0 d0 BT /F 1 Tf (HH) Tj ET", "/Font << /F 5 0 R >>")
    let endless = glyphs("1 0 0 0 1 1 d1 " + many("0 0 1 1 re f ", 2_000), "")
    return [
      BrokenPDF(
        "a TrueType font of noise",
        embedded("FontFile2", "TrueType", [0, 1, 0, 0, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0])),
      BrokenPDF(
        "a CFF font of noise", embedded("FontFile3", "Type1", [1, 0, 4, 4, 0xFF, 0xFF, 4, 1, 1])),
      BrokenPDF(
        "a Type 1 font of noise",
        embedded(
          "FontFile", "Type1",
          Array("%!PS-AdobeFont-1.0: X\n/CharStrings 99999999 dict dup begin\n".utf8))),
      BrokenPDF("a font drawn with itself", font(own[0], text, [own[1]])),
      BrokenPDF(
        "glyphs of 2,000 marks, 20,000 times",
        font(endless[0], "BT /F 20 Tf (\(many("H", 20_000))) Tj ET", [endless[1]])),
      BrokenPDF(
        "a font that descends from itself",
        font(
          "<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [5 0 R] >>"
        )),
      BrokenPDF(
        "an encoding that uses itself",
        font(
          "<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding 6 0 R /DescendantFonts [7 0 R] /ToUnicode 6 0 R >>",
          text,
          [
            "<< /Type /CMap /CMapName /X /UseCMap 6 0 R /Length 60 >>\nstream\n"
              + "1 begincidrange <00000000> <ffffffff> 0 endcidrange       \nendstream",
            "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /CIDSystemInfo << /Registry (A) /Ordering (B) /Supplement 0 >> "
              + "/W [0 2147483647 500] >>",
          ])),
      BrokenPDF(
        "letters as high as the world",
        font(
          "<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>",
          "BT /F 1e9 Tf 1e9 Tc 7 Tr (Hello) Tj ET 0 0 9 9 re f")),
      BrokenPDF(
        "a million letters",
        font(
          "<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>",
          "BT /F 9 Tf (\(many("Hello ", 150_000))) Tj ET")),
      BrokenPDF(
        "letters of no size",
        font(
          "<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>",
          "BT /F 0 Tf 0 0 0 0 0 0 Tm (Hello) Tj ET")),
    ]
  }

  // MARK: Data that expands enormously

  private static var streams: [BrokenPDF] {
    @Sendable func unpacking(_ unit: String, _ length: Int) -> RawPDF {
      RawPDF().with {
        $0.stream(4, "/Filter /FlateDecode", Bomb.zlib(Array(unit.utf8), length: length))
      }
    }
    @Sendable func packedTwice() -> [UInt8] {
      // The bytes of a match of spaces, repeated.
      let inner = Bomb.zlib([0x20], length: 64 << 20)
      return Bomb.zlib(Array(inner[100..<113]), length: 64 << 20)
    }
    return [
      BrokenPDF("a content of 200 MB of rectangles", unpacking("0 0 9 9 re f ", 200 << 20)),
      BrokenPDF("a content of 200 MB of lines", unpacking("9 9 m 500 800 l S ", 200 << 20)),
      BrokenPDF("a content of 200 MB of one path", unpacking("9 9 m 500 800 l ", 200 << 20)),
      BrokenPDF("a content of 400 MB of space", unpacking(" ", 400 << 20)),
      BrokenPDF("a content of 400 MB of one number", unpacking("7", 400 << 20)),
      BrokenPDF(
        "a content of 400 MB of one name",
        unpacking("/", 1).with {
          $0.stream(
            4, "/Filter /FlateDecode", Bomb.zlib(Array("/A".utf8) + [0x41], length: 400 << 20))
        }),
      BrokenPDF("a content of 400 MB of one text", unpacking("(", 400 << 20)),
      BrokenPDF(
        "a content packed twice",
        RawPDF().with { $0.stream(4, "/Filter [/FlateDecode /FlateDecode]", packedTwice()) }),
      BrokenPDF(
        "2,000 filters",
        RawPDF().with {
          $0.stream(4, "/Filter [\(many("/ASCIIHexDecode ", 2_000))]", Array("00>".utf8))
        }),
      BrokenPDF(
        "20,000 contents that are one",
        RawPDF().with { file in
          file.add(
            3,
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents [\(many("4 0 R ", 20_000))] >>"
          )
          file.stream(
            4, "/Filter /FlateDecode", Bomb.zlib(Array("0 0 9 9 re f ".utf8), length: 100_000))
        }),
    ]
  }
}
