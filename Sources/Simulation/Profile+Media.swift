internal import PrintModel

// media-col and related attributes (PWG 5100.7).

extension Profile {
  var mediaAttributes: [Attribute] {
    let papers = self.papers
    let types = papers.compactMap(\.type).unique
    // The default of a roll is a piece of it: a default is a single size (PWG 5100.7 §6.3).
    let usual = defaultPaper.map { $0.piece ?? $0 }
    return [
      Attribute(
        "media-col-supported",
        keywords: [
          "media-bottom-margin", "media-left-margin", "media-right-margin", "media-size",
          "media-size-name", "media-source", "media-top-margin", "media-type",
        ] + (tracking.isEmpty ? [] : ["media-tracking"]) + (isForLabels ? ["media-top-offset"] : [])
      ),
      Attribute("media-source-supported", keywords: ["auto"] + trays.map(\.source).unique),
      Attribute("media-type-supported", keywords: types),
      margins("top", \.top), margins("bottom", \.bottom), margins("left", \.left),
      margins("right", \.right),
      Attribute("media-supported", keywords: names.unique),
      Attribute("media-size-supported", sizes),
      Attribute("media-col-database", (papers + papers.compactMap(\.piece)).map { $0.mediaColumn }),
      Attribute("media-default", usual.map { .keyword($0.name) } ?? .none),
      Attribute("media-col-default", usual.map(\.mediaColumn) ?? .none),
    ]
      + (tracking.isEmpty ? [] : [Attribute("media-tracking-supported", keywords: tracking)])
  }

  /// media-tracking: how the printer finds labels and rolls under its head.
  private var tracking: [String] {
    papers.flatMap {
      ($0.isRoll ? ["continuous"] : []) + AttributeSet($0.column).strings("media-tracking")
    }.unique
  }

  private func margins(_ side: String, _ member: KeyPath<Margins, Hundredths>) -> Attribute {
    let all =
      papers.map { $0.margins[keyPath: member] }
      + (duplexMargins.map { [$0[keyPath: member]] } ?? [])
    return Attribute("media-\(side)-margin-supported", Set(all).sorted().map { .length($0) })
  }

  /// The names of sizes, and of the bounds of custom ranges (PWG 5101.1 §5).
  private var names: [String] {
    func name(_ kind: String, _ width: Hundredths, _ length: Hundredths) -> String {
      "\(kind)_\(width.inMillimeters.dropLast(3))x\(length.inMillimeters.dropLast(3))mm"
    }
    return papers.flatMap { paper -> [String] in
      guard let cuts = paper.cuts, paper.isRoll else { return [paper.name] }
      return [
        name("roll_max", paper.size.width, cuts.upperBound),
        name("roll_min", paper.size.width, cuts.lowerBound),
      ]
    }
      + papers.compactMap(\.piece?.name)
      + trays.compactMap(\.custom).flatMap { custom in
        [
          name("custom_max", custom.widths.upperBound, custom.lengths.upperBound),
          name("custom_min", custom.widths.lowerBound, custom.lengths.lowerBound),
        ]
      }
  }

  private var sizes: [Attribute.Value] {
    let stated = (papers + papers.compactMap(\.piece)).map(\.sizeMembers)
    let free = trays.compactMap(\.custom).map {
      Attribute.dimensions(.lengths($0.widths), .lengths($0.lengths))
    }
    return (stated + free).unique.map { .collection($0) }
  }
}

extension Attribute {
  /// The members of media-size.
  fileprivate static func dimensions(_ x: Value, _ y: Value) -> [Attribute] {
    [Attribute("x-dimension", x), Attribute("y-dimension", y)]
  }
}

extension Paper {
  /// A piece of a roll as long as A4, for clients that can't choose a length; nil for sheets, and for media of a clone.
  fileprivate var piece: Paper? {
    guard isRoll, let cuts, column.isEmpty else { return nil }
    var piece = self
    piece.size.length = min(max(29_700, cuts.lowerBound), cuts.upperBound)
    piece.name = MediaName.name(for: piece.size)
    piece.cuts = nil
    return piece
  }

  fileprivate var sizeMembers: [Attribute] {
    Attribute.dimensions(.length(size.width), cuts.map { .lengths($0) } ?? .length(size.length))
  }

  /// A media-col value: the cloned printer's own, or one with all known members.
  var mediaColumn: Attribute.Value {
    if !column.isEmpty { return .collection(column) }
    var members = [
      Attribute("media-size", .collection(sizeMembers)),
      Attribute("media-size-name", .keyword(name)),
      Attribute("media-top-margin", .length(margins.top)),
      Attribute("media-bottom-margin", .length(margins.bottom)),
      Attribute("media-left-margin", .length(margins.left)),
      Attribute("media-right-margin", .length(margins.right)),
    ]
    if let source { members.append(Attribute("media-source", .keyword(source))) }
    if let type { members.append(Attribute("media-type", .keyword(type))) }
    if isRoll { members.append(Attribute("media-tracking", .keyword("continuous"))) }
    return .collection(members)
  }
}
