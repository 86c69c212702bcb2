/// The value of `--header` and `--footer`: `left|center|right`, with placeholders.
///
/// A single part is the center, two are left and right. `{{` and `}}` are braces, `{|}` is a bar.
package struct RunningText: Sendable, Equatable, Codable {
  package enum Piece: Equatable, Codable, Sendable {
    case text(String)
    case placeholder(Placeholder)
  }

  package enum Placeholder: String, Codable, CaseIterable, Sendable {
    case page, pages, title, file, date, time
  }

  /// Left, center and right.
  private var parts: [[Piece]]

  /// Makes a running text.
  ///
  /// - `parts`: left, center and right.
  package init(left: [Piece], center: [Piece], right: [Piece]) { parts = [left, center, right] }

  /// True if nothing would be drawn.
  package var isEmpty: Bool { parts.allSatisfy(\.isEmpty) }

  /// Fills in the placeholders that are the same on all pages of a document.
  package mutating func fill(title: String, file: String, date: String, time: String) {
    let values: [Placeholder: String] = [.title: title, .file: file, .date: date, .time: time]
    parts = parts.map { part in
      part.map { piece in
        guard case .placeholder(let name) = piece, let value = values[name] else { return piece }
        return .text(value)
      }
    }
  }

  /// Returns the three parts for a page, counted from 1.
  ///
  /// Placeholders that were not filled in are empty.
  package func texts(
    page: Int, of pages: Int
  ) -> (left: String, center: String, right: String) {
    let values: [Placeholder: String] = [.page: "\(page)", .pages: "\(pages)"]
    let texts = parts.map { part in
      part.map { piece in
        switch piece {
        case .text(let text): text
        case .placeholder(let name): values[name] ?? ""
        }
      }.joined()
    }
    return (texts[0], texts[1], texts[2])
  }
}
