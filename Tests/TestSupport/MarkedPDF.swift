/// A handwritten PDF for one test, with marks that identify each page and its orientation.
///
/// A black square is in the page's top left corner, a red bar in its bottom right corner. In the middle are as many
/// black squares as the page's number.
package struct MarkedPDF: Sendable {
  /// The side of the corner mark, which touches both edges, in points.
  package static let corner = 36.0
  /// The red bar's width and height in points.
  package static let bar = (width: 72.0, height: 18.0)
  /// The side of a counting square, and the distance from one to the next, in points.
  package static let count = (side: 12.0, step: 24.0)

  /// A page's width and height in points.
  package struct Page: Sendable {
    package var width: Double
    package var height: Double

    package init(_ width: Double, _ height: Double) {
      self.width = width
      self.height = height
    }

    package static let a4 = Page(595.276, 841.89)
    package static let a4Landscape = Page(841.89, 595.276)
  }

  private let pages: [Page]
  private let title: String?

  package init(_ pages: [Page], title: String? = nil) {
    self.pages = pages
    self.title = title
  }

  /// The file.
  package var bytes: [UInt8] {
    let kids = pages.indices.map { "\(4 + 2 * $0) 0 R" }.joined(separator: " ")
    var objects = [
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Count \(pages.count) /Kids [\(kids)] >>",
      "<< \(title.map { "/Title (\($0)) " } ?? "")/Producer (a test) >>",
    ]
    for (index, page) in pages.enumerated() {
      let content = Self.content(of: page, number: index + 1)
      objects += [
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 \(page.width) \(page.height)] "
          + "/Resources << >> /Contents \(5 + 2 * index) 0 R >>",
        "<< /Length \(content.utf8.count) >>\nstream\n\(content)\nendstream",
      ]
    }
    return Self.file(objects)
  }

  /// Returns a page's content, in PDF coordinates, whose origin is at the bottom left.
  private static func content(of page: Page, number: Int) -> String {
    var lines = [
      "0 0 0 rg 0 \(page.height - corner) \(corner) \(corner) re f",
      "1 0 0 rg \(page.width - bar.width) 0 \(bar.width) \(bar.height) re f", "0 0 0 rg",
    ]
    for square in 0..<number {
      let x = countingX(square, on: page)
      let y = (page.height - count.side) / 2
      lines.append("\(x) \(y) \(count.side) \(count.side) re f")
    }
    return lines.joined(separator: "\n")
  }

  /// Returns the left edge of a counting square, numbered from 0.
  package static func countingX(_ square: Int, on page: Page) -> Double {
    page.width / 4 + Double(square) * count.step
  }

  private static func file(_ objects: [String]) -> [UInt8] {
    var text = "%PDF-1.4\n"
    var places: [Int] = []
    for (index, object) in objects.enumerated() {
      places.append(text.utf8.count)
      text += "\(index + 1) 0 obj\n\(object)\nendobj\n"
    }
    let table = text.utf8.count
    text += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
    for place in places {
      let digits = "\(place)"
      text += String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n"
    }
    text +=
      "trailer\n<< /Size \(objects.count + 1) /Root 1 0 R /Info 3 0 R >>\nstartxref\n\(table)\n%%EOF\n"
    return Array(text.utf8)
  }
}
