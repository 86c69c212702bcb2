import TestSupport
import Testing

/// JBIG2 pictures that Poppler fails to decode, but jbig2dec decodes.
@Suite(.inTurn) struct JBIG2PixelTests {
  /// A page of 64 by 64 dots with a black square of 16 by 16: a symbol that a Huffman-coded text region places once
  /// (ITU-T T.88 §6.4, §6.5).
  ///
  /// The symbol's bitmap is uncompressed, which Poppler misreads.
  private enum Picture {
    static let page = segment(0, type: 48, big(64, 4), big(64, 4), big(0, 4), big(0, 7))

    static let symbols = segment(
      1, type: 0,
      // Flags, numbers of exported and new symbols; height 16, width 16, no more, 0 bytes for an uncompressed bitmap.
      big(1, 2), big(1, 4), big(1, 4), bits("11110 000100 11110 000101 111111 00000"),
      [UInt8](repeating: 0xFF, count: 32), bits("00000 00001"))

    static let text = segment(
      2, type: 6, of: 1,
      // The region, flags (Huffman, top left), tables, one instance; a code of one bit for the only symbol; its
      // position.
      big(64, 4), big(64, 4), big(0, 8), [0], big(0x11, 2), big(0, 2), big(1, 4),
      bits("0000 0001" + String(repeating: "0", count: 33 * 4) + "0"),
      bits("0 0 00 0000000 0 01"))

    private static func segment(
      _ number: Int, type: UInt8, of other: UInt8? = nil, _ parts: [UInt8]...
    ) -> [UInt8] {
      let others: [UInt8] = other.map { [1 << 5, $0] } ?? [0]
      let data = parts.flatMap(\.self)
      return big(number, 4) + [type] + others + [1] + big(data.count, 4) + data
    }

    private static func big(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func bits(_ text: String) -> [UInt8] {
      let bits = text.filter { $0 != " " }
      let whole = bits + String(repeating: "0", count: (8 - bits.count % 8) % 8)
      return stride(from: 0, to: whole.count, by: 8).map { start in
        UInt8(whole.dropFirst(start).prefix(8), radix: 2) ?? 0
      }
    }
  }

  private static let members =
    "/Type /XObject /Subtype /Image /Width 64 /Height 64 /BitsPerComponent 1 /ColorSpace /DeviceGray "

  private func page(_ picture: some Sequence<UInt8>, _ filter: String, globals: [UInt8] = [])
    -> RawPDF
  {
    RawPDF("q 640 0 0 640 0 202 cm /X Do Q", resources: "/XObject << /X 5 0 R >>").with {
      $0.stream(5, Self.members + filter, Array(picture))
      $0.stream(6, "", globals)
    }
  }

  private func draw(
    _ page: RawPDF, to name: String = "out.pwg"
  ) async throws -> (marks: [[UInt8]], said: String) {
    let person = try await Person.anybody()
    let drawn = try await person.airprint(
      "render", try person.document(page.bytes), "-o", person.path(name), "--paper", "595x842pt",
      "--color", "gray", "--resolution", "72")
    #expect(drawn.code == 0, "\(drawn.report)")
    var output = person.path(name)
    if name.hasSuffix("pdf") {
      let again = try await person.airprint(
        "render", output, "-o", person.path("out.pwg"), "--color", "gray", "--resolution", "72")
      #expect(again.code == 0, "\(again.report)")
      output = person.path("out.pwg")
    }
    let sheet = try #require(try Sheet.read(output).first)
    return ([sheet.dot(80, 80), sheet.dot(240, 80), sheet.dot(80, 240)], drawn.stderr)
  }

  private static let expected: [[UInt8]] = [[0], [255], [255]]

  @Test(arguments: ["out.pwg", "out.pdf"])
  func `are drawn, and nothing is said`(_ name: String) async throws {
    let whole = Picture.page + Picture.symbols + Picture.text
    for filter in ["/Filter /JBIG2Decode", "/Filter [/JBIG2Decode]"] {
      let drawn = try await draw(page(whole, filter), to: name)
      #expect(drawn.marks == Self.expected, "\(drawn.marks)")
      #expect(!drawn.said.contains("missing"), "\(drawn.said)")
    }
  }

  @Test func `with their symbols in a stream that several share`() async throws {
    let filter = "/Filter /JBIG2Decode /DecodeParms << /JBIG2Globals 6 0 R >>"
    let drawn = try await draw(
      page(Picture.page + Picture.text, filter, globals: Picture.symbols))
    #expect(drawn.marks == Self.expected, "\(drawn.marks)")
  }

  @Test func `also on a page that Splash draws, as a mask, and in a preview`() async throws {
    let whole = Picture.page + Picture.symbols + Picture.text
    let blended = RawPDF(
      "/E gs q 640 0 0 640 0 202 cm /X Do Q",
      resources: "/ExtGState << /E << /BM /Screen >> >> /XObject << /X 5 0 R >>"
    ).with { $0.stream(5, Self.members + "/Filter /JBIG2Decode", whole) }
    #expect(try await draw(blended).marks == Self.expected)
    let masked = RawPDF(
      "q 640 0 0 640 0 202 cm /X Do Q", resources: "/XObject << /X 5 0 R >>"
    ).with {
      $0.stream(
        5,
        "/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray "
          + "/Mask 6 0 R", [0])
      $0.stream(
        6,
        "/Type /XObject /Subtype /Image /Width 64 /Height 64 /BitsPerComponent 1 /ImageMask true "
          + "/Filter /JBIG2Decode", whole)
    }
    #expect(try await draw(masked).marks == Self.expected)
    let person = try await Person.anybody()
    let seen = try await person.airprint(
      "preview", "--no-printer", "-o", person.path("seen.png"),
      try person.document(page(whole.dropLast(8), "/Filter /JBIG2Decode").bytes))
    #expect(seen.code == 0 && seen.stderr.contains("has damaged data"), "\(seen.report)")
  }

  @Test(arguments: [8, 60]) func `that are cut off are missing, which is said once`(
    _ missing: Int
  ) async throws {
    let whole = Picture.page + Picture.symbols + Picture.text
    let drawn = try await draw(page(whole.dropLast(missing), "/Filter /JBIG2Decode"))
    #expect(
      drawn.said.contains("Page 1 has damaged data; something may be missing from it."),
      "\(drawn.said)")
    #expect(drawn.said.split(separator: "\n").count { $0.contains("damaged") } == 1)
  }
}
