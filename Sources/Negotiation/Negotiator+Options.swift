package import PrintModel
internal import PrintOptions

/// Returns the job attributes of a request as they are sent for a job that the printer has already.
///
/// Exit 64 for what the printer does not support.
package func jobAttributes(
  _ request: PrintRequest, with capabilities: Capabilities
) throws(Failure) -> [Attribute] {
  var request = request
  let preset = try PresetChoice(for: &request, of: capabilities)
  let negotiator = Negotiator(
    request: request, document: DocumentInfo(mediaType: "", pages: []), capabilities: capabilities,
    region: .a4, preset: preset)
  return try request.options.map { (option) throws(Failure) in
    try negotiator.attribute(for: option)
  }
}

extension Negotiator {
  /// Returns `-o NAME=VALUE` as an attribute, in the syntax of NAME-supported and only with a value that it lists:
  /// other tools ignored unknown ones silently (apple/cups#4997).
  func attribute(for option: PrintRequest.JobOption) throws(Failure) -> Attribute {
    // All users of the machine can read text typed after -o.
    guard !option.name.hasPrefix("job-password") else {
      throw .usage("-o \(option.name): a PIN is given with --pin-file.")
    }
    guard !Self.printersOwn.contains(option.name) else {
      throw .usage("-o \(option.name): this is no attribute of a job.")
    }
    if let value = unlistedValue(of: option),
      capabilities.attributes.boolean("\(option.name)-supported") == true
        || capabilities.mandatory.contains(option.name)
    {
      return Attribute(option.name, value)
    }
    if option.name == "job-hold-until", ClockTime(option.value) != nil {
      return try held(until: request.holdEnd, option)
    }
    let collection = try option.collection()
    // A vendor's name may have dots of its own.
    let name = capabilities.accepts(option.name) ? option.name : collection?.name ?? option.name
    var supported = capabilities.attributes.values("\(name)-supported")
    if let values = Negotiator.unstated[name], supported.count == 1,
      supported[0].isNumber || supported == [.boolean(true)]
    {
      supported = [.range(values)]
    }
    let isMember = name.hasPrefix("media-") && capabilities.mediaColumnMembers.contains(name)
    guard !supported.isEmpty || isMember || capabilities.accepts(name) else {
      let why =
        switch name {
        case "job-hold-until":
          "\(printer) doesn't hold jobs. airprint queue add keeps documents for later."
        case "job-priority": "\(printer) doesn't support priorities."
        default: "\(printer) does not support this job attribute."
        }
      throw .notSupported("\(option.typed): \(why)")
    }
    if let collection, collection.name == name {
      return try attribute(name, collection.value, path: name)
    }
    guard !name.hasSuffix("-col") else {
      throw .usage("\(option.typed): takes JSON, or -o \(name).MEMBER=VALUE.")
    }
    // CUPS has a sheet before a job and one after it.
    let isSet = Self.sets.contains(name) || name == "job-sheets" && capabilities.isQueue
    let texts = isSet ? option.value.split(separator: ",").map(String.init) : [option.value]
    var values: [Attribute.Value] = []
    for text in texts { values.append(try value(text, of: option, among: supported)) }
    return Attribute(option.name, values)
  }

  /// Attributes with several values (1setOf) that are typed with commas; those of all others are a list in JSON.
  private static let sets: Set = ["force-front-side", "job-finishings", "pages-per-subset"]
  /// Members of collections whose values are ranges, also of one number.
  private static let ranges: Set = ["document-copies", "document-numbers", "pages"]

  /// What printers list values of (RFC 8011 §5.4) and no job has.
  private static let printersOwn: Set<String> = [
    "charset", "generated-natural-language", "identify-actions", "ipp-features", "ipp-versions",
    "job-creation-attributes", "operations", "printer-uri", "reference-uri-schemes",
    "uri-authentication", "uri-security", "which-jobs",
  ]

  /// Returns a collection whose members, which NAME-supported lists, have values that their own -supported lists (PWG
  /// 5100.3 §3).
  private func attribute(
    _ name: String, _ value: OptionValue, path: String
  ) throws(Failure) -> Attribute {
    let supported = capabilities.attributes.values("\(name)-supported")
    switch value {
    case .word(let text):
      let option = PrintRequest.JobOption(name: path, value: text)
      return Attribute(name, try self.value(text, of: option, among: supported))
    case .list(let list):
      var values: [Attribute.Value] = []
      for value in list { values += try attribute(name, value, path: path).values }
      return Attribute(name, values)
    case .members(let typed):
      let listed = supported.compactMap(\.string)
      var members: [Attribute] = []
      for (member, value) in typed.sorted(by: { $0.key < $1.key }) {
        guard listed.isEmpty || listed.contains(member) else {
          throw .notSupported(
            "-o \(path).\(member): \(printer) supports \(listed.inWords(joinedBy: "or")).")
        }
        members.append(try attribute(member, value, path: "\(path).\(member)"))
      }
      return Attribute(name, .collection(members))
    }
  }

  /// Values of attributes whose -supported states none of them, but how many levels the printer maps them to (RFC 8011
  /// §5.2.1, PAPPL's print-darkness), or only true (PWG 5100.1, PWG 5100.4).
  private static let unstated: [String: ClosedRange<Int>] = [
    "job-priority": 1...100, "print-darkness": -100...100,
    "job-pages-per-set": 1...Int(Int32.max), "pages-per-subset": 1...Int(Int32.max),
  ]

  /// Returns the value of an attribute with any text, whose -supported is true or false (PWG 5100.3, 5100.11); nil for
  /// all others.
  private func unlistedValue(of option: PrintRequest.JobOption) -> Attribute.Value? {
    switch option.name {
    case "job-account-id", "job-accounting-user-id", "job-recipient-name": .name(option.value)
    case "job-message-to-operator", "job-sheet-message": .string(.text, option.value)
    default: nil
    }
  }

  /// Returns the attribute that makes the printer hold a job until a time: job-hold-until-time (PWG 5100.7), or the
  /// time of day in UTC, which CUPS accepts for job-hold-until.
  ///
  /// Exit 64 for a printer that supports neither.
  private func held(
    until end: Int?, _ option: PrintRequest.JobOption
  ) throws(Failure) -> Attribute {
    let name = "job-hold-until-time"
    let stated = capabilities.attributes.values("\(name)-supported")
    let isTaken = !stated.isEmpty && stated != [.boolean(false)]
    if let end, isTaken || capabilities.jobAttributes?.contains(name) == true {
      return Attribute(name, .dateTime(UTCTime(seconds: end).octets))
    }
    if let end, capabilities.attributes["cups-version"] != nil {
      return Attribute(option.name, .name(UTCTime(seconds: end).clock))
    }
    throw .notSupported(
      "\(option.typed): \(printer) can't hold jobs until a given time. \(Self.queueAdvice)")
  }

  private static let queueAdvice =
    "Queue it (airprint queue add), and have cron, at or a timer run airprint queue run then."

  private func value(
    _ text: String, of option: PrintRequest.JobOption, among supported: [Attribute.Value]
  ) throws(Failure) -> Attribute.Value {
    for candidate in supported {
      if let value = candidate.taking(text) { return value }
    }
    // media-col-supported and similar lists contain member names, not values; without a list, the printer decides.
    if supported.isEmpty {
      let ends = text.split(separator: "-").compactMap { Int($0) }
      let isRange = Self.ranges.contains { option.name.hasSuffix(".\($0)") }
      if let first = ends.first, let last = ends.last, first <= last, ends.count == 2 || isRange {
        return .range(first...last)
      }
      return Int(text).map { .integer($0) } ?? Bool(text).map { .boolean($0) } ?? .keyword(text)
    }
    let known = supported.map(\.words)
    let list = known.count == 1 ? "only \(known[0])." : "\(known.inWords(joinedBy: "or"))."
    let advice = option.name == "job-hold-until" ? " \(Self.queueAdvice)" : ""
    throw .notSupported("\(option.typed): \(printer) supports \(list)\(advice)")
  }
}

extension PrintRequest.JobOption {
  /// The option as a user types it.
  var typed: String {
    switch (name, value) {
    case ("finishings", "staple"), ("finishings", "punch"), ("finishings", "fold"): "--\(value)"
    case ("job-hold-until", "indefinite"): "--hold"
    case ("job-hold-until", _): "--hold \(value)"
    case ("job-priority", _): "--priority \(value)"
    default: "-o \(name)=\(value)"
    }
  }
}

extension Attribute.Value {
  /// Returns this supported value as the value that `text` names; nil if `text` names another one.
  fileprivate func taking(_ text: String) -> Attribute.Value? {
    switch self {
    case .integer(let listed): Int(text) == listed ? self : nil
    case .enumeration(let listed): Int(text) == listed ? self : nil
    case .range(let span): Int(text).flatMap { span.contains($0) ? .integer($0) : nil }
    case .string(_, let listed): text == listed ? self : nil
    case .boolean(let canBe):
      canBe ? ["true": .boolean(true), "false": .boolean(false)][text] : nil
    case .resolution(let listed):
      [listed.description, "\(listed.x)"].contains(text) ? self : nil
    case .octets, .dateTime, .collection, .none, .unknown: nil
    }
  }

  fileprivate var isNumber: Bool { if case .integer = self { true } else { false } }

  /// A supported value as a user would type it.
  fileprivate var words: String {
    switch self {
    case .integer(let value), .enumeration(let value): "\(value)"
    case .range(let span): "\(span.lowerBound) to \(span.upperBound)"
    case .string(_, let value): value
    case .boolean: "true or false"
    case .resolution(let value): value.description
    case .octets, .dateTime, .collection, .none, .unknown: "nothing that can be typed"
    }
  }
}
