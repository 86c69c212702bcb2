/// `--pages 1-3,7,9-`: the pages of a document to print.
///
/// A number is a position, counted from 1; any other word is the document's label of a page (`iv`, `A-1`).
package struct PageRanges: Sendable, Equatable {
  fileprivate enum Part: Sendable, Equatable {
    case positions(PageSpan)
    /// A label, or a range with one, which depends on the document.
    case words(String)
  }

  private let parts: [Part]
  private let text: String

  /// Parses the list strictly: an open end was once read as all pages (apple/cups#4997).
  ///
  /// Exit 64 if it is not a list of pages.
  package init(_ text: String) throws(Failure) {
    self.text = text
    var parts: [Part] = []
    let word = text.lowercased()
    if ["even", "odd"].contains(word) { throw .usage("--pages \(text): use --\(word).") }
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let part = part.trimmed
      if let span = PageSpan(part) {
        parts.append(.positions(span))
      } else if PageRanges.mayBeLabel(part) {
        parts.append(.words(String(part)))
      } else {
        throw PageRanges.mistake(
          in: part, of: text, "pages count from 1, and ranges rise: 1-3,7,9-")
      }
    }
    self.parts = parts
  }

  /// Returns the indices (from 0) to print of a document with `count` pages, each once, in the document's order
  /// (RFC 8011 §5.2.7).
  ///
  /// A range that exceeds the end stops there. It is an error if all pages are beyond the end, or if a word is not a
  /// label of any page. Both are exit 64.
  ///
  /// - `labels`: the document's page labels; empty if they are 1, 2, 3.
  package func indices(of count: Int, labels: [String] = []) throws(Failure) -> [Int] {
    var spans: [ClosedRange<Int>] = []
    for part in parts {
      switch part {
      case .positions(let span):
        let last = min(span.last ?? count, count)
        if span.first <= last { spans.append(span.first - 1...last - 1) }
      case .words(let words): spans.append(try span(of: words, count, labels))
      }
    }
    let chosen = (0..<count).filter { index in spans.contains { $0.contains(index) } }
    guard !chosen.isEmpty else {
      throw .usage("--pages \(text): the document has only \(count.counted("page")).")
    }
    return chosen
  }

  /// Resolves a label, or a range that contains one.
  ///
  /// Labels may contain hyphens (`A-1`): a complete match is a label; else each hyphen is tried as that of a range.
  private func span(
    of words: String, _ count: Int, _ labels: [String]
  ) throws(Failure) -> ClosedRange<Int> {
    if let index = labels.firstIndex(of: words) { return index...index }
    var falls = false
    for hyphen in words.indices where words[hyphen] == "-" {
      let (start, end) = (words[..<hyphen], words[words.index(after: hyphen)...])
      guard let first = PageRanges.index(of: start, from: 0, labels),
        let last = end.isEmpty ? count - 1 : PageRanges.index(of: end, from: first, labels)
      else { continue }
      if first <= last { return min(first, count - 1)...min(last, count - 1) }
      falls = true
    }
    let why =
      falls
      ? "a range goes from the lower page to the higher"
      : labels.isEmpty
        ? "a range is written 1-3; the document has \(count.counted("page")), without labels"
        : "no page of the document has this label; \"airprint check --json\" shows the labels"
    throw PageRanges.mistake(in: words, of: text, why)
  }

  /// Makes the failure for a part of the list.
  private static func mistake(
    in part: some StringProtocol, of text: String, _ why: String
  ) -> Failure {
    let name = text.isEmpty ? "--pages \"\"" : "--pages \(text)"
    return .usage(part == text ? "\(name): \(why)." : "\(name): \"\(part)\": \(why).")
  }

  /// Returns the page at one end of a range: a position, else a label, preferably after `first`.
  private static func index(of end: Substring, from first: Int, _ labels: [String]) -> Int? {
    if let position = PageSpan.position(end) { return position - 1 }
    let label = String(end)
    return labels[min(first, labels.count)...].firstIndex(of: label)
      ?? labels.firstIndex(of: label)
  }

  /// Returns true for a possible label: only digits and hyphens are positions, and surrounding white space is a
  /// mistake.
  private static func mayBeLabel(_ text: Substring) -> Bool {
    guard let first = text.first, let last = text.last, !first.isWhitespace, !last.isWhitespace
    else {
      return false
    }
    return !text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2D }
  }
}

/// A range of pages counted from 1: `3`, `3-5`; without an end, `3-`, up to the last page.
package struct PageSpan: Sendable, Equatable, Codable {
  package let first: Int
  package let last: Int?

  /// Parses a range that rises; nil for anything else.
  package init?(_ text: Substring) {
    let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = PageSpan.position(ends[0]) else { return nil }
    self.first = first
    last = ends.count == 1 ? first : PageSpan.position(ends[1])
    if ends.count == 2, !ends[1].isEmpty, (last ?? 0) < first { return nil }
  }

  fileprivate static func position(_ text: Substring) -> Int? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text).flatMap { $0 > 0 ? $0 : nil }
  }

  func holds(_ page: Int) -> Bool { page >= first && page <= last ?? Int.max }

  var words: String { last == first ? "\(first)" : "\(first)-\(last.map { "\($0)" } ?? "")" }
}
