import LateLibraries
import PDFRepair
import Testing

@testable import PDF

/// The choice between Poppler's two renderers, by the page's content.
@Suite struct RendererChoiceTests {
  /// Returns the decision for a PDF of one page with these shadings, numbered from 5.
  private func needsSplash(_ shadings: [String]) throws -> Bool {
    let names = shadings.indices.map { "/S\($0) \(5 + $0) 0 R" }.joined(separator: " ")
    return try needsSplash("/Shading << \(names) >>", objects: shadings)
  }

  /// Returns the decision for a PDF of one page with these resources, additional page entries, and objects numbered
  /// from 5.
  ///
  /// QPDF finds the objects by itself.
  private func needsSplash(
    _ resources: String, page: String = "", objects: [String] = []
  ) throws -> Bool {
    let objects =
      [
        "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R "
          + "/Resources << \(resources) >> \(page) >>",
        Self.stream("", "/S sh"),
      ] + objects
    let bodies = objects.enumerated().map { "\($0.offset + 1) 0 obj\n\($0.element)\nendobj\n" }
    let file = "%PDF-1.4\n\(bodies.joined())trailer\n<< /Root 1 0 R >>\n"
    try GraphicsLibraries.pdf.load()
    return try Array(file.utf8).withUnsafeBytes { bytes in
      let objects = try #require(try PDFObjects(bytes, password: nil))
      guard let reason = objects.withPage(0, { RendererChoice.reason(on: $0) }) else {
        return false
      }
      #expect(PDFFeature.mayBe(in: bytes), "QPDF would not have been asked for \(reason)")
      return true
    }
  }

  private static func stream(_ members: String, _ data: String) -> String {
    "<< \(members) /Length \(data.utf8.count) >>\nstream\n\(data)\nendstream"
  }

  private static func mesh(_ type: Int, _ members: String = "", bytes: Int = 36) -> String {
    "<< /ShadingType \(type) /ColorSpace /DeviceRGB \(members) /Length \(bytes) >>\nstream\n"
      + String(repeating: " ", count: bytes) + "\nendstream"
  }

  private static let function = "/Function << /FunctionType 2 /Domain [0 1] /N 1 >>"

  @Test(arguments: [(0, false), (1, true), (16, true), (17, false)])
  func `soft masks with a transfer function, unless there are many`(
    _ count: Int, _ expected: Bool
  ) throws {
    let states = (0..<count).map {
      "/M\($0) << /SMask << /S /Alpha /G 5 0 R /TR 6 0 R >> >>"
    }
    let group = Self.stream("/Subtype /Form /BBox [0 0 9 9] /Resources << >>", "0 0 5 5 re f")
    let inverse = Self.stream("/FunctionType 4 /Domain [0 1] /Range [0 1]", "{1 exch sub}")
    #expect(
      try needsSplash(
        "/ExtGState << \(states.joined(separator: " ")) >>", objects: [group, inverse]) == expected)
  }

  @Test(arguments: [
    ("[0 0 9 9]", false), ("[9 9 0 0]", false), ("[0 0 9.05 9]", false), ("[0 0 10 9]", true),
    ("[0 -6 9 4]", true), ("[0 0 5 5]", false), ("[0 0 9]", false),
  ])
  func `tiles that overlap`(_ box: String, _ expected: Bool) throws {
    let tile = Self.stream(
      "/PatternType 1 /PaintType 1 /TilingType 1 /BBox \(box) /XStep 9 /YStep -9", "0 0 5 5 re f")
    #expect(try needsSplash("/Pattern << /P 5 0 R >>", objects: [tile]) == expected)
  }

  @Test(arguments: [
    ([], false), (["<< /ShadingType 2 >>"], false), (["<< /ShadingType 1 >>"], true),
    (["<< /ShadingType 3 /Coords [5 5 0 5 5 9] /Extend [true false] >>"], false),
    (["<< /ShadingType 3 /Coords [5 5 9 5 5 0] /Extend [true true] >>"], false),
    (["<< /ShadingType 3 /Coords [5 5 9 5 5 0] /Extend [true false] >>"], true),
    (["<< /ShadingType 3 /Coords [5 5 9 30 5 4] /Extend [true true] >>"], true),
    ([mesh(6)], true), ([mesh(7)], true), ([mesh(4)], true), ([mesh(5, function)], true),
    // Where cairo is faster: many with a function, and many triangles
    (Array(repeating: mesh(4, function), count: 13), false),
    ([mesh(4, bytes: 20_000)], false),
    // Content that only Splash draws correctly takes precedence
    (Array(repeating: mesh(4, function), count: 13) + [mesh(7)], true),
  ])
  func `shadings are drawn by who draws them right, and in seconds`(
    _ shadings: [String], _ expected: Bool
  ) throws {
    #expect(try needsSplash(shadings) == expected)
  }

  /// A page is an isolated group, even if it does not state that.
  @Test(arguments: [
    ("/Screen", true), ("/Overlay", true), ("/SoftLight", true), ("/Lighten", true),
    ("/ColorDodge", true), ("/Luminosity", true), ("/Difference", true), ("/Normal", false),
    ("/Compatible", false), ("/Multiply", false), ("/Darken", false), ("/Unheard", false),
    ("[/Multiply /Screen]", false), ("[/Unheard /Screen]", true), ("[/Normal /Screen]", false),
    ("[]", false), ("7", false),
  ])
  func `what does not darken is not blended with the paper`(
    _ mode: String, _ expected: Bool
  ) throws {
    let state = "/ExtGState << /E << /BM \(mode) >> >>"
    let form = "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << \(state) >>"
    let pattern =
      "/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 9 /YStep 9 "
      + "/Resources << \(state) >>"
    func annotation(_ flags: Int, _ normal: String) -> String {
      "/Annots [<< /Type /Annot /Subtype /Stamp /F \(flags) /Rect [0 0 9 9] "
        + "/AP << /N \(normal) >> >>]"
    }
    let isolated = form + "/Group << /S /Transparency /I true >>"
    #expect(try needsSplash(state) == expected)
    #expect(try needsSplash(state, page: "/Group << /S /Transparency >>") == expected)
    #expect(
      try needsSplash("/XObject << /X 5 0 R >>", objects: [Self.stream(form, "/E gs")]) == expected)
    #expect(
      try needsSplash("/Pattern << /P 5 0 R >>", objects: [Self.stream(pattern, "/E gs")])
        == expected)
    #expect(
      try needsSplash("", page: annotation(4, "5 0 R"), objects: [Self.stream(form, "")])
        == expected)
    #expect(
      try needsSplash(
        "", page: annotation(4, "<< /On 5 0 R /Off 5 0 R >>"), objects: [Self.stream(form, "")])
        == expected)
    // Not if it isn't printed, and in a group that the paper does not shine through
    #expect(try !needsSplash("", page: annotation(0, "5 0 R"), objects: [Self.stream(form, "")]))
    #expect(try !needsSplash("/XObject << /X 5 0 R >>", objects: [Self.stream(isolated, "")]))
    // The same form inside such a group, and outside
    #expect(
      try needsSplash(
        "/XObject << /A 6 0 R /B 5 0 R >>",
        objects: [
          Self.stream(form, ""),
          Self.stream(
            "/Subtype /Form /Group << /S /Transparency /I true >> "
              + "/Resources << /XObject << /X 5 0 R >> >>", ""),
        ]) == expected)
  }

  @Test(arguments: [
    ("/ColorBurn", "0 0 100 100 re f", false), ("/Hue", "0 0 100 100 re f", false),
    ("/Hue", "0 0 100 90 re f", true), ("/Screen", "0 0 100 100 re f", true),
  ])
  func `what blends with paint alone`(
    _ mode: String, _ content: String, _ expected: Bool
  ) throws {
    let state = "/ExtGState << /E << /BM \(mode) >> >>"
    #expect(
      try needsSplash(state, page: "/Contents [5 0 R 4 0 R]", objects: [Self.stream("", content)])
        == expected)
  }

  @Test(arguments: [
    ("/Multiply", true), ("[/Multiply /Normal]", true), ("[/Unheard /Multiply]", true),
    ("[/Normal /Multiply]", false), ("/Normal", false),
  ])
  func `cairo does not know what lies below a group that is not isolated`(
    _ mode: String, _ expected: Bool
  ) throws {
    let group =
      "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Group << /S /Transparency >> "
      + "/Resources << /ExtGState << /E << /BM \(mode) >> >> >>"
    #expect(
      try needsSplash("/XObject << /X 5 0 R >>", objects: [Self.stream(group, "/E gs")]) == expected
    )
    // It has no resources, so the page's apply.
    let bare = "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Group << /S /Transparency >>"
    #expect(
      try needsSplash(
        "/ExtGState << /E << /BM \(mode) >> >> /XObject << /X 5 0 R >>",
        objects: [Self.stream(bare, "/E gs")]) == expected)
    // Poppler draws an annotation's appearance directly on the page.
    let annotation =
      "/Annots [<< /Type /Annot /Subtype /Highlight /F 4 /Rect [0 0 9 9] /AP << /N 5 0 R >> >>]"
    #expect(try !needsSplash("", page: annotation, objects: [Self.stream(group, "/E gs")]))
  }

  @Test(arguments: [
    ("/SMask 6 0 R", "/Matte [0 0 0]", true), ("/SMask 6 0 R", "/Decode [0 1]", false),
    ("", "/Matte [0 0 0]", false),
  ])
  func `colors that are mixed with a matte already`(
    _ members: String, _ mask: String, _ expected: Bool
  ) throws {
    let picture = "/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8"
    let objects = [
      Self.stream("\(picture) /ColorSpace /DeviceRGB \(members)", "abc"),
      Self.stream("\(picture) /ColorSpace /DeviceGray \(mask)", "a"),
      Self.stream(
        "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /P 5 0 R >> >>",
        "/P Do"),
    ]
    #expect(try needsSplash("/XObject << /P 5 0 R >>", objects: objects) == expected)
    #expect(try needsSplash("/XObject << /F 7 0 R >>", objects: objects) == expected)
  }

  /// The number of resources that are examined first, and the last blend mode, which does not count if there are too
  /// many.
  @Test(arguments: [(6_000, "/Screen"), (25_000, "/Multiply")])
  func `a page with very much on it`(_ count: Int, _ last: String) throws {
    let states = (0..<count).map { "/S\($0) 5 0 R" }.joined(separator: " ")
    #expect(
      try needsSplash(
        "/ExtGState << \(states) /Z << /BM \(last) >> >>", objects: ["<< /LW 1 >>"]))
  }

  @Test(arguments: [
    ("[/Separation /None /DeviceCMYK 5 0 R]", true),
    ("[/Separation /All /DeviceCMYK 5 0 R]", false),
    ("[/Separation /Gold /DeviceCMYK 5 0 R]", false),
    ("[/DeviceN [/None /None] /DeviceCMYK 5 0 R]", true),
    ("[/DeviceN [/None /Gold] /DeviceCMYK 5 0 R]", false), ("[/ICCBased 5 0 R]", false),
    ("/DeviceGray", false),
  ])
  func `ink of no name is none`(_ space: String, _ expected: Bool) throws {
    #expect(try needsSplash("/ColorSpace << /N \(space) >>") == expected)
  }
}
