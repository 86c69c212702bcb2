import Testing

@testable import Documents

/// Which of its two ways Poppler draws a page in, by what is on it.
@Suite struct SplashScanTests {
  /// A PDF of one page with these shadings, by number from 5 on; QPDF finds the objects by itself.
  private func needsSplash(_ shadings: [String]) throws -> Bool {
    let names = shadings.indices.map { "/S\($0) \(5 + $0) 0 R" }.joined(separator: " ")
    let objects =
      [
        "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R "
          + "/Resources << /Shading << \(names) >> >> >>",
        "<< /Length 5 >>\nstream\n/S sh\nendstream",
      ] + shadings
    let bodies = objects.enumerated().map { "\($0.offset + 1) 0 obj\n\($0.element)\nendobj\n" }
    let file = "%PDF-1.4\n\(bodies.joined())trailer\n<< /Root 1 0 R >>\n"
    return try Array(file.utf8).withUnsafeBytes { bytes in
      try #require(try PDFObjects(bytes, password: nil, count: 1)).needsSplash(0)
    }
  }

  private static func mesh(_ type: Int, _ members: String = "", bytes: Int = 36) -> String {
    "<< /ShadingType \(type) /ColorSpace /DeviceRGB \(members) /Length \(bytes) >>\nstream\n"
      + String(repeating: " ", count: bytes) + "\nendstream"
  }

  private static let function = "/Function << /FunctionType 2 /Domain [0 1] /N 1 >>"

  @Test(arguments: [
    ([], false), (["<< /ShadingType 2 >>"], false), (["<< /ShadingType 1 >>"], true),
    ([mesh(6)], true), ([mesh(7)], true), ([mesh(4)], true), ([mesh(5, function)], true),
    // As cairo draws them faster: many by a function, and many triangles
    (Array(repeating: mesh(4, function), count: 13), false),
    ([mesh(4, bytes: 20_000)], false),
    // But what is drawn right by Splash alone counts more
    (Array(repeating: mesh(4, function), count: 13) + [mesh(7)], true),
  ])
  func `shadings are drawn by who draws them right, and in seconds`(
    _ shadings: [String], _ expected: Bool
  ) throws {
    #expect(try needsSplash(shadings) == expected)
  }
}
