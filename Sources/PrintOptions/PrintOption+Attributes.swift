internal import PrintModel

extension PrintOption {
  /// The attributes, or members of media-col, that options stand for: those for labels (PAPPL, LPrint; for
  /// media-top-offset and media-tracking PWG 5100.7 §6.3.1), output-bin (PWG 5100.2), and who pays (PWG 5100.7 §6.8).
  static let attributes: [PrintOption: String] = [
    .darkness: "print-darkness", .speed: "print-speed", .labelMode: "label-mode",
    .tearOffset: "label-tear-offset", .topOffset: "media-top-offset",
    .mediaTracking: "media-tracking", .outputBin: "output-bin",
    .account: "job-account-id", .accountType: "job-account-type",
    .accountUser: "job-accounting-user-id",
  ]

  /// The usual keywords of label-mode and media-tracking.
  package static let usualLabelModes = [
    "applicator", "cutter", "cutter-delayed", "kiosk", "peel-off", "peel-off-prepeel", "rewind",
    "rfid", "tear-off",
  ]
  package static let usualTrackings = ["continuous", "gap", "mark", "web"]

  /// The usual keywords of job-account-type (PWG 5100.7 §6.8.3).
  package static let usualAccountTypes = ["general", "group", "none"]

  /// The usual keywords of output-bin (PWG 5100.2 §2.1).
  package static let usualOutputBins = [
    "top", "middle", "bottom", "side", "left", "right", "center", "rear", "face-up", "face-down",
    "large-capacity", "my-mailbox", "mailbox-1", "stacker-1", "tray-1",
  ]

  /// Parses the value of an option in `attributes`: lengths in 1/100 mm, darkness in percent.
  func attribute(_ text: String) throws(Failure) -> Attribute {
    let name = Self.attributes[self] ?? rawValue
    let word = text.lowercased()
    switch self {
    case .darkness:
      guard let percent = Int(word.hasSuffix("%") ? word.dropLast() : word[...]),
        (0...100).contains(percent)
      else { throw refuse(text, "takes a percentage from 0 to 100") }
      return Attribute(name, .integer(percent))
    case .speed:
      guard let speed = MediaName.length(word), (1...200_000).contains(speed) else {
        throw refuse(text, "takes a length for each second (100mm or 4in)")
      }
      return Attribute(name, .length(speed))
    case .tearOffset, .topOffset:
      let isNegative = word.hasPrefix("-")
      let length = isNegative ? word.dropFirst() : word[...]
      guard let offset = length == "0" ? 0 : MediaName.length(length), offset <= 100_000 else {
        throw refuse(text, "takes a length (2mm, -1.5mm)")
      }
      return Attribute(name, .integer(isNegative ? -offset.count : offset.count))
    case .account, .accountUser: return Attribute(name, .name(try self.name(text)))
    case .accountType: return Attribute(name, .keyword(try self.name(word)))
    default: return Attribute(name, .keyword(word))
    }
  }

  /// Parses `--margins`: one length for all sides, two for top and bottom, left and right, or four for top, right,
  /// bottom, left, as in CSS.
  func margins(_ text: String) throws(Failure) -> Margins {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let lengths = parts.compactMap { PrintOption.length($0) }
    let orders = [1: [0, 0, 0, 0], 2: [0, 1, 0, 1], 4: [0, 1, 2, 3]]
    if lengths.count == parts.count, let order = orders[parts.count] {
      let sides = order.map { lengths[$0] }
      return Margins(top: sides[0], bottom: sides[2], left: sides[3], right: sides[1])
    }
    if orders[parts.count] != nil,
      parts.allSatisfy({ Double($0).map { $0.isFinite && $0 >= 0 } == true })
    {
      let guess = parts.map { $0 == "0" ? "0" : "\($0)mm" }.joined(separator: ",")
      throw refuse(text, "a length needs its unit (\(guess))")
    }
    throw refuse(
      text,
      "takes lengths with their unit (36pt, 10mm, 0.5in): one for all sides, two (top and bottom, "
        + "left and right) or four (top, right, bottom, left); separated by commas")
  }

  /// Parses a length with its unit, or 0; nil for anything else.
  static func length(_ text: some StringProtocol) -> Hundredths? {
    text == "0" ? 0 : MediaName.length(text.lowercased())
  }

  /// Parses `--header` and `--footer`; an empty text removes that of a setting.
  func runningText(_ text: String) throws(Failure) -> RunningText? {
    do {
      let running = try RunningText(text)
      return running.isEmpty ? nil : running
    } catch {
      throw refuse(text, error.description)
    }
  }

  /// Applies `--overlay` and `--underlay`, which are cumulative; `none` removes those of settings.
  ///
  /// Exit 64 for a text that ends with a malformed list of options, which would be printed otherwise.
  func applyStamp(_ text: String, to request: inout PrintRequest) throws(Failure) {
    let isBelow = self == .underlay
    if text == "none" {
      request.stamps.removeAll { $0.isBelow == isBelow }
    } else {
      let stamp = Stamp(text, isBelow: isBelow)
      if case .text = stamp.source, let misread = stamp.misread {
        throw refuse(text, misread)
      }
      request.stamps.append(stamp)
    }
  }

  /// True for an option that may be given several times with cumulative effect.
  package var isRepeatable: Bool { [.overlay, .underlay, .option].contains(self) }
}
