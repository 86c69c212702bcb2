package import PrintModel

extension MediaSelector {
  /// Parses one entry: a name (`A4`, `letter`, `4x6`), a PWG name, a size with its unit (`62x100mm`), a roll's width
  /// (`80mm`) or `best`.
  ///
  /// The failure lists accepted values.
  ///
  /// - `asked`: what was typed, if that is not `text`.
  package init(_ text: String, asked: String? = nil) throws(Failure) {
    let asked = asked ?? text
    let word = text.lowercased()
    // `62 x 100 mm`, as people write it.
    let measure = String(word.filter { $0 != " " }.map { $0 == "×" ? "x" : $0 })
    if word == "best" {
      self = .best
    } else if let known = StandardMedia.named(word) ?? StandardMedia.named(measure) {
      self = .sheet(known.size, asked: asked)
    } else if let size = MediaName.dimensions(measure) ?? MediaName.size(of: word) {
      self = try MediaSelector.checked(size, named: word, asked: asked)
    } else if let width = MediaName.length(measure) {
      guard MediaSelector.plausible.contains(width) else { throw MediaSelector.outOfRange(text) }
      self = .roll(width: width, asked: asked)
    } else if case let sizes = MediaSelector.sizes(measure), !sizes.isEmpty {
      throw PrintOption.paper.refuse(
        text, "a size needs its unit: \(sizes.inWords(joinedBy: "or"))")
    } else if let type = JobType(rawValue: word) {
      throw PrintOption.paper.refuse(
        text,
        "this is a type of job, not a size: use --type \(type.rawValue), or name the paper")
    } else {
      throw PrintOption.paper.refuse(
        text,
        "no such paper. Name one (A4, letter, 4x6), a size with its unit (62x100mm, 4x6in), "
          + "a roll's width (80mm) or a PWG name (iso_a4_210x297mm)")
    }
  }

  /// Returns `210x297` or `80` with each unit that makes it a usual size.
  private static func sizes(_ word: String) -> [String] {
    ["mm", "cm", "in"].map { word + $0 }.filter { text in
      let sheet = MediaName.dimensions(text).map { [$0.width, $0.length] }
      return (sheet ?? MediaName.length(text).map { [$0] })?.allSatisfy(usual.contains) == true
    }
  }

  /// The usual lengths of paper, up to 44 in wide rolls.
  private static let usual: ClosedRange<Hundredths> = 1_000...120_000

  /// Plausible lengths: no printer supports media narrower than 10 mm or longer than 50 m.
  private static let plausible: ClosedRange<Hundredths> = 1_000...5_000_000

  private static func checked(
    _ size: MediaSize, named word: String, asked: String
  ) throws(Failure) -> MediaSelector {
    if word.hasPrefix("roll_") && size.length == 0 && plausible.contains(size.width) {
      return .roll(width: size.width, asked: asked)
    }
    guard plausible.contains(size.width), plausible.contains(size.length) else {
      throw outOfRange(asked)
    }
    return .sheet(size, asked: asked)
  }

  private static func outOfRange(_ text: String) -> Failure {
    PrintOption.paper.refuse(text, "a side must be between 10 mm and 50 m")
  }
}
