/// A stamp that `--overlay` and `--underlay` draw on a document's pages: a file or a text, and its position.
package struct Stamp: Sendable, Equatable, Codable {
  package enum Source: Sendable, Equatable, Codable {
    /// A file's path, or, until the settings are consulted, the name of a stamp in them.
    case file(String)
    case text(String)
  }

  package var source: Source
  /// True to draw it below the page's own marks, else above them.
  package var isBelow: Bool
  package var options: StampOptions
  /// The reason why the end of the text is not a list of options, if it looks like one; file names may look like that,
  /// too.
  package var misread: String?

  package init(source: Source, isBelow: Bool, options: StampOptions = StampOptions()) {
    self.source = source
    self.isBelow = isBelow
    self.options = options
  }

  /// The long name of its option.
  package var optionName: String { isBelow ? "underlay" : "overlay" }

  /// The stamp as it is typed, for messages: `--overlay FILE`.
  package var typed: String { "--\(optionName) \(name)" }

  /// Its file; nil for a text.
  package var path: String? { if case .file(let path) = source { path } else { nil } }

  /// Its name in a sentence.
  package var name: String {
    switch source {
    case .file(let path): path
    case .text(let text): "text:\(text)"
    }
  }

  /// Largest border of a printer in points (1/4 in), for words on the whole page.
  private static let edge = 18.0

  package var pages: StampOptions.PageSelection { options.pages ?? .all }
  /// 0 to 1; words on the whole page let what is below them be read.
  package var opacity: Double {
    if let opacity = options.opacity { return opacity }
    guard case .text = source, options.rectangle == nil else { return 1 }
    return 0.3
  }
  /// Degrees, counter-clockwise.
  package var rotation: Double { options.rotation ?? 0 }

  /// Returns the area for which text and markup are laid out: the rectangle, or a whole page with the margins of text.
  package func box(on page: PageSize) -> PageBox {
    let area = area(on: page)
    let margin =
      options.rectangle == nil
      ? min(Margins.text.top.points, area.width / 10, area.height / 10) : 0
    return PageBox(
      size: PageSize(width: area.width, height: area.height),
      content: Rectangle(
        x: margin, y: margin, width: max(1, area.width - 2 * margin),
        height: max(1, area.height - 2 * margin)),
      isRoll: false)
  }

  /// Returns its area on a page of this size, in points from the page's top left.
  package func area(on page: PageSize) -> Rectangle {
    guard let area = options.rectangle else {
      let whole = Rectangle(x: 0, y: 0, width: page.width, height: page.height)
      guard case .text = source else { return whole }
      // Most printers cut off words that reach the paper's edge.
      let edge = min(Stamp.edge, page.width / 10, page.height / 10)
      return Rectangle(
        x: edge, y: edge, width: page.width - 2 * edge, height: page.height - 2 * edge)
    }
    return Rectangle(
      x: area.x, y: page.height - area.y - area.height, width: area.width, height: area.height)
  }
}
