internal import DocumentBytes
internal import Drawing
package import PrintModel

/// A JPEG 2000 file (ISO 15444-1), JP2 or a bare codestream, wrapped in a PDF of one page.
///
/// Poppler already decodes it in PDFs, large ones in bands, so no other library is needed.
package struct JPEG2000Picture {
  let facts: PictureFacts
  /// The size in pixels.
  package var size: (width: Int, height: Int) { (facts.width, facts.height) }
  private let bytes: UnsafeRawBufferPointer
  private let components: Int
  /// The codestream alone, and how its components become colors, where Poppler would not see what the file says.
  private let mixed: (code: UnsafeRawBufferPointer, mixture: Mixture)?
  /// True for a bare codestream, which states no color space.
  private let isBare: Bool

  /// Throws exit 65 for a file that has no header, is truncated, or has colors at a lower resolution than brightness,
  /// which Poppler draws as white, without a message.
  package init(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    self.bytes = bytes
    var facts = PictureFacts()
    guard let code = JPEG2000Codestream(in: bytes) else { throw DamagedPicture.failure(nil) }
    isBare = code.isBare
    components = code.components
    let header = isBare ? nil : JPEG2000Codestream.box("jp2h", in: bytes)
    let isWhole = (code.bytes.lastIndex { $0 != 0 }).map {
      $0 > 0 && code.bytes[$0] == 0xD9 && code.bytes[$0 - 1] == 0xFF
    }
    guard isBare || header != nil, isWhole == true else { throw DamagedPicture.failure(nil) }
    guard code.steps != nil else {
      throw DamagedPicture.failure("its colors are coarser than its brightness")
    }
    (facts.width, facts.height) = (code.width, code.height)
    try PictureLimits.check(facts.width, facts.height)
    if code.components == 2, let header, JPEG2000Picture.hasOpacity(header, at: 1) {
      // Poppler leaves it out.
      throw DamagedPicture.failure("a gray picture with transparent parts is not supported")
    }
    mixed = header.flatMap { JPEG2000Picture.mixture($0, code.components) }.map { (code.bytes, $0) }
    if let header, let resolution = JPEG2000Codestream.box("res ", in: header) {
      let stated = ["resd", "resc"].compactMap { JPEG2000Codestream.box($0, in: resolution) }
      facts.resolution = stated.lazy.compactMap(JPEG2000Picture.resolution).first
    }
    self.facts = facts
  }

  /// Components that a PDF function turns into red, green and blue.
  private struct Mixture {
    var names: String
    var function: String

    /// Red, green and blue with opacity, on white: Poppler ignores an opacity that it recognizes, and does not make
    /// anything translucent with it.
    static let translucent = Mixture(
      names: "/R /G /B /A",
      function:
        "4 -1 roll 1 sub 1 index mul 1 add 4 1 roll 3 -1 roll 1 sub 1 index mul 1 add "
        + "3 1 roll exch 1 sub 1 index mul 1 add exch pop")
    /// Brightness and two color differences (IEC 61966-2-1 Annex F).
    static let differences = Mixture(
      names: "/Y /Cb /Cr",
      function: ".5 sub exch .5 sub exch 2 index 1 index 1.402 mul add 4 1 roll "
        + "2 index 2 index -.344136 mul add 1 index -.714136 mul add 4 1 roll pop 1.772 mul add")
    /// The same with opacity, on white.
    static let translucentDifferences = Mixture(
      names: differences.names + " /A",
      function: "4 1 roll \(differences.function) 4 -1 roll \(translucent.function)")
  }

  /// A mixture for sYCC, and for sRGB and sYCC followed by an alpha channel (§I.5.3); nil for other colors.
  private static func mixture(_ header: UnsafeRawBufferPointer, _ components: Int) -> Mixture? {
    guard let color = JPEG2000Codestream.box("colr", in: header), color.count >= 7, color[0] == 1,
      JPEG2000Codestream.box("pclr", in: header) == nil
    else { return nil }
    let space = color.number(at: 3, bytes: 4)
    let isTranslucent = components > 1 && hasOpacity(header, at: components - 1)
    return switch (space, components) {
    case (18, 3): .differences
    case (18, 4) where isTranslucent: .translucentDifferences
    case (16, 4) where isTranslucent: .translucent
    default: nil
    }
  }

  /// True if a component is the opacity of all others (§I.5.3.6); without a definition, the fourth is, as Pillow takes it.
  private static func hasOpacity(_ header: UnsafeRawBufferPointer, at component: Int) -> Bool {
    guard let channels = JPEG2000Codestream.box("cdef", in: header) else { return component == 3 }
    guard channels.count >= 2 else { return false }
    // Component, kind and color: kind 1 is opacity, and color 0 is all of them.
    return (0..<min(component + 1, channels.number(at: 0))).contains { index in
      let place = 2 + 6 * index
      return place + 6 <= channels.count && channels.number(at: place) == component
        && channels.number(at: place + 2) == 1 && channels.number(at: place + 4) == 0
    }
  }

  /// Pixels per meter, vertically and horizontally, each a fraction and a power of ten (§I.5.3.7).
  private static func resolution(_ box: UnsafeRawBufferPointer) -> Resolution? {
    guard box.count >= 10 else { return nil }
    func dpi(_ place: Int, _ power: Int) -> Double {
      var value = Double(box.number(at: place)) / Double(max(1, box.number(at: place + 2)))
      let exponent = Int(Int8(bitPattern: box[power]))
      for _ in 0..<min(abs(exponent), 20) { value = exponent > 0 ? value * 10 : value / 10 }
      return value * 0.0254
    }
    return PictureFacts.resolution(dpi(4, 9), dpi(0, 8))
  }

  /// The PDF file.
  package var pdf: [UInt8] {
    // A page has a point at least.
    let scale = max(1, 1 / min(facts.size.width, facts.size.height))
    let page = PageSize(width: facts.size.width * scale, height: facts.size.height * scale)
    let names = [1: "/DeviceGray", 3: "/DeviceRGB", 4: "/DeviceCMYK"]
    var space = isBare ? names[components].map { " /ColorSpace \($0)" } ?? "" : ""
    if let mixed { space = " /ColorSpace [/DeviceN [\(mixed.mixture.names)] /DeviceRGB 5 0 R]" }
    let bytes = mixed?.code ?? bytes
    let function = "{ \(mixed?.mixture.function ?? "") }"
    let domain = String(repeating: "0 1 ", count: components)
    let drawing = "\(page.width) 0 0 \(page.height) 0 0 cm /P Do"
    let objects = [
      "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 \(page.width) \(page.height)] "
        + "/Resources << /XObject << /P 6 0 R >> >> /Contents 4 0 R >>",
      "<< /Length \(drawing.utf8.count) >>\nstream\n\(drawing)\nendstream",
      "<< /FunctionType 4 /Domain [\(domain)] /Range [0 1 0 1 0 1] "
        + "/Length \(function.utf8.count) >>\nstream\n\(function)\nendstream",
      "<< /Type /XObject /Subtype /Image /Width \(facts.width) /Height \(facts.height)\(space) "
        + "/Filter /JPXDecode /Length \(bytes.count) >>\nstream\n",
    ]
    var file = Array("%PDF-1.5\n".utf8)
    var places: [Int] = []
    for (index, object) in objects.enumerated() {
      places.append(file.count)
      file += Array("\(index + 1) 0 obj\n\(object)".utf8)
      if index == objects.count - 1 { file += Array(bytes) + Array("\nendstream".utf8) }
      file += Array("\nendobj\n".utf8)
    }
    let table = places.map { place in
      String(repeating: "0", count: max(0, 10 - "\(place)".count)) + "\(place) 00000 n \n"
    }
    let end =
      "xref\n0 7\n0000000000 65535 f \n\(table.joined())"
      + "trailer\n<< /Size 7 /Root 1 0 R >>\nstartxref\n\(file.count)\n%%EOF\n"
    return file + Array(end.utf8)
  }
}

/// Apple's icons: pictures of the same thing in several sizes; the newer formats are PNG or JPEG 2000.
package enum AppleIcon {
  /// The largest picture that is a file of its own; gdk-pixbuf can't read these (2.42).
  package static func largestFile(_ file: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard file.hasPrefix("icns") else { return nil }
    var found: UnsafeRawBufferPointer?
    var place = 8
    for _ in 0..<100 where place + 8 <= file.count {
      let end = place + max(8, file.number(at: place + 4, bytes: 4))
      guard end <= file.count else { break }
      let picture = file.piece(place + 8..<end)
      let isFile = picture.hasPrefix("PNG", at: 1) || picture.hasPrefix("jP  ", at: 4)
      if isFile, picture.count > found?.count ?? 0 { found = picture }
      place = end
    }
    return found
  }
}
