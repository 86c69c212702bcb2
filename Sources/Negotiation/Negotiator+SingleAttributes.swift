internal import PrintModel
internal import PrintOptions

// Options that are one attribute of the job or one member of its media-col: those of label printers, output-bin, and
// those of accounts.

extension Negotiator {
  /// Returns the job with the attributes of such options, each only if the printer supports it for jobs.
  ///
  /// Exit 64 for a typed one that it does not support; a setting is left out, with a reason.
  mutating func addingAttributes(to chosen: [Attribute]) throws(Failure) -> [Attribute] {
    var job = chosen
    for (name, wish) in request.attributes.sorted(by: { $0.key < $1.key }) {
      guard let option = PrintOption(rawValue: name) else { continue }
      if let problem = problem(wish) {
        try leaveOut(option, "\(printer) \(problem)")
        continue
      }
      let attribute = Attribute(wish.name, wish.values.map { asSent($0, of: wish.name) })
      because(
        "\(name): \(wish.values.map { Self.words($0, of: wish.name) }.inWords())\(askedFor(option))"
      )
      job = job.adding(attribute)
    }
    return job
  }

  /// Returns why a job can't have this attribute; nil if it can.
  private func problem(_ wish: Attribute) -> String? {
    var listed = capabilities.attributes.values("\(wish.name)-supported")
    if listed.isEmpty, wish.values.first?.string != nil {
      // Keywords of media-col that its entries state are those that there are.
      listed =
        (capabilities.ready + capabilities.possible).flatMap(\.column)
        .filter { $0.name == wish.name }.flatMap(\.values).unique
    }
    let isMember = wish.name.hasPrefix("media-")
    // Any text is a value of an account, and -supported says if there is one.
    let isText = listed == [.boolean(true)]
    let isForJobs =
      isMember
      ? capabilities.mediaColumnMembers.contains(wish.name)
        && (!listed.isEmpty || wish.values.first?.string == nil)
      : listed != [.boolean(false)]
        && (isText || capabilities.mandatory.contains(wish.name)
          || capabilities.jobAttributes?.contains(wish.name) ?? !listed.isEmpty)
    guard isForJobs else {
      // PAPPL lists label-mode-supported for a setting of the printer, label-mode-configured.
      return listed.isEmpty
        ? "has no such setting" : "has it as a setting of its own, and accepts no other from jobs"
    }
    guard wish.name != "print-darkness", !isText, !listed.isEmpty, let value = wish.values.first,
      !listed.contains(where: { $0.includes(value) })
    else { return nil }
    return "supports only \(listed.map { Self.words($0, of: wish.name) }.inWords())"
  }

  /// Returns a value as it is sent: print-darkness is relative to printer-darkness-configured, from -100 to 100 (PAPPL,
  /// whose -supported is a number of levels); without that setting, it is one of the listed range, and always in that.
  private func asSent(_ value: Attribute.Value, of name: String) -> Attribute.Value {
    guard name == "print-darkness", let percent = value.number else {
      // Some list names instead of keywords (output-bin: PWG 5100.2 §2.1).
      let listed = capabilities.attributes.values("\(name)-supported")
      return listed.first { $0.string != nil && $0.string == value.string } ?? value
    }
    let own = capabilities.attributes.number("printer-darkness-configured")
    let listed = capabilities.attributes.spans("\(name)-supported").first { $0.count > 1 }
    let span = listed ?? -100...100
    let wish =
      own == nil && listed != nil
      ? span.lowerBound + (span.upperBound - span.lowerBound) * percent / 100
      : percent - max(0, min(100, own ?? 50))
    return .integer(max(span.lowerBound, min(span.upperBound, wish)))
  }

  private static func words(_ value: Attribute.Value, of name: String) -> String {
    if let text = value.string { return text }
    func words(_ number: Int) -> String {
      if name == "print-darkness" { return "\(number) %" }
      return Hundredths(number).inMillimeters + (name == "print-speed" ? "/s" : "")
    }
    guard let span = value.span else { return "nothing" }
    return span.count == 1
      ? words(span.lowerBound) : "\(words(span.lowerBound)) to \(words(span.upperBound))"
  }
}

extension Attribute.Value {
  /// Returns true for the same value, or one in this range.
  fileprivate func includes(_ value: Attribute.Value) -> Bool {
    if let number = value.number, let span { return span.contains(number) }
    return string.map { $0 == value.string } ?? (self == value)
  }
}
