/// Values of Job Template attributes that a printer does not combine: an entry of job-constraints-supported (PWG
/// 5100.13-2023).
///
/// A medium is compared by its size, whether the entry or the job names it as `media`, media-size-name or media-size;
/// HP's printers list `media` and media-type beside `sides`, Xerox's put media-type into media-col.
package struct JobConstraint: Sendable, Hashable {
  /// The name of an entry of job-resolvers-supported.
  package var resolver: String?
  /// The attributes, each with every value that counts: a job has a conflict if it has a value of each.
  package var conditions: [Attribute]

  package init(resolver: String?, conditions: [Attribute]) {
    self.resolver = resolver
    self.conditions = conditions.byMediumSize
  }

  /// Longest list that is read, and most values in all of it; the longest known has 80 values.
  private static let most = (entries: 200, values: 4_000)

  /// Returns the entries of job-constraints-supported.
  package static func list(in attributes: AttributeSet) -> [JobConstraint] {
    list(attributes.collections("job-constraints-supported"), naming: resolverName)
  }

  fileprivate static func list(_ entries: [AttributeSet], naming name: String) -> [JobConstraint] {
    var left = most.values
    return entries.prefix(most.entries).compactMap { entry in
      let conditions = entry.all.filter { $0.name != name }
      left -= conditions.weight
      guard left >= 0, !conditions.isEmpty else { return nil }
      return JobConstraint(resolver: entry.string(name), conditions: conditions)
    }
  }

  /// Returns job-resolvers-supported by resolver-name: values that end a conflict, those of media-col beside the
  /// others; the first entry of a name counts.
  package static func resolvers(in attributes: AttributeSet) -> [String: [Attribute]] {
    let entries = attributes.collections("job-resolvers-supported").prefix(most.entries)
    return Dictionary(
      entries.compactMap { entry in
        entry.string(resolverName).map {
          ($0, entry.all.filter { $0.name != resolverName && $0.values.count <= 100 }.leaves)
        }
      }, uniquingKeysWith: { first, _ in first })
  }

  private static let resolverName = "resolver-name"

  /// Returns true if a job with these leaves has a value of every condition.
  package func conflicts(with leaves: [Attribute]) -> Bool {
    conditions.allSatisfy { $0.isMet(by: leaves) }
  }

  /// Returns the values of a job because of which it conflicts, each with its name: `sides`, media-type.
  package func causes(in job: [Attribute]) -> [Attribute] {
    let scope = job.leaves
    return conditions.leaves.filter { $0.name != "media-col" }.compactMap { condition in
      scope.first { $0.name == condition.name }.map { sent in
        Attribute(sent.name, sent.values.filter { condition.includes($0) })
      }
    }.unique
  }
}

/// Values for a job that a printer keeps under a name: an entry of job-presets-supported (PWG 5100.13-2023).
package struct JobPreset: Sendable, Hashable {
  /// preset-name.
  package var name: String
  /// The Job Template attributes.
  package var attributes: [Attribute]

  /// Returns the entries with a name, at most a hundred.
  package static func list(in attributes: AttributeSet) -> [JobPreset] {
    attributes.collections("job-presets-supported").prefix(100).compactMap { entry in
      let values = entry.all.filter {
        !$0.name.hasPrefix("preset-") && $0.values.first?.isOutOfBand != true
      }
      guard let name = entry.string("preset-name"), values.weight <= 1_000 else { return nil }
      return JobPreset(name: name, attributes: values)
    }
  }
}

/// Values of a job that bring a preset of the printer along: an entry of job-triggers-supported (PWG 5100.13-2023).
package struct JobTrigger: Sendable, Hashable {
  package var preset: String
  private var condition: JobConstraint

  package static func list(in attributes: AttributeSet) -> [JobTrigger] {
    JobConstraint.list(attributes.collections("job-triggers-supported"), naming: "preset-name")
      .compactMap { entry in entry.resolver.map { JobTrigger(preset: $0, condition: entry) } }
  }

  /// Returns true if a job with these attributes has one of each of its values.
  package func isMet(by job: [Attribute]) -> Bool { condition.conflicts(with: job.leaves) }
}

extension Attribute {
  /// Returns true if one of these attributes has one of this one's values.
  fileprivate func isMet(by scope: [Attribute]) -> Bool {
    scope.contains { $0.name == name && $0.values.contains(where: includes) }
  }

  /// Returns true for a value that is one of these, or that has one of each of their members.
  fileprivate func includes(_ value: Value) -> Bool {
    // PWG names and printers round sizes.
    let slack = ["x-dimension", "y-dimension"].contains(name) ? MediaSize.near.count : 0
    return values.contains { listed in
      if let members = listed.members, let sent = value.members?.leaves {
        return !members.isEmpty && members.byMediumSize.allSatisfy { $0.isMet(by: sent) }
      }
      if let span = listed.bounds, let sent = value.bounds {
        return span.lowerBound - slack <= sent.upperBound
          && sent.lowerBound - slack <= span.upperBound
      }
      // A keyword in one list is a name in another.
      if let text = listed.string { return text == value.string }
      return listed == value && !value.isOutOfBand
    }
  }
}

extension Attribute.Value {
  fileprivate var bounds: ClosedRange<Int>? { number.map { $0...$0 } ?? span }

  /// The number of values in it.
  fileprivate var weight: Int { 1 + (members?.weight ?? 0) }

  /// The size that a media-size states; of ranges, the largest.
  package var mediaSize: MediaSize? {
    let sides = AttributeSet(members ?? [])
    guard let width = sides.spans("x-dimension").first?.upperBound,
      let length = sides.spans("y-dimension").first?.upperBound
    else { return nil }
    return MediaSize(width: Hundredths(width), length: Hundredths(length))
  }

  /// A media-size.
  package static func mediaSize(_ size: MediaSize) -> Self {
    .collection([
      Attribute("x-dimension", .length(size.width)), Attribute("y-dimension", .length(size.length)),
    ])
  }
}

extension [Attribute] {
  var weight: Int { reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.weight } } }

  /// The same with media-size for names of sizes; a name of another kind stays.
  fileprivate var byMediumSize: [Attribute] {
    map { attribute in
      guard attribute.name == "media" || attribute.name == "media-size-name" else {
        return attribute
      }
      let sizes = attribute.values.compactMap { $0.string.flatMap(MediaName.size) }
      return sizes.isEmpty ? attribute : Attribute("media-size", sizes.map { .mediaSize($0) })
    }
  }

  /// The attributes, and beside them the members of media-col, which a job without one has for its `media`.
  package var leaves: [Attribute] {
    let named = byMediumSize
    let members = named.filter { $0.name == "media-col" }.flatMap(\.values)
      .flatMap { $0.members ?? [] }.byMediumSize
    if members.isEmpty, let size = named.first(where: { $0.name == "media-size" }) {
      return named + [Attribute("media-col", .collection([size]))]
    }
    return named + members
  }
}
