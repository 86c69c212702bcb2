import PrintModel

/// A printer that grants nothing but what it lists: what RFC 8011 §4.1.7 lets one refuse, value by value.
///
/// It shares no code with negotiation, except for reading names of media.
struct StrictPrinter: Sendable {
  private let stated: AttributeSet
  /// The media that it states: one of them, with all of its values, is granted.
  private let columns: [AttributeSet]
  /// True if they are all that it combines (media-col-database, PWG 5100.7 §6.3).
  private let statesCombinations: Bool
  private let sizes: [(width: ClosedRange<Int>, length: ClosedRange<Int>)]
  private let media: Set<String>
  private let creation: Set<String>
  private let constraints: [[Attribute]]

  /// Attributes whose -supported is a count, or says only that there may be values (RFC 8011 §5.2, PWG 5100.3), with the
  /// values that there are.
  private static let unlisted: [String: ClosedRange<Int>] = [
    "job-priority": 1...100, "print-darkness": -100...100, "job-pages-per-set": 1...Int(Int32.max),
    "pages-per-subset": 1...Int(Int32.max),
  ]
  /// Attributes with several values (1setOf).
  private static let sets: Set<String> = [
    "finishings", "finishings-col", "page-ranges", "overrides", "pages-per-subset",
    "job-sheets-col",
    "insert-sheet", "job-accounting-sheets", "pages", "document-numbers", "document-copies",
  ]
  /// Of these, a job has one.
  private static let exclusive = [
    ["media", "media-col"], ["finishings", "finishings-col"],
    ["job-hold-until", "job-hold-until-time"], ["media-size", "media-size-name"],
  ]

  init(stated: AttributeSet) {
    self.stated = stated
    columns = ["media-col-ready", "media-col-database", "media-col-default"]
      .flatMap(stated.collections)
    statesCombinations = stated["media-col-database"] != nil
    let names = ["media-supported", "media-ready", "media-default"].flatMap(stated.strings)
    media = Set(names)
    creation = Set(stated.strings("job-creation-attributes-supported"))
    constraints = stated.collections("job-constraints-supported").map {
      $0.all.filter { $0.name != "resolver-name" }
    }
    let sizes =
      stated.collections("media-size-supported")
      + columns.flatMap { $0.collections("media-size") }
    // custom_min_… and custom_max_… (PWG 5101.1 §5.1.4).
    let bounds = ["custom", "roll"].flatMap { kind in
      func all(_ end: String) -> [MediaSize] {
        names.filter { $0.hasPrefix("\(kind)_\(end)_") }.compactMap(MediaName.size)
      }
      return zip(all("min"), all("max")).map {
        (
          $0.width.count...max($0.width, $1.width).count,
          $0.length.count...max($0.length, $1.length).count
        )
      }
    }
    self.sizes =
      sizes.compactMap(StrictPrinter.sides)
      + names.compactMap(MediaName.size).map {
        // A roll's name has no length.
        (
          $0.width.count...$0.width.count,
          $0.length == 0 ? 0...Int.max : $0.length.count...$0.length.count
        )
      } + bounds
  }

  /// Returns why a request with these Job Template attributes must be refused; empty if it is granted.
  func objections(to ticket: Ticket) -> [String] {
    objections(to: ticket.attributes, at: []) + objections(toFormatOf: ticket)
      + conflicts(of: ticket)
  }

  /// Entries of job-constraints-supported that nothing the printer lists can satisfy contradict its other answers: a
  /// ticket says so, and is exempt.
  private func conflicts(of ticket: Ticket) -> [String] {
    guard !ticket.reasons.contains(where: { $0.hasPrefix("constraint: ") }) else { return [] }
    return constraints.filter { entry in
      !entry.isEmpty && entry.allSatisfy { $0.isMet(by: ticket.attributes) }
    }
    .map { "constraint \($0.map { "\($0.name) \($0.values.map(\.words))" })" }
  }

  // MARK: - Formats

  private func objections(toFormatOf ticket: Ticket) -> [String] {
    let formats = stated.strings("document-format-supported").map { $0.lowercased() }
    if !formats.contains(ticket.format.lowercased()) { return ["document-format \(ticket.format)"] }
    guard !ticket.isPassedThrough else { return [] }
    switch ticket.format {
    case DocumentFormat.urf: return objections(toURF: ticket)
    case DocumentFormat.pwg: return objections(toPWGRaster: ticket)
    default: return []
    }
  }

  private func objections(toURF ticket: Ticket) -> [String] {
    let tokens = stated.strings("urf-supported").map { $0.uppercased() }
    let colors = ticket.rasterColor == .gray ? ["W8"] : ["SRGB24"]
    func numbers(_ prefix: String) -> [Int]? {
      tokens.first { $0.hasPrefix(prefix) }?.dropFirst(prefix.count).split(separator: "-")
        .compactMap { Int($0) }
    }
    var objections: [String] = []
    if !tokens.contains(where: { token in colors.contains(where: token.hasPrefix) }) {
      objections.append("URF without \(colors)")
    }
    if let listed = numbers("RS"), !listed.contains(ticket.resolution.x) {
      objections.append("URF at \(ticket.resolution)")
    }
    if ticket.sides.isDuplex, numbers("DM") == nil { objections.append("two-sided URF") }
    if ticket.copies > ticket.repeats, ticket.copies > numbers("CP")?.first ?? 1 {
      objections.append("URF's copies \(ticket.copies)")
    }
    return objections
  }

  private func objections(toPWGRaster ticket: Ticket) -> [String] {
    let types = stated.strings("pwg-raster-document-type-supported").map { $0.lowercased() }
    let type =
      ticket.isBitonal
      ? "black_1"
      : ticket.rasterColor == .gray ? "sgray_8" : ticket.isCMYK ? "cmyk_8" : "srgb_8"
    let resolutions = stated.resolutions("pwg-raster-document-resolution-supported")
    return (types.isEmpty || types.contains(type) ? [] : ["raster of type \(type)"])
      + (resolutions.isEmpty || resolutions.contains(ticket.resolution)
        ? [] : ["raster at \(ticket.resolution)"])
  }

  // MARK: - Attributes

  private func objections(to attributes: [Attribute], at path: [String]) -> [String] {
    let names = attributes.map(\.name)
    let twice = Set(names.filter { name in names.count { $0 == name } > 1 })
    let both = Self.exclusive.filter { Set($0).isSubset(of: names) }
    return twice.map { "\($0), twice" } + both.map { "\($0), both" }
      + attributes.flatMap { objections(to: $0, at: path) }
  }

  private func objections(to attribute: Attribute, at path: [String]) -> [String] {
    let (name, values) = (attribute.name, attribute.values)
    if values.isEmpty || values.count > 1 && !Self.sets.contains(name)
      || values.count != Set(values).count
    {
      return ["\(values.count) values of \(name): \(values.map(\.words))"]
    }
    if path.isEmpty, !creation.isEmpty, !creation.contains(name), stated["\(name)-supported"] == nil
    {
      return ["\(name), which is not for jobs"]
    }
    let isGranted =
      switch name {
      case "media": values[0].string.map(isKnown(medium:)) == true && values[0].isKeyword
      case "media-col", "overrides": true
      case "page-ranges", "pages":
        values.areAscending && values.allSatisfy { $0.integer == nil }
          && (name == "pages" || stated.boolean("page-ranges-supported") == true)
      case "finishings":
        grants(attribute) && (values.count == 1 || !values.contains(.enumeration(3)))
      default: Self.unlisted[name].map { grants(attribute, among: $0) } ?? grants(attribute)
      }
    let column = name == "media-col" ? objections(toColumn: values[0].members ?? []) : []
    let overrides =
      name == "overrides" ? values.compactMap(\.members).flatMap(objections(toOverride:)) : []
    return (isGranted ? [] : ["\(name) \(values.map(\.words))"]) + column + overrides
  }

  private func objections(toOverride members: [Attribute]) -> [String] {
    let listed = stated.strings("overrides-supported")
    return members.filter { !listed.contains($0.name) }.map { "overrides' \($0.name)" }
      + objections(to: members, at: ["overrides"])
  }

  /// True if every value is listed, in the syntax in which it is listed, or within a listed range.
  private func grants(_ attribute: Attribute) -> Bool {
    guard let listed = stated["\(attribute.name)-supported"]?.values else {
      return creation.contains(attribute.name)
    }
    return attribute.values.allSatisfy { value in
      listed.contains(value) || grants(members: value.members ?? [], listed.compactMap(\.string))
        || listed == [.boolean(true)] && value.isText
        || value.integer.map { number in listed.contains { $0.span?.contains(number) == true } }
          == true
        || attribute.name == "job-hold-until-time"
        || listed == [.boolean(true)] && value == .boolean(false)
    }
  }

  /// True for a collection with members that are listed, each with a value that is, as far as any are.
  private func grants(members: [Attribute], _ listed: [String]) -> Bool {
    !members.isEmpty
      && members.allSatisfy {
        listed.contains($0.name)
          && (stated["\($0.name)-supported"] == nil || $0.name == "media" || grants($0))
      }
  }

  /// A number that -supported counts; one that it lists as a range is within that.
  private func grants(_ attribute: Attribute, among span: ClosedRange<Int>) -> Bool {
    guard let listed = stated["\(attribute.name)-supported"]?.values.first else {
      return creation.contains(attribute.name)
    }
    var span = span
    if case .range(let own) = listed { span = own }
    return attribute.values.allSatisfy { $0.integer.map(span.contains) == true }
  }

  // MARK: - Media

  private func objections(toColumn members: [Attribute]) -> [String] {
    let listed = stated.strings("media-col-supported")
    let unlisted = members.filter { !listed.isEmpty && !listed.contains($0.name) }
    let unknown = members.filter { !isKnown(member: $0) }
    let isCombined =
      !statesCombinations || !unknown.isEmpty || isCustom(members)
      || columns.contains { $0.grants(members) }
    return unlisted.map { "media-col's \($0.name)" }
      + unknown.map { "media-col's \($0.name) \($0.values.map(\.words))" }
      + (isCombined ? [] : ["media-col \(members.map { "\($0.name) \($0.values.map(\.words))" })"])
  }

  private func isKnown(member: Attribute) -> Bool {
    switch member.name {
    case "media-size":
      // A printer that states no size leaves it to its users.
      sizes.isEmpty || AttributeSet(member.values.first?.members ?? []).isWithin(sizes)
    case "media-size-name": member.values.first?.string.map(isKnown(medium:)) == true
    default:
      columns.contains { $0[member.name]?.values == member.values } || grants(member)
        || stated["\(member.name)-supported"] == nil && member.values.first?.string == nil
    }
  }

  /// True for a size that is only within ranges: those of a tray for any size.
  private func isCustom(_ members: [Attribute]) -> Bool {
    guard let size = members.first(where: { $0.name == "media-size" })?.values.first?.members
    else { return false }
    return !columns.contains { $0.grants([Attribute("media-size", .collection(size))]) }
  }

  private func isKnown(medium name: String) -> Bool {
    media.contains(name) || columns.contains { $0.string("media-size-name") == name }
      || MediaName.size(of: name).map { size in
        sizes.contains {
          $0.width.contains(size.width.count) && $0.length.contains(size.length.count)
        }
      } == true
  }

  fileprivate static func sides(
    _ size: AttributeSet
  ) -> (width: ClosedRange<Int>, length: ClosedRange<Int>)? {
    guard let width = size.spans("x-dimension").first, let length = size.spans("y-dimension").first
    else { return nil }
    return (width, length)
  }
}

extension AttributeSet {
  /// True for a media-size that is one of these, or within one.
  fileprivate func isWithin(
    _ sizes: [(width: ClosedRange<Int>, length: ClosedRange<Int>)]
  ) -> Bool {
    guard let own = StrictPrinter.sides(self) else { return false }
    return sizes.contains { $0.width.contains(own.width) && $0.length.contains(own.length) }
  }

  /// True for an entry of media-col-database with these values, as far as it states any.
  fileprivate func grants(_ members: [Attribute]) -> Bool {
    members.allSatisfy { member in
      // How labels are found is set, not loaded.
      guard let own = self[member.name], member.name != "media-tracking" else { return true }
      if member.name == "media-size" {
        let sizes = collections("media-size").compactMap(StrictPrinter.sides)
        return AttributeSet(member.values.first?.members ?? []).isWithin(sizes)
      }
      // A keyword in one list is a name in another; any tray that has the rest.
      return own.values.map(\.words) == member.values.map(\.words)
        || member.name == "media-source" && member.values.first?.string == "auto"
    }
  }
}

extension Attribute {
  /// True for a condition of job-constraints-supported that a job meets, by the letter; a size has several names, and its
  /// sides are rounded.
  fileprivate func isMet(by job: [Attribute]) -> Bool {
    if let listed = mediumSizes, let size = job.mediumSize {
      return listed.contains {
        $0.width.overlaps(size.width.around) && $0.length.overlaps(size.length.around)
      }
    }
    let members = job.first { $0.name == "media-col" }?.values.first?.members ?? []
    return (job + members).contains { sent in
      sent.name == name
        && values.contains { listed in sent.values.contains { $0.isOne(of: listed) } }
    }
  }

  fileprivate var mediumSizes: [(width: ClosedRange<Int>, length: ClosedRange<Int>)]? {
    switch name {
    case "media", "media-size-name":
      values.compactMap { $0.string.flatMap(MediaName.size) }.map {
        ($0.width.count...$0.width.count, $0.length.count...$0.length.count)
      }
    case "media-size":
      values.compactMap { StrictPrinter.sides(AttributeSet($0.members ?? [])) }
    default: nil
    }
  }
}

extension [Attribute] {
  /// The size of a job's medium, or that which the members of a media-col have.
  fileprivate var mediumSize: (width: ClosedRange<Int>, length: ClosedRange<Int>)? {
    let members = first { $0.name == "media-col" }?.values.first?.members ?? self
    return members.lazy.compactMap(\.mediumSizes).first?.first
  }
}

extension ClosedRange<Int> {
  fileprivate var around: ClosedRange<Int> { lowerBound - 50...upperBound + 50 }
}

extension [Attribute.Value] {
  fileprivate var areAscending: Bool {
    let spans = compactMap(\.span)
    return spans.count == count && spans[0].lowerBound > 0
      && zip(spans, spans.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound }
  }
}

extension Attribute.Value {
  fileprivate var isKeyword: Bool { if case .string(.keyword, _) = self { true } else { false } }
  fileprivate var integer: Int? { if case .integer(let number) = self { number } else { nil } }
  /// A name or a text, of which any may be a value where -supported is true.
  fileprivate var isText: Bool {
    switch self {
    case .string(.name, _), .string(.text, _): true
    default: false
    }
  }

  /// True for this value of a constraint, and for a collection with all of its members.
  fileprivate func isOne(of listed: Attribute.Value) -> Bool {
    guard let conditions = listed.members, let members else {
      if let number = integer, let span = listed.span { return span.contains(number) }
      return self == listed || string != nil && string == listed.string
    }
    return conditions.allSatisfy { condition in condition.isMet(by: members) }
  }

  var words: String {
    switch self {
    case .integer(let number), .enumeration(let number): "\(number)"
    case .string(_, let text): text
    case .range(let span): "\(span)"
    case .resolution(let resolution): "\(resolution)"
    case .collection(let members): "\(members.map { "\($0.name) \($0.values.map(\.words))" })"
    default: "\(self)"
    }
  }
}
