/// A PDF for one test: pages with black marks in given places.
struct PDF {
  /// A rectangle in points; the origin is the page's top left corner.
  struct Mark: Sendable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double
    /// The color as a PDF operator: `0 g` is black, `1 0 0 rg` red.
    var color = "0 g"
  }

  struct Page: Sendable {
    var width: Double
    var height: Double
    var marks: [Mark]
    /// Additional entries of its dictionary: `/Rotate 90`.
    var attributes = ""

    static func letter(_ marks: [Mark] = [PDF.corner]) -> Page {
      Page(width: 612, height: 792, marks: marks)
    }
    static func a4(_ marks: [Mark] = [PDF.corner]) -> Page {
      Page(width: 595.28, height: 841.89, marks: marks)
    }
  }

  /// A square inch, one inch from the left and two from the top.
  static let corner = Mark(x: 72, y: 144, width: 72, height: 72)

  var pages: [Page] = [.letter()]
  var title: String?
  /// True if it needs an unknown password.
  var isLocked = false
  /// Additional entries of the catalog, and objects that it or a page refers to; the first number is `firstObject`.
  var catalog = ""
  var objects: [String] = []
  /// The number of filler bytes, which make the file longer.
  var ballast = 0

  var firstObject: Int { 4 + 2 * pages.count }

  var bytes: [UInt8] {
    var file = Writer()
    let kids = pages.indices.map { "\(4 + 2 * $0) 0 R" }.joined(separator: " ")
    file.object(1, "<< /Type /Catalog /Pages 2 0 R \(catalog) >>")
    file.object(2, "<< /Type /Pages /Count \(pages.count) /Kids [\(kids)] >>")
    file.object(3, "<< \(title.map { "/Title \(PDF.text($0))" } ?? "") >>")
    for (index, page) in pages.enumerated() {
      let content = page.content + String(repeating: " ", count: index == 0 ? ballast : 0)
      file.object(
        4 + 2 * index,
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 \(page.width) \(page.height)] "
          + "/Contents \(5 + 2 * index) 0 R /Resources << >> \(page.attributes) >>")
      file.object(
        5 + 2 * index, "<< /Length \(content.utf8.count) >>\nstream\n\(content)\nendstream")
    }
    for (index, object) in objects.enumerated() { file.object(firstObject + index, object) }
    let noise = String(repeating: "5A", count: 32)
    let lock =
      isLocked ? "/Encrypt << /Filter /Standard /V 1 /R 2 /O <\(noise)> /U <\(noise)> /P -4 >>" : ""
    return file.end("/Root 1 0 R /Info 3 0 R \(lock) /ID [<\(noise)> <\(noise)>]")
  }

  /// Returns a text string as UTF-16, which PDF supports for any character.
  private static func text(_ text: String) -> String {
    let units = [0xFEFF] + Array(text.utf16)
    let digits = units.map { unit in
      let hex = String(unit, radix: 16)
      return String(repeating: "0", count: 4 - hex.count) + hex
    }
    return "<\(digits.joined())>"
  }

  private struct Writer {
    var text = "%PDF-1.4\n"
    var places: [Int: Int] = [:]

    mutating func object(_ number: Int, _ body: String) {
      places[number] = text.utf8.count
      text += "\(number) 0 obj\n\(body)\nendobj\n"
    }

    mutating func end(_ trailer: String) -> [UInt8] {
      let start = text.utf8.count
      text += "xref\n0 \(places.count + 1)\n0000000000 65535 f \n"
      for number in 1...places.count {
        let place = "\(places[number] ?? 0)"
        text += String(repeating: "0", count: 10 - place.count) + place + " 00000 n \n"
      }
      text += "trailer\n<< /Size \(places.count + 1) \(trailer) >>\nstartxref\n\(start)\n%%EOF\n"
      return Array(text.utf8)
    }
  }
}

extension PDF.Page {
  fileprivate var content: String {
    marks.map { mark in
      "\(mark.color) \(mark.x) \(height - mark.y - mark.height) \(mark.width) \(mark.height) re f"
    }.joined(separator: "\n")
  }
}
