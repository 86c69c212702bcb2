import PrintModel

/// A printer that grants nothing but what it lists: what RFC 8011 §4.1.7 lets one refuse, value by value.
struct StrictPrinter {
  let stated: AttributeSet

  /// Attributes whose -supported is a count, or says only that there may be values (RFC 8011 §5.2, PWG 5100.3).
  private static let unlisted: Set<String> = [
    "page-ranges", "job-priority", "print-darkness", "job-name", "job-hold-until-time",
  ]
  private static let sizes = ["media-size", "media-size-name"]

  /// Returns why a request with these Job Template attributes must be refused; empty if it is granted.
  func objections(to ticket: Ticket) -> [String] {
    let formats = stated.strings("document-format-supported")
    var objections = ticket.attributes.flatMap { self.objections(to: $0) }
    if !formats.isEmpty, !formats.contains(ticket.format), !ticket.isRaw {
      objections.append("document-format \(ticket.format)")
    }
    let constraints = JobConstraint.list(in: stated).filter {
      $0.conflicts(with: ticket.attributes)
    }
    objections += constraints.map { "constraint \($0.causes(in: ticket.attributes))" }
    return objections
  }

  private func objections(to attribute: Attribute) -> [String] {
    switch attribute.name {
    case "media": isKnown(medium: attribute.values) ? [] : ["media \(attribute.values)"]
    case "media-col": members(attribute).flatMap { objections(toMember: $0) }
    case let name where Self.unlisted.contains(name):
      stated["\(name)-supported"] == nil && !isListed(name) ? ["\(name), which is not listed"] : []
    default: grants(attribute) ? [] : ["\(attribute.name) \(attribute.values)"]
    }
  }

  private func members(_ attribute: Attribute) -> [Attribute] {
    attribute.values.compactMap(\.members).flatMap(\.self)
  }

  private func objections(toMember member: Attribute) -> [String] {
    let listed = stated.strings("media-col-supported")
    if !listed.isEmpty, !listed.contains(member.name) { return ["media-col's \(member.name)"] }
    if Self.sizes.contains(member.name) {
      return isKnown(size: member) ? [] : ["\(member.name) \(member.values)"]
    }
    return grants(member, else: columns.contains { $0.values(member.name) == member.values })
      ? [] : ["media-col's \(member.name) \(member.values)"]
  }

  /// The media that it states: one of them, with all of its values, is granted.
  private var columns: [AttributeSet] {
    ["media-col-ready", "media-col-database", "media-col-default"].flatMap(stated.collections)
  }

  /// True if every value is listed, in the syntax in which it is listed, or within a listed range.
  private func grants(_ attribute: Attribute, else isStatedElsewhere: Bool = false) -> Bool {
    guard let listed = stated["\(attribute.name)-supported"]?.values else {
      return isStatedElsewhere || isListed(attribute.name)
    }
    return isStatedElsewhere
      || attribute.values.allSatisfy { value in
        listed.contains(value) || listed == [.boolean(true)]
          || listed.contains { span in
            guard case .range(let span) = span, case .integer(let number) = value else {
              return false
            }
            return span.contains(number)
          }
      }
  }

  private func isListed(_ name: String) -> Bool {
    stated.strings("job-creation-attributes-supported").contains(name)
  }

  private func isKnown(medium values: [Attribute.Value]) -> Bool {
    guard case .string(let syntax, let name)? = values.first, syntax == .keyword else {
      return false
    }
    let listed = ["media-supported", "media-ready", "media-default"].flatMap(stated.strings)
    return listed.contains(name) || MediaName.size(of: name).map { isWithin(bounds, $0) } ?? false
  }

  /// custom_min_… and custom_max_… (PWG 5101.1 §5.1.4).
  private var bounds: [(least: MediaSize, most: MediaSize)] {
    let names = stated.strings("media-supported")
    func sizes(_ prefix: String) -> [MediaSize] {
      names.filter { $0.hasPrefix(prefix) }.compactMap(MediaName.size)
    }
    return zip(sizes("custom_min_"), sizes("custom_max_")).map { ($0, $1) }
      + zip(sizes("roll_min_"), sizes("roll_max_")).map { ($0, $1) }
  }

  private func isWithin(_ bounds: [(least: MediaSize, most: MediaSize)], _ size: MediaSize) -> Bool
  {
    bounds.contains {
      $0.least.width <= size.width && size.width <= $0.most.width && $0.least.length <= size.length
        && size.length <= $0.most.length
    }
  }

  private func isKnown(size member: Attribute) -> Bool {
    if member.name == "media-size-name" { return isKnown(medium: member.values) }
    guard let size = members(member).asSet, let width = size.spans("x-dimension").first,
      let length = size.spans("y-dimension").first
    else { return false }
    let known =
      stated.collections("media-size-supported")
      + columns.flatMap { $0.collections("media-size") }
    let isListed = known.contains { listed in
      listed.spans("x-dimension").contains {
        $0.contains(width.lowerBound) && $0.contains(width.upperBound)
      }
        && listed.spans("y-dimension").contains {
          $0.contains(length.lowerBound) && $0.contains(length.upperBound)
        }
    }
    let whole = MediaSize(
      width: Hundredths(width.upperBound), length: Hundredths(length.upperBound))
    return isListed || isWithin(bounds, whole)
      || ["media-supported", "media-ready"].flatMap(stated.strings).compactMap(MediaName.size)
        .contains(whole)
  }
}

extension [Attribute] {
  fileprivate var asSet: AttributeSet? { isEmpty ? nil : AttributeSet(self) }
}
