internal import PrintModel
internal import Simulation

/// The profiles of `simulate` for the manual: each with its name and what it has, in words.
package let profileTable: [(name: String, facts: [(String, String)])] = Profile.all.map { profile in
  let resolutions = profile.resolutions.map { "\($0.x)" }.joined(separator: ", ")
  let print =
    "\(profile.isColor ? "colour" : "gray"), \(resolutions) dpi, "
    + (profile.sheetBack.map { "both sides (back \($0.rawValue))" } ?? "one side")
    + ", \(profile.pagesPerMinute) pages a minute"
  let trays = profile.trays.map { tray in (tray.source, tray.words) }
  return (profile.name, [("prints", print)] + trays)
}

extension Profile.Tray {
  /// `A4 (loaded), Letter; margins 4.2 mm`.
  fileprivate var words: String {
    var groups: [(margins: Margins, titles: [String])] = []
    for paper in papers {
      let isLoaded = loaded.map { paper.name == $0.name && paper.margins == $0.margins } ?? false
      var title = paper.title
      if let cuts = paper.cuts {
        title += " cut to \(cuts.lowerBound.inMillimetres) to \(cuts.upperBound.inMillimetres)"
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
        "any size from \(custom.widths.lowerBound.inMillimetres) by "
          + "\(custom.lengths.lowerBound.inMillimetres) to \(custom.widths.upperBound.inMillimetres) "
          + "by \(custom.lengths.upperBound.inMillimetres)")
    }
    return all.joined(separator: ". ") + "."
  }
}

extension Margins {
  fileprivate var words: String {
    if isBorderless { return "no margins" }
    if top == bottom, left == right, top == left { return "margins \(top.inMillimetres)" }
    return "margins \(top.inMillimetres) top, \(bottom.inMillimetres) bottom, "
      + "\(left.inMillimetres) left, \(right.inMillimetres) right"
  }
}
