/// A stamp's place, and how it looks.
///
/// Anything left out is up to the reader: a stamp in the settings has options, and those that
/// are typed with its name go over them.
package struct StampOptions: Sendable, Equatable, Codable {
  package var pages: PageSelection?
  /// Points as PDF counts them, from the bottom left of the page as it is shown; `y` is the lower edge.
  package var rectangle: Rectangle?
  package var opacity: Double?
  package var rotation: Double?

  package init() {}

  /// Pages of the document, counted from 1 however few of them are printed.
  package enum PageSelection: Sendable, Equatable, Codable {
    case all, first, last, odd, even
    case spans([Span])
  }

  /// Counted from 1; without an end, to the last page.
  package struct Span: Sendable, Equatable, Codable {
    package var first: Int
    package var last: Int?

    package init(first: Int, last: Int?) {
      self.first = first
      self.last = last
    }
  }

  package enum Key: String, CaseIterable { case page, rect, opacity, rotate }

  /// The problem with an option: a fragment of a sentence.
  package struct Problem: Error {
    package var description: String

    package init(description: String) { self.description = description }
  }

  /// These options, and `others` where they say nothing.
  package func over(_ others: StampOptions) -> StampOptions {
    var options = self
    options.pages = pages ?? others.pages
    options.rectangle = rectangle ?? others.rectangle
    options.opacity = opacity ?? others.opacity
    options.rotation = rotation ?? others.rotation
    return options
  }
}

extension StampOptions.PageSelection {
  /// True when a page is among them, and how many of these come before it; `index` counts from 0.
  package func position(of index: Int, in count: Int) -> Int? {
    switch self {
    case .all: index
    case .first: index == 0 ? 0 : nil
    case .last: index == count - 1 ? 0 : nil
    case .odd: index % 2 == 0 ? index / 2 : nil
    case .even: index % 2 == 1 ? index / 2 : nil
    case .spans(let spans):
      spans.contains { $0.holds(index + 1) }
        ? (0..<index).count { page in spans.contains { $0.holds(page + 1) } } : nil
    }
  }

  /// `page 1`, `the last page`: for sentences.
  package var words: String {
    switch self {
    case .all: "every page"
    case .first: "the first page"
    case .last: "the last page"
    case .odd: "odd pages"
    case .even: "even pages"
    case .spans(let spans):
      (spans.count == 1 && spans[0].first == spans[0].last ? "page " : "pages ")
        + spans.map(\.words).joined(separator: ", ")
    }
  }
}

extension StampOptions.Span {
  fileprivate func holds(_ page: Int) -> Bool { page >= first && page <= last ?? Int.max }

  fileprivate var words: String {
    last == first ? "\(first)" : "\(first)-\(last.map { "\($0)" } ?? "")"
  }
}
