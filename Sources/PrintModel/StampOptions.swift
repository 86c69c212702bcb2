/// A stamp's position and appearance.
///
/// Defaults for missing values are up to the reader: a stamp in the settings has options, which are overridden by those
/// typed with its name.
package struct StampOptions: Sendable, Equatable, Codable {
  package var pages: PageSelection?
  /// Rectangle in PDF's coordinates, from the bottom left of the page as shown; `y` is the lower edge.
  package var rectangle: Rectangle?
  package var opacity: Double?
  package var rotation: Double?

  package init() {}

  /// Pages of the document, counted from 1 regardless of how many are printed.
  package enum PageSelection: Sendable, Equatable, Codable {
    case all, first, last, odd, even
    case spans([PageSpan])
  }

  package enum Key: String, CaseIterable { case page, rect, opacity, rotate }

  /// Returns these options, with those of `others` for missing values.
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
  /// Returns a page's position among the selected pages, nil if it is not one of them; `index` counts from 0.
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

  /// The selection in a sentence: `page 1`, `the last page`.
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
