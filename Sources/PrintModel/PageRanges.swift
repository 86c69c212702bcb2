/// `--pages 1-3,7,9-`: which pages of a document are printed, counted from 1.
package struct PageRanges: Sendable, Equatable {
  /// An upper bound of nil is open: to the last page.
  package struct Span: Sendable, Equatable {
    package var first: Int
    package var last: Int?
  }

  package private(set) var spans: [Span]
  private let text: String

  /// Reads the list strictly: an open end was once taken for everything (apple/cups#4997).
  package init(_ text: String) throws(Failure) {
    self.text = text
    spans = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let span = Span(part) else {
        throw Failure(
          .usage,
          "--pages \(text): \"\(part)\" is no page or range. Pages count from 1, ranges rise: 1-3,7,9-."
        )
      }
      spans.append(span)
    }
  }

  /// The indices (from 0) to print of a document with `count` pages, each once, in the document's
  /// order (RFC 8011 §5.2.7). A range that runs past the end stops there; pages that are all behind the
  /// end are an error.
  package func indices(of count: Int) throws(Failure) -> [Int] {
    let chosen = (0..<count).filter { index in
      spans.contains { $0.first <= index + 1 && index + 1 <= $0.last ?? count }
    }
    guard !chosen.isEmpty else {
      let pages = count == 1 ? "1 page" : "\(count) pages"
      throw Failure(.usage, "--pages \(text): the document has only \(pages).")
    }
    return chosen
  }
}

extension PageRanges.Span {
  fileprivate init?(_ text: Substring) {
    let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = PageRanges.Span.page(ends[0]) else { return nil }
    guard ends.count == 2 else {
      self.init(first: first, last: first)
      return
    }
    if ends[1].isEmpty {
      self.init(first: first, last: nil)
    } else if let last = PageRanges.Span.page(ends[1]), last >= first {
      self.init(first: first, last: last)
    } else {
      return nil
    }
  }

  private static func page(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let page = Int(text),
      page > 0
    else { return nil }
    return page
  }
}
