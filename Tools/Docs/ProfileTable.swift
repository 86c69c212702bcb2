internal import PrintModel
internal import Simulation

/// The profiles of `simulate` for the manual.
enum ProfileTable {
  static let columns = ["", "prints", "dpi", "sides", "margins (mm)", "pages/min"]
  /// A row for each profile, starting with its name.
  static let rows = Profile.all.map { profile in
    [
      profile.name, profile.isColor ? "color" : "gray",
      profile.resolutions.map { "\($0.x)" }.joined(separator: ", "),
      profile.sheetBack.map { "both, back \($0.rawValue)" } ?? "one",
      profile.marginsInShort, "\(profile.pagesPerMinute)",
    ]
  }
  /// Each profile's trays, with the papers and margins of each in words.
  static let trays = Profile.all.map { profile in
    (profile: profile.name, trays: profile.trays.map { ($0.source, $0.words) })
  }
}

extension Profile {
  /// All different margins of a profile's papers in millimeters, narrowest first: `0, 3, 5`.
  fileprivate var marginsInShort: String {
    let all = papers.flatMap {
      [$0.margins.top, $0.margins.bottom, $0.margins.left, $0.margins.right]
    }
    return Set(all).sorted().map { String($0.inMillimeters.dropLast(3)) }.joined(separator: ", ")
  }
}

extension Profile.Tray {
  /// `A4 (loaded), Letter; margins 4.2 mm`.
  fileprivate var words: String {
    var groups: [(margins: Margins, titles: [String])] = []
    for paper in papers {
      let isLoaded = loaded.map { paper.name == $0.name && paper.margins == $0.margins } ?? false
      var title = paper.title
      if let cuts = paper.cuts {
        title += " cut to \(cuts.lowerBound.inMillimeters) to \(cuts.upperBound.inMillimeters)"
      }
      title += isLoaded ? " (loaded)" : ""
      if let index = groups.firstIndex(where: { $0.margins == paper.margins }) {
        groups[index].titles.append(title)
      } else {
        groups.append((paper.margins, [title]))
      }
    }
    var all = groups.map { "\($0.titles.joined(separator: ", ")); \($0.margins.words)" }
    if let custom {
      all.append(
        "any size from \(custom.widths.lowerBound.inMillimeters) by "
          + "\(custom.lengths.lowerBound.inMillimeters) to \(custom.widths.upperBound.inMillimeters) "
          + "by \(custom.lengths.upperBound.inMillimeters)")
    }
    return all.joined(separator: ". ") + "."
  }
}

extension Margins {
  fileprivate var words: String {
    if isBorderless { return "no margins" }
    if top == bottom, left == right, top == left { return "margins \(top.inMillimeters)" }
    return "margins \(top.inMillimeters) top, \(bottom.inMillimeters) bottom, "
      + "\(left.inMillimeters) left, \(right.inMillimeters) right"
  }
}
