internal import PrintModel

extension Negotiator {
  /// Returns the job with everything that `-o finishings=` requests, since a sheet can be both stapled and punched: as
  /// `finishings` together with the cut of a roll, or as `finishings-col` if only its templates contain the names.
  ///
  /// A job has only one of the two (PWG 5100.1 §5.2). Exit 64 for a finishing that the printer does not support.
  mutating func finished(_ job: [Attribute]) throws(Failure) -> [Attribute] {
    let words = request.options.filter { $0.name == "finishings" }.flatMap {
      $0.value.lowercased().split(separator: ",").map(String.init)
    }
    guard !words.isEmpty else { return job }
    guard !job.contains(where: { $0.name == "finishings-col" }) else {
      throw .usage("-o finishings and -o finishings-col: a job has only one of them.")
    }
    let cut = job.filter { $0.name == "finishings" }.flatMap(\.values)
    let others = job.filter { $0.name != "finishings" }
    let numbers = words.compactMap { Finishing.number($0, among: capabilities.finishings) }
    if numbers.count == words.count {
      // None of them is none of the roll's cuts either, and nothing beside another one.
      let some = numbers.filter { $0 != Finishing.none }
      let all = some.isEmpty ? [Finishing.none] : some
      let chosen = some.isEmpty ? [] : cut
      because("finishing: \(all.map(Finishing.name(of:)).unique.inWords()), as requested")
      return others + [Attribute("finishings", (chosen + all.map { .enumeration($0) }).unique)]
    }
    let names = words.compactMap { Finishing.template($0, among: templates) }
    guard names.count == words.count, cut.isEmpty else { throw refusal(of: words) }
    because("finishing: \(names.unique.inWords()), as requested")
    let columns = names.map {
      Attribute.Value.collection([Attribute("finishing-template", .keyword($0))])
    }
    return others + [Attribute("finishings-col", columns.unique)]
  }

  /// Names of templates in finishings-col-database (PWG 5100.1 §5.2.2).
  private var templates: [String] {
    capabilities.attributes.collections("finishings-col-database").flatMap {
      $0.strings("finishing-template")
    }
  }

  /// Makes the failure for the first of `words` that the printer does not support, with the supported ones.
  private func refusal(of words: [String]) -> Failure {
    let missing =
      words.first {
        Finishing.number($0, among: capabilities.finishings) == nil
          && Finishing.template($0, among: templates) == nil
      } ?? words[0]
    let typed = PrintRequest.JobOption(name: "finishings", value: missing).typed
    var names = capabilities.finishings.map { Finishing.name(of: $0) }
    names += templates.filter { !names.contains($0) }
    names.removeAll { $0 == "none" }
    return .notSupported(
      "\(typed): \(printer) can't do that; "
        + (names.isEmpty ? "it has no finisher." : "it can \(names.inWords(joinedBy: "or"))."))
  }
}

/// Values of the `finishings` enum, for each kind with the most usual place first.
enum Finishing {
  /// Returns the value for a number, a name (`staple-top-left`), or the first word of one: `staple` is the printer's
  /// own staple, else the first supported one that staples.
  ///
  /// nil if the printer has none.
  static func number(_ word: String, among supported: [Int]) -> Int? {
    if let number = Int(word) { return supported.contains(number) ? number : nil }
    return all.first { isMeant($0.name, by: word) && supported.contains($0.number) }?.number
  }

  /// Returns the template for a name, in the printer's order for names of its own.
  static func template(_ word: String, among templates: [String]) -> String? {
    let known = all.map(\.name).filter { isMeant($0, by: word) }
    return known.first(where: templates.contains) ?? templates.first { isMeant($0, by: word) }
  }

  private static func isMeant(_ name: String, by word: String) -> Bool {
    name == word || name.hasPrefix("\(word)-")
  }

  static func name(of number: Int) -> String {
    all.first { $0.number == number }?.name ?? "\(number)"
  }

  static let none = 3

  static let all: [(name: String, number: Int)] = [
    ("none", none), ("staple", 4), ("punch", 5), ("cover", 6), ("bind", 7), ("saddle-stitch", 8),
    ("edge-stitch", 9), ("fold", 10), ("trim", 11), ("bale", 12), ("booklet-maker", 13),
    ("jog-offset", 14), ("coat", 15), ("laminate", 16),
    ("staple-top-left", 20), ("staple-dual-left", 28), ("staple-top-right", 22),
    ("staple-bottom-left", 21), ("staple-bottom-right", 23), ("staple-dual-top", 29),
    ("staple-dual-right", 30), ("staple-dual-bottom", 31), ("staple-triple-left", 32),
    ("staple-triple-top", 33), ("staple-triple-right", 34), ("staple-triple-bottom", 35),
    ("edge-stitch-left", 24), ("edge-stitch-top", 25), ("edge-stitch-right", 26),
    ("edge-stitch-bottom", 27),
    ("bind-left", 50), ("bind-top", 51), ("bind-right", 52), ("bind-bottom", 53),
    ("trim-after-pages", 60), ("trim-after-documents", 61), ("trim-after-copies", 62),
    ("trim-after-job", 63),
    ("punch-dual-left", 74), ("punch-dual-top", 75), ("punch-dual-right", 76),
    ("punch-dual-bottom", 77), ("punch-triple-left", 78), ("punch-triple-top", 79),
    ("punch-triple-right", 80), ("punch-triple-bottom", 81), ("punch-quad-left", 82),
    ("punch-quad-top", 83), ("punch-quad-right", 84), ("punch-quad-bottom", 85),
    ("punch-multiple-left", 86), ("punch-multiple-top", 87), ("punch-multiple-right", 88),
    ("punch-multiple-bottom", 89), ("punch-top-left", 70), ("punch-bottom-left", 71),
    ("punch-top-right", 72), ("punch-bottom-right", 73),
    ("fold-half", 93), ("fold-letter", 96), ("fold-z", 100), ("fold-half-z", 94),
    ("fold-accordion", 90), ("fold-double-gate", 91), ("fold-gate", 92), ("fold-left-gate", 95),
    ("fold-parallel", 97), ("fold-poster", 98), ("fold-right-gate", 99),
    ("fold-engineering-z", 101),
  ]
}
