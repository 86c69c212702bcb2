internal import PrintModel

extension Negotiator {
  /// Returns the Job Template attributes for Create-Job: each only if the printer supports it, with a value that it
  /// lists, in IPP's own syntax (a printer refuses `media` as a name: python-ipp#719).
  mutating func attributes(for ticket: Ticket) throws(Failure) -> [Attribute] {
    var job: [Attribute] = []
    func add(_ name: String, _ value: Attribute.Value, if listed: Bool = true) {
      if listed && capabilities.accepts(name) { job.append(Attribute(name, value)) }
    }
    if ticket.isRaw {
      if ticket.copies > 1 { copies(ticket, &job) }
      return try withOptions(job + turned)
    }
    job += media(for: ticket.paper) + firstPageOverride(ticket)
    add("sides", .keyword(ticket.sides.rawValue), if: capabilities.sides.contains(ticket.sides))
    add(
      "print-quality", .enumeration(ticket.quality.rawValue),
      if: capabilities.qualities.contains(ticket.quality))
    job += colorMode(ticket)
    let optimize = [.photo, .postcard].contains(ticket.type) ? "photo" : "auto"
    add(
      "print-content-optimize", .keyword(optimize),
      if: capabilities.contentOptimize.contains(optimize))
    let intent = [.photo, .postcard].contains(ticket.type) ? "perceptual" : "auto"
    add(
      "print-rendering-intent", .keyword(intent),
      if: capabilities.attributes.strings("print-rendering-intent-supported").contains(intent))
    job += trimming(ticket)
    // Pages drawn by airprint are already placed: a printer that would scale them again must be asked not to (cups#862).
    let isPlaced = !ticket.isPassedThrough || DocumentFormat.isRaster(ticket.format)
    let scaling = isPlaced ? Scaling.none : ticket.scaling
    add("print-scaling", .keyword(scaling.rawValue), if: capabilities.scalings.contains(scaling))
    if DocumentFormat.isRaster(ticket.format) {
      add(
        "printer-resolution", .resolution(ticket.resolution),
        if: capabilities.resolutions.contains(ticket.resolution))
    }
    if ticket.copies > 1, ticket.repeats == 1 { copies(ticket, &job) }
    if ticket.isPassedThrough, ticket.pages.count < document.pages.count {
      job.append(Attribute("page-ranges", ticket.pages.map { $0 + 1 }.runs.map { .range($0) }))
    }
    return try withOptions(job)
  }

  /// Adds the attributes of `-o`, which replace those that were chosen.
  private mutating func withOptions(_ chosen: [Attribute]) throws(Failure) -> [Attribute] {
    var job = chosen
    for theirs in preset.rest where !request.options.contains(where: { $0.name == theirs.name }) {
      guard theirs.name.hasPrefix("media-") || capabilities.accepts(theirs.name) else { continue }
      job = job.replacing(theirs)
      let words = theirs.values.map { $0.words(of: theirs.name) }.inWords()
      because("\(theirs.name): \(words), from the preset")
    }
    job = try addingAttributes(to: job)
    for option in request.options where option.name != "finishings" {
      let isUnheld = option.name == "job-hold-until" && option.value == "no-hold"
      // Printers that can't hold jobs need no attribute for not holding them.
      if isUnheld, !capabilities.accepts(option.name),
        capabilities.attributes.values("job-hold-until-supported").isEmpty
      {
        continue
      }
      let attribute = try attribute(for: option)
      job = job.filter { $0.name != Self.namesakes[attribute.name] }.adding(attribute)
    }
    return replaced(try finished(job))
  }

  /// Returns print-color-mode, or output-mode for older printers.
  private func colorMode(_ ticket: Ticket) -> [Attribute] {
    let keyword = ticket.colorKeyword
    if capabilities.colorModes.contains(keyword) {
      return [Attribute("print-color-mode", .keyword(keyword))]
    }
    if capabilities.colorModes.isEmpty, capabilities.outputModes.contains(keyword) {
      return [Attribute("output-mode", .keyword(keyword))]
    }
    return []
  }

  /// Adds the copies that the printer itself makes.
  private func copies(_ ticket: Ticket, _ job: inout [Attribute]) {
    job.append(Attribute("copies", .integer(ticket.copies)))
    let listed = capabilities.attributes.strings("multiple-document-handling-supported")
    if ticket.isUncollated, let uncollated {
      job.append(uncollated)
    } else if let handling = Negotiator.inSets.first(where: listed.contains) {
      job.append(Attribute("multiple-document-handling", .keyword(handling)))
    }
  }

  /// Returns exactly one of media-col and media: a job with both must be refused (libcups#95).
  ///
  /// If the printer's media-col does not support a size, the size is in `media`, unless a tray or a medium was
  /// requested.
  func media(for paper: Paper) -> [Attribute] {
    let name = capabilities.accepts("media") ? [Attribute("media", .keyword(paper.name))] : []
    guard !paper.column.isEmpty || !capabilities.mediaColumnMembers.isEmpty else { return name }
    let members = column(of: paper).filter { capabilities.takesMember($0.name) }
    let isSized = members.contains { $0.name.hasPrefix("media-size") }
    let isPlaced = request.tray != nil || request.mediaType != nil
    guard !members.isEmpty, isSized || isPlaced || name.isEmpty else { return name }
    return [Attribute("media-col", .collection(members))]
  }

  /// Returns the printer's own entry with its own numbers, member by member, and ranges narrowed to the choice.
  ///
  /// PAPPL compares them for equality; a hand-made entry is "Wrong roll type" to a QL-820 (williamkapke/ipp#86). A name
  /// without an entry is sent as its size, or as its name if the printer supports only that.
  private func column(of paper: Paper) -> [Attribute] {
    let stated = paper.statedSize
    let size = Attribute("media-size", .mediaSize(stated))
    let members = capabilities.mediaColumnMembers
    let isNamed = !members.contains("media-size") && members.contains("media-size-name")
    let known = isNamed ? Attribute("media-size-name", .keyword(paper.name)) : size
    let rest = paper.column.filter { $0.name != "media-size" && $0.name != "media-size-name" }
    return [known] + rest
  }
}

extension Paper {
  /// The size in the printer's own unit, which need not be IPP's.
  fileprivate var statedSize: MediaSize {
    let stated = AttributeSet(column).collections("media-size").first
    guard let width = stated?.spans("x-dimension").first?.upperBound, width > 0,
      !(0.4...2.5).contains(Double(width) / Double(max(1, size.width.count)))
    else { return size }
    let unit = Double(width) / Double(size.width.count)
    return MediaSize(
      width: Hundredths(width),
      length: Hundredths(Int((Double(size.length.count) * unit).rounded())))
  }
}

extension Capabilities {
  /// Returns true for members that are echoed: neither those that only a printer may state, nor those that it does not
  /// list.
  func takesMember(_ name: String) -> Bool {
    let theirs: Set<String> = ["media-key", "media-source-properties", "duplex-supported"]
    guard !theirs.contains(name) else { return false }
    return mediaColumnMembers.isEmpty || mediaColumnMembers.contains(name)
  }
}
