import PrintModel
import TestSupport

/// What a printer does not combine (job-constraints-supported), and what it keeps (job-presets-supported,
/// job-triggers-supported), at random from the values that it lists.
enum RandomRestrictions {
  private static let names = [
    "sides", "print-color-mode", "print-quality", "printer-resolution", "output-bin", "finishings",
    "copies", "print-scaling", "multiple-document-handling", "print-content-optimize",
  ]
  private static let members = ["media-type", "media-source", "media-top-margin"]

  /// Returns a printer's attributes with such lists.
  static func added(to attributes: [Attribute], _ dice: inout Dice) -> [Attribute] {
    let stated = AttributeSet(attributes)
    func some(_ names: [String], _ most: Int, _ dice: inout Dice) -> [Attribute] {
      names.shuffled(using: &dice).compactMap { name -> Attribute? in
        let listed = stated.values("\(name)-supported").filter { $0.members == nil }
        let count = Int.random(in: 1...2, using: &dice)
        let values = listed.shuffled(using: &dice).prefix(count)
        return values.isEmpty ? nil : Attribute(name, Array(values))
      }.prefix(most).map(\.self)
    }
    func entry(_ key: String, _ name: String, _ most: Int, _ dice: inout Dice) -> Attribute.Value {
      let medium = some(members, 1, &dice)
      let column =
        medium.isEmpty || Bool.random(using: &dice)
        ? [] : [Attribute("media-col", .collection(medium))]
      return .collection(
        [Attribute(key, .name(name))]
          + some(names, most, &dice).map {
            // A preset has one value of each; a range is for conditions.
            key == "resolver-name"
              ? $0
              : Attribute(
                $0.name, $0.values[0].range.map { .integer($0.upperBound) } ?? $0.values[0])
          } + column)
    }
    let listed = ["job-constraints-supported", "job-presets-supported", "job-triggers-supported"]
    return attributes.filter { !listed.contains($0.name) } + [
      Attribute(
        listed[0], (0..<4).map { entry("resolver-name", "R\($0 % 3)", 2, &dice) }),
      Attribute(
        "job-resolvers-supported", (0..<2).map { entry("resolver-name", "R\($0)", 2, &dice) }),
      Attribute(listed[1], (0..<2).map { entry("preset-name", "P\($0)", 4, &dice) }),
      Attribute(listed[2], entry("preset-name", "P0", 1, &dice)),
    ]
  }
}

extension Attribute.Value {
  fileprivate var range: ClosedRange<Int>? { if case .range(let span) = self { span } else { nil } }
}
