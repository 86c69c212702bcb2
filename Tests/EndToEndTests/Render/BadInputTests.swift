import FoundationEssentials
import TestSupport
import Testing

/// Malicious files: each prints or is refused with one sentence and exit 65, quickly, and in as much memory as a
/// point-of-sale system has.
@Suite(.inTurn) struct BadInputTests {
  private static let wide = 100_000

  /// Headers that claim 100,000 × 100,000 pixels, with few bytes after them.
  private static var huge: [(name: String, bytes: [UInt8])] {
    let size = big(wide, 4) + big(wide, 4)
    let png: [UInt8] =
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + PNGFile.chunk("IHDR", size + [8, 2, 0, 0, 0]) + PNGFile.chunk("IDAT", PNGFile.stored([0]))
      + PNGFile.chunk("IEND", [])
    var tiff = PictureFile(color: [0])
    tiff.width = wide
    tiff.height = wide
    let canvas: [UInt8] = [0, 0, 0, 0] + little(wide - 1, 3) + little(wide - 1, 3)
    let body = Array("WEBPVP8X".utf8) + little(10, 4) + canvas
    return [
      ("huge.png", png), ("huge.tif", tiff.tiff()),
      ("huge.webp", Array("RIFF".utf8) + little(body.count, 4) + body),
    ]
  }

  @Test(arguments: huge.map(\.name))
  func `a picture of 100,000 by 100,000 pixels`(_ name: String) async throws {
    let person = try await Person.anybody()
    let picture = try #require(Self.huge.first { $0.name == name })
    let file = try person.document(picture.bytes, name)
    let refused = try await person.airprint("check", file)
    #expect(refused.code == 65, "\(refused.report)")
    #expect(refused.stderr.contains("100000 x 100000"), "\(refused.stderr)")
    #expect(refused.stderr.split(separator: "\n").count == 1)
  }

  @Test func `a TIFF whose directories are a ring`() async throws {
    let person = try await Person.anybody()
    var ring = PictureFile.tiff([PictureFile(color: [0]), PictureFile(color: [255])])
    // The last directory's link points to the first.
    ring.replaceSubrange(ring.count - 4..<ring.count, with: ring[4..<8])
    let checked = try await person.airprint(
      "check", "--json", try person.document(ring, "ring.tif"))
    let pages = try checked.json.array?.first?.pages?.number
    #expect(checked.code == 65 || pages == 2, "\(checked.report)")
  }

  @Test func `a TIFF of 32 bits a sample is told what to do`() async throws {
    let person = try await Person.anybody()
    var picture = PictureFile(color: [0]).tiff()
    // BitsPerSample, one short number.
    let tag: [UInt8] = [2, 1, 3, 0, 1, 0, 0, 0]
    let place = try #require(
      picture.indices.first { picture[$0...].starts(with: tag) })
    picture[place + tag.count] = 32
    let checked = try await person.airprint("check", try person.document(picture, "float.tif"))
    #expect(checked.code == 65, "\(checked.report)")
    #expect(checked.stderr.contains("32 bits a sample are not supported"), "\(checked.report)")
  }

  /// Only checks that it does not crash, hang or report an internal error.
  @Test(arguments: [1.0, 20_000])
  func `a PDF of very small and very large pages is drawn or refused`(
    _ side: Double
  ) async throws {
    let person = try await Person.anybody()
    let page = PDF.Page(
      width: side, height: side,
      marks: [PDF.Mark(x: 0, y: 0, width: side / 2, height: side / 2)])
    let file = try person.document(PDF(pages: [page]).bytes)
    let drawn = try await person.airprint(
      "render", file, "-o", person.path("x.pwg"), "--resolution", "100")
    #expect(drawn.code == 0 || drawn.code == 65, "\(drawn.report)")
  }

  @Test func `a PDF of 10,000 pages is looked at soon`() async throws {
    let person = try await Person.anybody()
    let page = PDF.Page(width: 200, height: 200, marks: [])
    let file = try person.document(PDF(pages: Array(repeating: page, count: 10_000)).bytes)
    let checked = try await person.airprint("check", "--json", file)
    #expect(try checked.json.array?.first?.pages == .number(10_000))
  }

  @Test(.enabled(if: corpus != nil, "no corpus lies beside the checkout"))
  func `every bad file prints or is refused with one sentence, every good one prints`()
    async throws
  {
    let corpus = try #require(corpus)
    let person = try await Person.anybody()
    for kind in ["bad", "good"] {
      let names = try FileManager.default.contentsOfDirectory(atPath: "\(corpus)/\(kind)")
      #expect(!names.isEmpty)
      for name in names.sorted() {
        let drawn = try await person.airprint(
          "render", "\(corpus)/\(kind)/\(name)", "-o", person.path("x.pwg"), "--resolution", "50",
          "-P", "1-3")
        #expect(drawn.code == 0 || kind == "bad" && drawn.code == 65, "\(name): \(drawn.report)")
        if drawn.code == 65 {
          #expect(drawn.stderr.split(separator: "\n").count == 1, "\(name): \(drawn.stderr)")
        }
      }
    }
  }
}

/// The path of documents next to some checkouts; nil where there are none.
private let corpus: String? = {
  let root = #filePath.split(separator: "/").dropLast(4).reduce(into: "") { $0 += "/\($1)" }
  let path = "\(root)/../shared/corpus"
  return FileManager.default.fileExists(atPath: "\(path)/bad") ? path : nil
}()
