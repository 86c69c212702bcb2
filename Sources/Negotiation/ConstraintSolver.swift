internal import PrintModel

/// Finds values with which a printer prints a job (PWG 5100.13-2023, job-constraints-supported).
///
/// It works on the attributes as they are sent, and knows no more about one than its name and how firm it is.
struct ConstraintSolver {
  let constraints: [JobConstraint]
  let resolvers: [String: [Attribute]]
  /// The firmness of an attribute, or of a member of media-col.
  let firmness: (String) -> Firmness
  /// The values that the printer supports for an attribute, with its default first.
  let supported: (String) -> [Attribute.Value]
  /// True if pages can be drawn for these values.
  let accepts: (Attribute) -> Bool

  /// Who chose a value: what is less firm gives way.
  ///
  /// The medium is what the page is for: it is not replaced here.
  enum Firmness: Comparable { case guess, setting, medium, typed }

  enum Solution: Equatable {
    /// Nothing to do if there are none.
    case steps([Step])
    /// Nothing that may give way ends this conflict.
    case conflict(JobConstraint)
  }

  /// Values that replace others: of one attribute, or of all margins.
  struct Step: Equatable {
    var attributes: [Attribute]
    /// The values that were in conflict.
    var causes: [Attribute]
  }

  /// Most steps, and most jobs that are tried; entries of printers need one step each.
  private static let most = (steps: 8, jobs: 40)

  /// Returns the first way out of all conflicts: by the printer's resolvers, else by the nearest values, and with what
  /// is least firm.
  func solve(_ job: [Attribute]) -> Solution {
    var seen: Set<[Attribute]> = []
    if let steps = way(from: job, [], &seen) { return .steps(steps) }
    let conflicts = constraints.filter { $0.conflicts(with: job.leaves) }
    let firm = conflicts.first { loose($0.causes(in: job)).isEmpty }
    return .conflict(firm ?? conflicts[0])
  }

  /// Returns the steps to a job without a conflict; nil if there are none.
  ///
  /// A resolver may lead into another conflict, or back: a job that was tried is not tried again.
  private func way(
    from job: [Attribute], _ steps: [Step], _ seen: inout Set<[Attribute]>
  ) -> [Step]? {
    let leaves = job.leaves
    guard let constraint = constraints.first(where: { $0.conflicts(with: leaves) }) else {
      return steps
    }
    guard steps.count < Self.most.steps, seen.count < Self.most.jobs, seen.insert(job).inserted
    else { return nil }
    let causes = constraint.causes(in: job)
    for attributes in waysOut(of: constraint, causes, leaves) {
      let next = attributes.reduce(job) { $0.replacing($1) }
      guard !constraint.conflicts(with: next.leaves), attributes.allSatisfy(accepts) else {
        continue
      }
      let step = Step(attributes: attributes, causes: causes)
      if let way = way(from: next, steps + [step], &seen) { return way }
    }
    return nil
  }

  /// Returns the names of values that may give way, the least firm first; margins give way together.
  private func loose(_ causes: [Attribute]) -> [[String]] {
    let names = causes.map(\.name)
    let margins = names.filter { $0.isMargin }
    let units = names.filter { !$0.isMargin }.map { [$0] } + (margins.isEmpty ? [] : [margins])
    let firm = units.map { unit in (unit, unit.map(firmness).max() ?? .guess) }
    return [.guess, .setting].flatMap { level in firm.filter { $0.1 == level }.map(\.0) }
  }

  /// Returns replacements in the order in which they are tried; the first one is mostly the last.
  private func waysOut(
    of constraint: JobConstraint, _ causes: [Attribute], _ leaves: [Attribute]
  ) -> some Sequence<[Attribute]> {
    let loose = loose(causes)
    let resolver = constraint.resolver.flatMap { resolvers[$0] } ?? []
    let theirs = loose.flatMap { unit in
      guard unit[0].isMargin else {
        return resolver.filter { $0.name == unit[0] }.flatMap { attribute in
          attribute.values.map { [Attribute(attribute.name, $0)] }
        }
      }
      let margins = resolver.filter { $0.name.isMargin }
      return margins.isEmpty ? [] : [margins.map { Attribute($0.name, [$0.values[0]]) }]
    }
    let own = loose.map { unit in
      { unit[0].isMargin ? [narrowest] : others(than: unit[0], constraint, causes, leaves) }
    }
    return ([{ theirs }] + own).lazy.flatMap { $0() }.filter { !$0.isEmpty }
  }

  /// The smallest margins that are not 0.
  private var narrowest: [Attribute] {
    Margins.members.compactMap { name in
      supported(name).compactMap(\.number).filter { $0 > 0 }.min()
        .map { Attribute(name, .integer($0)) }
    }
  }

  /// Returns the values of an attribute without those in conflict, then the supported ones, the nearest first.
  private func others(
    than name: String, _ constraint: JobConstraint, _ causes: [Attribute], _ leaves: [Attribute]
  ) -> [[Attribute]] {
    let sent = leaves.first { $0.name == name }?.values ?? []
    let bad = causes.first { $0.name == name }?.values ?? []
    let rest = sent.filter { !bad.contains($0) }
    let listed = supported(name).prefix(100).flatMap { value -> [Attribute.Value] in
      guard case .range(let span) = value, let number = sent.first?.number else { return [value] }
      // The range of a constraint ends beside one of these.
      let ends = constraint.conditions.leaves.filter { $0.name == name }.flatMap(\.values)
        .compactMap(\.span).flatMap { [$0.lowerBound - 1, $0.upperBound + 1] }
      return (ends + [number]).filter(span.contains).map { .integer($0) }
    }
    let nearest = listed.enumerated().sorted {
      ($0.element.distance(to: sent.first), $0.offset)
        < ($1.element.distance(to: sent.first), $1.offset)
    }.map { [Attribute(name, $0.element)] }
    return (rest.isEmpty ? [] : [[Attribute(name, rest)]]) + nearest
  }
}

extension Attribute.Value {
  /// Returns the difference of two numbers or resolutions; 0 for values that have none.
  fileprivate func distance(to other: Self?) -> Int {
    if let number, let other = other?.number { return abs(number - other) }
    if case .resolution(let one) = self, case .resolution(let two) = other {
      return abs(one.x - two.x) + abs(one.y - two.y)
    }
    return 0
  }
}

extension String {
  var isMargin: Bool { hasPrefix("media-") && hasSuffix("-margin") }
}

extension [Attribute] {
  /// The same with this attribute, or with the members of a collection instead of those of the same name.
  ///
  /// A job without a media-col gets one for a member of it.
  func adding(_ attribute: Attribute) -> [Attribute] {
    if attribute.name.hasPrefix("media-"), !contains(where: { $0.name == "media-col" }) {
      return attribute.name == "media-col"
        ? self + [attribute] : self + [Attribute("media-col", .collection([attribute]))]
    }
    let mine = first { $0.name == attribute.name }?.values ?? []
    guard mine.count == 1, let old = mine[0].members, attribute.values.count == 1,
      let new = attribute.values[0].members
    else { return replacing(attribute) }
    let members = new.reduce(old) { $0.replacing($1) }
    return replacing(Attribute(attribute.name, .collection(members)))
  }

  /// The same with these values for an attribute, or for a member of media-col; one that is not in it is added.
  func replacing(_ attribute: Attribute) -> [Attribute] {
    if contains(where: { $0.name == attribute.name }) {
      return map { $0.name == attribute.name ? attribute : $0 }
    }
    guard attribute.name.hasPrefix("media-"),
      let members = first(where: { $0.name == "media-col" })?.values.first?.members
    else { return self + [attribute] }
    let isIn = members.contains { $0.name == attribute.name }
    let column = isIn ? members.replacing(attribute) : members + [attribute]
    return replacing(Attribute("media-col", .collection(column)))
  }
}
