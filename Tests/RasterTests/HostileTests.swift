import PrintModel
import Raster
import TestSupport
import Testing
import System

@Suite struct HostileTests {
  @Test func `other files are not raster`() {
    for bytes in [[], Array("UNIRAST".utf8), Array("%PDF-1.7\n".utf8), Array("3SaR0000".utf8)] {
      #expect(throws: Failure.self) { _ = try RasterReader(bytes) }
    }
  }

  @Test(arguments: RasterFormat.allCases)
  func `data that stops says in which line of which page`(format: RasterFormat) throws {
    let sample = Sample(width: 3, height: 4) { x, y in UInt32(x * 0x01_0101 + y) }
    let page = try sample.encoded(sample.page(.srgb24), format)
    let head = format.fileHead(pages: 2).count
    let bytes = page + page.dropFirst(head)
    // Each line is a repeat count, a code and nine bytes.
    let firstLine = page.count + format.pageHeaderLength
    #expect(bytes.count == firstLine + 4 * 11)
    for cut in page.count + 1..<bytes.count {
      var reader = try RasterReader(Array(bytes.prefix(cut)))
      _ = try reader.nextPage()
      #expect(try reader.pixels().count == 36)
      let problem =
        cut < firstLine
        ? Failure(.document, "The data ends in the header of page 2.")
        : Failure(
          .document, "Line \((cut - firstLine) / 11 + 1) of page 2 is cut off: the data ends.")
      #expect(throws: problem) {
        _ = try reader.nextPage()
        _ = try reader.pixels()
      }
      reader = try RasterReader(Array(bytes.prefix(cut)))
      #expect(throws: problem) { try reader.scan() }
    }
  }

  @Test(
    arguments: [
      [0, 5, 0xFF],  // a run of six pixels
      [0, 0xFC, 1, 2, 3, 4, 5],  // five literals
      [0, 1, 0xFF, 2, 0xFF],  // two pixels, then three
    ] as [[UInt8]])
  func `a line can't be longer than its page is wide`(line: [UInt8]) throws {
    let page = RasterPage(width: 4, height: 2, resolution: Resolution(300), pixels: .gray8)
    let good: [UInt8] = [0, 3, 0xFF]
    var reader = try RasterReader(
      RasterFormat.urf.fileHead(pages: 1) + RasterFormat.urf.pageHeader(page) + good + line)
    _ = try reader.nextPage()
    #expect(
      throws: Failure(
        .document, "Line 2 of page 1 has more pixels than its page is wide.")
    ) { try reader.pixels() }
  }

  @Test func `a line that repeats beyond its page is taken as far as the page goes`() throws {
    let page = RasterPage(width: 4, height: 2, resolution: Resolution(300), pixels: .gray8)
    let bytes: [UInt8] =
      RasterFormat.urf.fileHead(pages: 1) + RasterFormat.urf.pageHeader(page) + [255, 3, 9]
    var reader = try RasterReader(bytes)
    _ = try reader.nextPage()
    #expect(try reader.pixels() == [UInt8](repeating: 9, count: 8))
    #expect(try Libcups.read(bytes).first?.pixels == [UInt8](repeating: 9, count: 8))
  }

  @Test func `sizes that a header only claims are refused before they are believed`() throws {
    let problem: (Int, Int, Int) throws -> Problem? = { width, height, dpi in
      let page = RasterPage(
        width: width, height: height, resolution: Resolution(dpi), pixels: .srgb24)
      var codes: Set<Problem?> = []
      for format in RasterFormat.allCases {
        do {
          var reader = try RasterReader(format.fileHead(pages: 1) + format.pageHeader(page))
          _ = try reader.nextPage()
          _ = try reader.pixels(limit: .max)
          codes.insert(nil)
        } catch let error as Failure {
          codes.insert(Problem(error))
        }
      }
      return try #require(codes.count == 1 ? codes.first : nil)
    }
    #expect(try problem(0, 1, 300) == .damaged)
    #expect(try problem(1, 0, 300) == .damaged)
    #expect(try problem(1, 1, 0) == .damaged)
    #expect(try problem(0xFFFF_FFFF, 0xFFFF_FFFF, 300) == .tooLarge)
    #expect(try problem(0x1000_0001, 1, 300) == .tooLarge)
    #expect(try problem(1, 0xFFFF_FFFF, 300) == .tooLarge)
    #expect(try problem(1 << 17, 1 << 16, 300) == .tooLarge)
    // Within the limits, but there is no data after the header: a gigabyte must not be allocated.
    #expect(try problem(1 << 15, 1 << 13, 300) == .short)
  }

  @Test func `a header that contradicts itself is refused`() throws {
    let page = RasterPage(width: 8, height: 8, resolution: Resolution(300), pixels: .srgb24)
    let header = RasterFormat.pwg.pageHeader(page)
    let code: (Int, UInt8) -> Problem? = { offset, value in
      var bytes = header
      bytes[offset] = value
      do throws(Failure) {
        var reader = try RasterReader(RasterFormat.pwg.fileHead(pages: 1) + bytes)
        return try reader.nextPage() == nil ? .notRaster : nil
      } catch {
        return Problem(error)
      }
    }
    #expect(code(387, 8) == nil)
    #expect(code(387, 16) == .damaged)  // BitsPerColor
    #expect(code(387, 7) == .unsupported)
    #expect(code(391, 32) == .damaged)  // BitsPerPixel
    #expect(code(395, 25) == .damaged)  // BytesPerLine
    #expect(code(399, 2) == .damaged)  // ColorOrder
    #expect(code(420, 0xFF) == .unsupported)  // NumColors
    #expect(code(423, 4) == .damaged)
    // Four colors in matching fields, but sRGB has three.
    var odd = page
    odd.pixels.colors = 4
    var reader = try RasterReader(
      RasterFormat.pwg.fileHead(pages: 1) + RasterFormat.pwg.pageHeader(odd) + [7, 0x80])
    _ = try reader.nextPage()
    #expect(
      throws: Failure(
        .document, "Page 1 has pixels of 4 × 8-bit sRGB, which airprint can't show.")
    ) { try reader.nextLine() }
  }

  /// Any result is fine except a crash, an endless loop, or memory beyond the limit.
  ///
  /// It takes seconds, so it runs on its own thread: the pool's are for tests that wait.
  @Test(.timeLimit(.minutes(2)), arguments: RasterFormat.allCases)
  func `no damage gets through`(format: RasterFormat) async throws {
    let limit = 1 << 20
    let damage = try await onThread { () throws -> Damage in
      try Damage(of: format, rounds: 4000, limit: limit)
    }
    #expect(damage.largest <= limit)
    #expect(damage.unfinished == nil, "an error is a sentence")
    // The damage reaches all parts of the reader.
    for code in [nil] + Problem.allCases {
      #expect(damage.endings[code, default: 0] > 0, "\(String(describing: code)) never happened")
    }
  }
}

/// The kind of a problem in raster data.
private enum Problem: CaseIterable {
  case notRaster, short, damaged, unsupported, tooLarge

  /// nil for words that are none of these.
  init?(_ failure: Failure) {
    let words: [(Problem, [String])] = [
      (.notRaster, ["neither"]), (.short, ["data ends"]),
      (.damaged, ["contradicts", "states a size", "than its page is wide"]),
      (.unsupported, ["colors of", "can't show"]), (.tooLarge, ["than any paper", "too large"]),
    ]
    guard let found = words.first(where: { $0.1.contains(where: failure.message.contains) }) else {
      return nil
    }
    self = found.0
  }
}

/// The results of reading damaged files.
private struct Damage: Sendable {
  /// The count of each result; nil for the end of the file.
  var endings: [Problem?: Int] = [:]
  /// The largest number of pixels of a page.
  var largest = 0
  /// An error message that is not a sentence.
  var unfinished: String?

  init(of format: RasterFormat, rounds: Int, limit: Int) throws {
    var dice = Dice(21)
    let sample = Sample(width: 37, height: 30, dice: &dice)
    var file = format.fileHead(pages: 3)
    for pixels in format.written {
      file += try sample.encoded(sample.page(pixels), format).dropFirst(
        file.prefix(4) == [0x55, 0x4E, 0x49, 0x52] ? 12 : 4)
    }
    for round in 0..<rounds {
      var bytes = file
      for _ in 0..<Int.random(in: 1...4, using: &dice) {
        let place = Int.random(in: 0..<bytes.count, using: &dice)
        bytes[place] = Damage.damaged(bytes[place], round: round, dice: &dice)
      }
      if round % 3 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &dice)) }
      do throws(Failure) {
        var reader = try RasterReader(bytes)
        while try reader.nextPage() != nil {
          largest = max(largest, try reader.pixels(limit: limit).count)
        }
        endings[nil, default: 0] += 1
      } catch {
        endings[Problem(error), default: 0] += 1
        if !error.message.hasSuffix(".") { unfinished = error.message }
      }
    }
  }

  private static func damaged(_ byte: UInt8, round: Int, dice: inout Dice) -> UInt8 {
    round % 2 == 0
      ? byte ^ 1 << UInt8.random(in: 0..<8, using: &dice) : UInt8.random(in: 0...255, using: &dice)
  }
}
