import PrintModel
import TestSupport

/// What real printers leave out of their answers, and what they state in another way than most: at random, and legal.
enum RandomOddities {
  /// Without these, nothing can be sent.
  private static let needed: Set<String> = [
    "document-format-supported", "urf-supported", "pwg-raster-document-type-supported",
    "pwg-raster-document-resolution-supported", "operations-supported",
  ]

  static func changed(_ attributes: [Attribute], _ dice: inout Dice) -> [Attribute] {
    var changed: [Attribute] = []
    for attribute in attributes {
      let isNeeded = needed.contains(attribute.name)
      switch Int.random(in: 0..<12, using: &dice) {
      case 0 where !isNeeded: continue
      case 1 where !isNeeded && attribute.name.hasSuffix("-default"):
        changed.append(Attribute(attribute.name, .none))
      case 2 where !isNeeded:
        changed.append(Attribute(attribute.name, otherwise(attribute)))
      case 3 where attribute.values.contains { $0.string != nil }:
        changed.append(
          Attribute(attribute.name, [.keyword("")] + attribute.values + [.keyword("x-unknown")]))
      case 4:
        changed.append(
          Attribute(attribute.name, attribute.values.map { withoutMembers($0, &dice) }))
      default: changed.append(attribute)
      }
    }
    let constraint = Attribute.Value.collection([
      Attribute("resolver-name", .name("nobody")), Attribute("x-unknown", .keyword("x")),
      Attribute("sides", .keyword("two-sided-long-edge")),
    ])
    if Bool.random(using: &dice), !changed.contains(where: { $0.name == constraints }) {
      changed.append(Attribute(constraints, constraint, .collection([]), .none))
    }
    return changed
  }

  private static let constraints = "job-constraints-supported"

  /// Attributes whose values are keywords or names (RFC 8011 §5.2, PWG 5100.7).
  private static let named: Set<String> = [
    "job-hold-until-supported", "job-sheets-supported", "media-color-supported",
    "media-source-supported", "media-type-supported", "output-bin-supported",
  ]

  /// Integers as a range, and a range as its ends; keywords as names.
  private static func otherwise(_ attribute: Attribute) -> [Attribute.Value] {
    let values = attribute.values
    let numbers = values.compactMap { value -> Int? in
      if case .integer(let number) = value { number } else { nil }
    }
    if numbers.count == values.count, let least = numbers.min(), let most = numbers.max(),
      least < most
    {
      return [.range(least...most)]
    }
    return values.flatMap { value -> [Attribute.Value] in
      switch value {
      case .range(let span) where span.lowerBound < span.upperBound:
        [.integer(span.lowerBound), .integer(span.upperBound)]
      case .string(.keyword, let word) where named.contains(attribute.name): [.name(word)]
      default: [value]
      }
    }
  }

  /// A collection without one of its members, but with its size.
  private static func withoutMembers(
    _ value: Attribute.Value, _ dice: inout Dice
  ) -> Attribute.Value {
    guard let members = value.members, members.contains(where: { $0.name == "media-size" }) else {
      return value
    }
    let least = Int.random(in: 0..<members.count, using: &dice)
    return .collection(
      members.enumerated().filter { $0.offset != least || $0.element.name == "media-size" }
        .map(\.element))
  }
}
