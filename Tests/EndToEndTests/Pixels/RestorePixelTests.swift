import TestSupport
import Testing

/// Pages that restore a graphics state that they have not saved.
@Suite(.inTurn) struct RestorePixelTests {
  private static let black = "0 g 100 500 100 100 re f"

  private func color(_ page: RawPDF, as suffix: String = "pwg") async throws -> [UInt8] {
    let person = try await Person.anybody()
    func render(_ file: String, _ output: String) async throws {
      let drawn = try await person.airprint(
        "render", file, "-o", output, "--paper", "595x842pt", "--color", "color", "--resolution",
        "100", "--strict")
      try #require(drawn.code == 0, "\(drawn.report)")
    }
    var file = try person.document(page.bytes)
    if suffix == "pdf" {
      let vectors = person.path("vectors.pdf")
      try await render(file, vectors)
      file = vectors
    }
    try await render(file, person.path("out.pwg"))
    return try #require(try Sheet.read(person.path("out.pwg")).first).dot(150, 842 - 550)
  }

  @Test(
    arguments: [
      ("Q \(black)", [0, 0, 0]), ("Q Q q \(black) Q Q", [0, 0, 0]),
      ("1 0 0 rg 0 0 9 9 re f Q 100 500 100 100 re f", [255, 0, 0]),
      ("q /S << /E (a Q \\) Q) >> BDC EMC Q % Q\n Q /Q MP \(black)", [0, 0, 0]),
      ("q BI /W 8 /H 1 /IM true ID \u{1} EI Q Q \(black)", [0, 0, 0]),
    ] as [(String, [UInt8])])
  func `all of the page is drawn`(_ content: String, _ expected: [UInt8]) async throws {
    #expect(try await color(RawPDF(content)) == expected)
    #expect(try await color(RawPDF(content), as: "pdf") == expected)
  }

  @Test func `also in a form, in a content of several parts, and by Splash`() async throws {
    let content = "Q \(Self.black)"
    let form = RawPDF("/X Do", resources: "/XObject << /X 5 0 R >>").with {
      $0.stream(5, "/Type /XObject /Subtype /Form /BBox [0 0 595 842]", Array(content.utf8))
    }
    #expect(try await color(form) == [0, 0, 0])
    let parts = RawPDF(page: "/Contents [5 0 R 6 0 R 7 0 R]").with {
      $0.add(
        3,
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents [5 0 R 6 0 R 7 0 R] >>")
      $0.stream(5, "", Array("q 1 0 0 rg".utf8))
      $0.stream(6, "", Array("Q".utf8))
      $0.stream(7, "", Array("Q 100 500 100 100 re f".utf8))
    }
    #expect(try await color(parts) == [0, 0, 0])
    let blended = RawPDF(
      "Q /E gs 1 0 0 rg 100 500 100 100 re f",
      resources: "/ExtGState << /E << /BM /Screen >> >>")
    #expect(try await color(blended) == [255, 0, 0])
  }

  @Test func `also in a tile and in an annotation`() async throws {
    let content = "Q \(Self.black)"
    let tiled = RawPDF(
      "/Pattern cs /T scn 0 0 595 842 re f", resources: "/Pattern << /T 5 0 R >>"
    ).with {
      $0.stream(
        5,
        "/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 595 842] /XStep 595 "
          + "/YStep 842 /Resources << >>", Array(content.utf8))
    }
    #expect(try await color(tiled) == [0, 0, 0])
    let stamped = RawPDF(page: "/Annots [6 0 R]").with {
      $0.add(3, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Annots [6 0 R] >>")
      $0.stream(5, "/Type /XObject /Subtype /Form /BBox [0 0 595 842]", Array(content.utf8))
      $0.add(
        6, "<< /Type /Annot /Subtype /Stamp /F 4 /Rect [0 0 595 842] /AP << /N 5 0 R >> >>")
    }
    #expect(try await color(stamped) == [0, 0, 0])
  }

  @Test func `also in a soft mask and in a glyph`() async throws {
    let masked = RawPDF(
      "/E gs \(Self.black)",
      resources: "/ExtGState << /E << /SMask << /S /Luminosity /G 5 0 R >> >> >>"
    ).with {
      $0.stream(
        5,
        "/Type /XObject /Subtype /Form /BBox [0 0 595 842] "
          + "/Group << /S /Transparency /CS /DeviceGray >>", Array("Q 1 g 0 0 595 842 re f".utf8))
    }
    #expect(try await color(masked) == [0, 0, 0])
    let lettered = RawPDF(
      "BT /F 100 Tf 100 500 Td (a) Tj ET", resources: "/Font << /F 5 0 R >>"
    ).with {
      $0.add(
        5,
        "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] "
          + "/CharProcs << /a 6 0 R >> /Encoding << /Type /Encoding /Differences [97 /a] >> "
          + "/FirstChar 97 /LastChar 97 /Widths [1000] /Resources << >> >>")
      $0.stream(6, "", Array("1000 0 0 0 1000 1000 d1 Q 0 0 1000 1000 re f".utf8))
    }
    #expect(try await color(lettered) == [0, 0, 0])
  }
}
