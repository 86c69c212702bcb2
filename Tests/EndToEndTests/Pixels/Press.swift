import FoundationEssentials
import Glibc
import TestSupport

/// The sheet of most pixel tests: A5 with four different unprintable margins, so that none can be mistaken for
/// another.
enum A5 {
  /// The margins in 1/100 mm.
  static let margins = (top: 500, bottom: 1_200, left: 400, right: 600)
  static let whole = Area(0, 0, points(14_800), points(21_000))
  static let printable = Area(
    points(margins.left), points(margins.top),
    points(14_800 - margins.left - margins.right), points(21_000 - margins.top - margins.bottom))
  /// On a two-sided sheet, the top of one side is the bottom of the other, so the larger margin counts.
  static let printableTwice = Area(
    points(margins.left), points(margins.bottom),
    points(14_800 - margins.left - margins.right), points(21_000 - 2 * margins.bottom))
}

/// Converts 1/100 mm to points.
func points(_ hundredths: Int) -> Double { Double(hundredths) * 72 / 2540 }

extension Person {
  /// Starts a two-sided color printer, with 100 dpi and A5 loaded.
  ///
  /// - `urf`: the number of its DM token.
  /// - `pwg`: its pwg-raster-document-sheet-back.
  func press(
    urf: Int = 1, pwg: String = "normal", with lines: [String] = []
  ) async throws -> VirtualPrinter {
    try await printer("Press", Attributes.press(urf: urf, pwg: pwg) + lines)
  }

  /// Prints a document and returns the job that the printer received.
  func nextJob(
    at printer: VirtualPrinter, _ document: [UInt8], _ options: [String] = [],
    name: String = "page.pdf"
  ) async throws -> VirtualPrinter.Job {
    let before = try printer.jobs().count
    let file = try self.document(document, "\(UUID().uuidString.prefix(8))-\(name)")
    let printed = try await airprint(["print", "-d", printer.uri] + options + [file])
    let jobs = try printer.jobs()
    guard printed.code == 0, jobs.count == before + 1, let job = jobs.last else {
      throw Missing("a printed job: \(printed.report)")
    }
    return job
  }

  /// Prints a document and returns the sides that the printer received.
  func sides(
    at printer: VirtualPrinter, _ document: [UInt8], _ options: String...,
    name: String = "page.pdf"
  ) async throws -> [Sheet] {
    let job = try await nextJob(at: printer, document, options, name: name)
    return try printer.sheets(of: job)
  }

  /// Renders a document without a printer and returns the sides of the raster.
  func rendered(
    _ document: [UInt8], _ options: String..., name: String = "page.pdf", as suffix: String = "pwg"
  ) async throws -> [Sheet] {
    let output = path("\(UUID().uuidString).\(suffix)")
    let file = try self.document(document, "\(UUID().uuidString.prefix(8))-\(name)")
    let outcome = try await airprint(["render", file, "-o", output] + options)
    guard outcome.code == 0 else { throw Missing("a raster: \(outcome.report)") }
    return try Sheet.read(output)
  }

  /// Returns a preview's sides, at 150 dpi.
  func previewed(
    _ document: [UInt8], _ options: [String], name: String = "page.pdf"
  ) async throws -> [Sheet] {
    let file = try self.document(document, "\(UUID().uuidString.prefix(8))-\(name)")
    let output = path("\(UUID().uuidString).png")
    let outcome = try await airprint(["preview", file, "-o", output, "--json"] + options)
    guard outcome.code == 0, let names = try outcome.json.strings else {
      throw Missing("a preview: \(outcome.report)")
    }
    return try names.map { try Sheet(picture: try bytes(of: $0), resolution: 150) }
  }

  /// Renders a PDF with Poppler's own program, page by page.
  ///
  /// - `options`: options of pdftoppm.
  func pdftoppm(
    _ file: String, resolution: Int, _ options: String...
  ) async throws -> [Sheet] {
    let root = path(UUID().uuidString)
    let outcome = try await bench.run(
      ["pdftoppm", "-png", "-r", "\(resolution)"] + options + [file, root])
    guard outcome.code == 0 else { throw Missing("pdftoppm's pages: \(outcome.report)") }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    return try names.map(path).filter { $0.hasPrefix(root) }.sorted().map {
      try Sheet(picture: try bytes(of: $0), resolution: resolution)
    }
  }
}

extension Attributes {
  static func press(urf: Int, pwg: String) -> [String] {
    let column = medium(
      14_800, 21_000,
      [A5.margins.top, A5.margins.bottom, A5.margins.left, A5.margins.right], "main", "stationery")
    return office + [
      "textWithoutLanguage printer-make-and-model \"Example Press 100\"",
      "keyword urf-supported V1.4,CP1,W8,SRGB24,RS100,DM\(urf)",
      "resolution pwg-raster-document-resolution-supported 100dpi",
      "keyword pwg-raster-document-sheet-back \(pwg)",
      "resolution printer-resolution-supported 100dpi",
      "resolution printer-resolution-default 100dpi",
      "keyword media-supported iso_a5_148x210mm",
      "keyword media-ready iso_a5_148x210mm",
      "keyword media-default iso_a5_148x210mm",
      // CUPS 2.4.10's ippeveprinter refuses the size that a job asks for unless another one differs in both directions.
      "collection media-size-supported "
        + "{ MEMBER integer x-dimension 14800 MEMBER integer y-dimension 21000 },"
        + "{ MEMBER integer x-dimension 29700 MEMBER integer y-dimension 42000 }",
      "collection media-col-default \(column)",
      "collection media-col-ready \(column)",
      "collection media-col-database \(column)",
    ]
  }

  /// Returns a media-col; lengths are in 1/100 mm, margins in the order top, bottom, left, right.
  static func medium(
    _ width: Int, _ length: Int, _ margins: [Int], _ source: String, _ type: String
  ) -> String {
    let sides = zip(["top", "bottom", "left", "right"], margins).map {
      "MEMBER integer media-\($0)-margin \($1) "
    }.joined()
    return "{ MEMBER collection media-size { MEMBER integer x-dimension \(width) "
      + "MEMBER integer y-dimension \(length) } \(sides)"
      + "MEMBER keyword media-source \(source) MEMBER keyword media-type \(type) }"
  }
}
