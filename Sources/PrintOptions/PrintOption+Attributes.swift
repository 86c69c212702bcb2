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
}
