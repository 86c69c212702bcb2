package import PrintModel

extension PrintOption {
  /// Applies `-o NAME=VALUE`.
  ///
  /// If airprint has an option for the name that RFC 8011 §5.2, CUPS or a PPD uses, that option is applied: it decides
  /// how pages are drawn, so a job attribute would not suffice, and nothing is sent that the printer does not list. Any
  /// other name is a job attribute, which is sent to the printer.
  ///
  /// As with `lp`, a name alone means true and with the prefix `no` false (`landscape`, `nocollate`), one argument may
  /// contain several (`"media=A4 landscape"`), and quotes around a value are not part of it (`media="A4"`).
  func applyJobOption(
    _ text: String, to request: inout PrintRequest, from file: String?
  ) throws(Failure) {
    let words = PrintOption.words(of: text)
    guard words.count > 1, words.allSatisfy({ LpName($0)?.meaning != nil }) else {
      return try applyOne(words.count == 1 ? words[0] : text, to: &request, from: file)
    }
    for word in words { try applyOne(word, to: &request, from: file) }
  }

  /// Splits at spaces and removes quotes, as cupsParseOptions(3) does.
  ///
  /// Within quotes and braces, a space is itself, as is what follows a backslash; a quote that does not end is an
  /// apostrophe. Another `-o` before a word adds nothing.
  private static func words(of text: String) -> [String] {
    var words = [""]
    var quote: Character?
    var depth = 0
    var isEscaped = false
    for character in text {
      if quote == nil, !isEscaped { depth += character == "{" ? 1 : character == "}" ? -1 : 0 }
      if isEscaped || depth > 0 {
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
        continue
      } else if character == quote {
        quote = nil
        continue
      } else if quote == nil, character == " " {
        words.append("")
        continue
      } else if quote == nil, character == "\"" || character == "'" {
        quote = character
        continue
      }
      words[words.count - 1].append(character)
    }
    return quote == nil ? words.filter { !$0.isEmpty && $0 != "-o" } : [text]
  }

  private func applyOne(
    _ text: String, to request: inout PrintRequest, from file: String?
  ) throws(Failure) {
    guard let name = LpName(text) else {
      throw refuse(text, "takes NAME=VALUE, a job attribute and its value")
    }
    let value = name.value.lowercased()
    switch name.meaning {
    case nil where name.text == "media-col":
      throw refuse(text, "takes a medium's members one by one (-o media-col.media-top-offset=100)")
    case nil where name.isOfPage:
      throw refuse(text, "--paper chooses the size, --borderless and --no-borderless the margins")
    case nil: request.options.append(PrintRequest.JobOption(name: name.text, value: name.value))
    case .option(.scaling, let words) where words[value] == nil && PrintOption.isPercentage(value):
      throw refuse(text, PrintOption.noPercentages)
    case .option(.orientation, _) where value == "5":
      throw refuse(text, "--orientation landscape --rotate 180 turns pages the other way")
    case .option(.orientation, _) where value == "6":
      try PrintOption.rotate.apply("180", to: &request, from: file)
    case .option(let option, let words):
      try option.apply(words[value] ?? name.value, to: &request, from: file)
    case .usual(let usual, let otherwise):
      guard usual.contains(value) else { throw refuse(text, otherwise) }
    case .copyOrder(let collated, let uncollated):
      guard collated.contains(value) || value == uncollated else {
        throw refuse(text, "takes \(collated[0]) or \(uncollated)")
      }
      request.isUncollated = value == uncollated
    case .printers(let usual):
      guard !usual.contains(value) else { return }
      request.options.append(PrintRequest.JobOption(name: name.text, value: name.value))
    case .raw where value.contains("/"):
      request.isRaw = true
      request.from = name.value
    case .raw: request.isRaw = try boolean(value)
    case .documentType where value == DocumentFormat.octets: break
    case .documentType where value == DocumentFormat.cupsRaw: request.isRaw = true
    case .documentType: request.from = name.value
    case .medium: try applyMedium(name.value, to: &request, from: file)
    case .margin(let side):
      guard let points = Double(name.value), (0...14_400).contains(points) else {
        throw refuse(text, "takes a number of points; --margins sets all sides")
      }
      var margins = request.margins ?? Margins()
      margins[keyPath: side] = Hundredths(points: points)
      request.margins = margins
      request.give(PrintOption.margins.rawValue, from: file)
    }
  }

  /// Makes the option that decides about a job attribute, or about a member of media-col; nil: none does.
  package init?(attribute name: String) {
    switch LpMeaning.of[name] {
    case .option(let option, _): self = option
    case .medium: self = .paper
    default:
      if let option = Self.attributes.first(where: { $0.value == name })?.key {
        self = option
        return
      }
      if ["media-size", "media-size-name"].contains(name) {
        self = .paper
      } else if name.hasPrefix("media-"), name.hasSuffix("-margin") {
        self = .borderless
      } else {
        return nil
      }
    }
  }

  /// Applies values of the attribute that this option decides about: `sides` two-sided-long-edge, or all margins.
  ///
  /// - `file`: where they come from, as in settings; nil if they count as typed.
  package func apply(
    _ attributes: [Attribute], to request: inout PrintRequest, from file: String? = nil
  ) throws(Failure) {
    guard self != .borderless else {
      request.borderless = attributes.allSatisfy { $0.values == [.integer(0)] }
      return request.give(rawValue, from: file)
    }
    for attribute in attributes {
      guard let value = attribute.values.first else { continue }
      let option: String =
        switch value {
        case .resolution(let resolution): "\(attribute.name)=\(resolution)"
        case .collection: "media=\(value.mediaSize.map(MediaName.name) ?? "")"
        default: "\(attribute.name)=\(value.string ?? value.number.map { "\($0)" } ?? "")"
        }
      try applyOne(option, to: &request, from: file)
    }
  }

  /// The sentence about a name that `lp -o` takes and airprint has no option for, with or without `no-` before it; nil
  /// for any other name.
  package static func advice(forLpName name: String) -> String? {
    let plain = name.hasPrefix("no-") ? String(name.dropFirst(3)) : name
    return switch LpMeaning.of[plain] {
    case .usual(_, let otherwise): otherwise
    case .copyOrder: "copies are collated; -o collate=false prints all copies of a page together"
    default: nil
    }
  }

  /// Returns true for words that are meant for `-o` of `print`: `media=A5`, `fit-to-page`.
  package static func isJobOption(_ text: String) -> Bool {
    guard text.contains("=") else { return lpNames.contains(text.lowercased()) }
    return LpName(text).map { $0.meaning != nil || $0.text.lowercased() == "finishings" } ?? false
  }

  static let noPercentages =
    "percentages are not supported; --scaling takes fit, fill or none, and --paper a size"

  static func isPercentage(_ text: String) -> Bool {
    Double(text.hasSuffix("%") ? text.dropLast() : text[...]) != nil
  }

  /// Applies `media=SIZE,SOURCE,TYPE` in any order, as in CUPS, with the names from PPDs.
  private func applyMedium(
    _ text: String, to request: inout PrintRequest, from file: String?
  ) throws(Failure) {
    func give(_ option: PrintOption) { request.give(option.rawValue, from: file) }
    var papers: [MediaSelector] = []
    for part in text.split(separator: ",").map(String.init) {
      var word = part.lowercased()
      for ending in [".borderless", ".fullbleed", ".fb"] where word.hasSuffix(ending) {
        word.removeLast(ending.count)
        request.borderless = true
        give(.borderless)
      }
      if let paper = MediaSelector(ppd: word, asked: part) {
        papers.append(paper)
      } else if let tray = LpName.trays[word] ?? LpName.tray(word) {
        request.tray = tray
        give(.tray)
      } else if let type = Self.mediaTypes[word]
        ?? Self.usualMediaTypes.first(where: { $0 == word })
      {
        request.mediaType = type
        give(.mediaType)
      } else {
        papers.append(try MediaSelector(part))
      }
    }
    guard !papers.isEmpty else { return }
    request.paper = papers
    give(.paper)
  }

  /// The options that are most often used with `lp -o`, for completion.
  ///
  /// Nothing but a whole value keeps shells from offering files after `=`.
  package static let lpNames = [
    "fit-to-page", "landscape", "media=A4", "media=A5", "media=Letter", "media=Legal", "media=4x6",
    "number-up=2", "number-up=4", "page-ranges=", "print-color-mode=color",
    "print-color-mode=monochrome",
    "print-quality=3", "print-quality=4", "print-quality=5", "sides=one-sided",
    "sides=two-sided-long-edge", "sides=two-sided-short-edge",
    "job-hold-until=indefinite", "job-hold-until=night", "job-priority=50", "finishings=staple",
    "finishings=punch", "finishings=fold",
  ]

  /// The most common media-source keywords (PWG 5100.3 §3.13.3).
  package static let usualTrays = [
    "auto", "main", "alternate", "manual", "by-pass-tray", "tray-1", "tray-2", "tray-3", "tray-4",
    "top", "middle", "bottom", "large-capacity", "rear", "envelope", "photo", "disc", "main-roll",
    "alternate-roll",
  ]

  /// Names of media-type keywords in PPDs, in lowercase.
  package static let mediaTypes = [
    "plain": "stationery", "thick": "stationery-heavyweight", "letterhead": "stationery-letterhead",
    "glossy": "photographic-glossy", "photo": "photographic", "photopaper": "photographic",
    "matte": "photographic-matte",
  ]

  /// The most common media-type keywords (PWG 5100.3 §3.13.2).
  package static let usualMediaTypes = [
    "stationery", "stationery-heavyweight", "stationery-letterhead", "cardstock", "envelope",
    "labels", "labels-continuous", "continuous", "photographic", "photographic-glossy",
    "photographic-matte", "transparency",
  ]
}

/// One `NAME=VALUE`, `NAME` or `noNAME` as accepted by `lp -o`.
struct LpName {
  /// The name as typed.
  let text: String
  let value: String
  let meaning: LpMeaning?

  /// Parses an option; nil if it is neither a name with a value nor a name that needs none.
  init?(_ text: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    // A medium's members have names of their own.
    let isMember = parts[0].hasPrefix("media-col.")
    self.text = String(isMember ? parts[0].dropFirst("media-col.".count) : parts[0])
    let word = self.text.lowercased()
    if parts.count == 2 {
      guard !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
      value = String(parts[1])
      meaning = LpMeaning.of[word]
    } else if let known = LpMeaning.of[word] {
      value = "true"
      meaning = known
    } else if word.hasPrefix("no"), let known = LpMeaning.of[String(word.dropFirst(2))] {
      value = "false"
      meaning = known
    } else {
      return nil
    }
  }

  /// True for a member of a medium for which pages are laid out.
  var isOfPage: Bool {
    let option = PrintOption(attribute: String(text.prefix { $0 != "." }))
    return option == .paper || option == .borderless
  }

  /// Names of trays in PPDs and in CUPS' documentation.
  static let trays = [
    "upper": "top", "lower": "bottom", "multipurpose": "by-pass-tray", "bypass": "by-pass-tray",
    "mp": "by-pass-tray", "manualfeed": "manual", "largecapacity": "large-capacity",
    "roll": "main-roll",
  ]

  /// Returns the tray with this name, or with one that differs in hyphens (`Tray2`).
  static func tray(_ word: String) -> String? {
    if word.hasPrefix("tray"), let number = Int(word.drop { !$0.isNumber }) {
      return "tray-\(number)"
    }
    return PrintOption.usualTrays.first { $0 == word }
  }
}

extension MediaSelector {
  /// Parses a size as written in PPDs and by CUPS: `A4`, `Custom.10x15cm`, `w288h432` (points), or any that `--paper`
  /// accepts.
  fileprivate init?(ppd word: String, asked: String) {
    var word = word
    if word.hasPrefix("custom.") {
      word.removeFirst("custom.".count)
    } else if word.hasPrefix("w"), let h = word.firstIndex(of: "h") {
      let sides = [word[..<h].dropFirst(), word[h...].dropFirst()]
      guard sides.allSatisfy({ Int($0) != nil }) else { return nil }
      word = "\(sides[0])x\(sides[1])pt"
    } else if word.hasPrefix("env"), word != "env10" {
      word.removeFirst("env".count)
    }
    guard let selector = try? MediaSelector(word, asked: asked) else { return nil }
    self = selector
  }
}
