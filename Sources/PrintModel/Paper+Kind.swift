// Kind of a medium, by the words that printers use for it. Vendors name their media freely (`com.hp.advanced-photo`,
// `HPGlossyPhoto`), so a word within the keyword counts.

extension Paper {
  package var isLabel: Bool { Paper.isLabel(type) || name.contains(anyOf: "label") }
  package var isDisc: Bool {
    type?.hasPrefix("disc") == true || name.hasPrefix("disc_") || source == "disc"
  }

  /// True for photo paper by its type, or anything in a photo tray.
  package var isPhotographic: Bool { Paper.isPhotographic(type) || source == "photo" }

  /// True for a sheet of a photo's size: up to 13x18 cm.
  package var isPhotoSized: Bool {
    !isRoll && min(size.width, size.length) <= 13_000 && max(size.width, size.length) <= 18_000
  }

  package var isEnvelope: Bool {
    Paper.isEnvelope(type) || source == "envelope" || MediaName.isEnvelope(name)
  }

  /// True for paper that is not meant for plain pages.
  package var isSpecial: Bool { specialStock != nil }

  /// True for coated stock: special for a document, but suitable for a picture.
  package var isCoated: Bool {
    type.map { Paper.isCoated($0) && !Paper.isSpecial($0) } ?? false
  }

  /// The printer's word for the property that distinguishes a paper from plain paper: `stationery-letterhead`,
  /// `yellow`, `250 g/m²`; nil for plain paper.
  ///
  /// It is the type, or a member of media-col that describes color, preprint, coating or weight (PWG 5100.7 §6.3).
  package var specialStock: String? {
    guard !isPostcard else { return nil }
    if let type, Paper.isSpecial(type) || Paper.isCoated(type) { return type }
    for (member, usual) in Paper.plainStock {
      guard case .string(_, let word)? = value(of: member) else { continue }
      if !word.isEmpty, !usual.contains(where: word.hasSuffix) { return word }
    }
    guard case .integer(let weight)? = value(of: "media-weight-metric"), weight > 163 else {
      return nil
    }
    return "\(weight) g/m²"
  }

  /// Suffixes of the words for plain paper, by member.
  private static let plainStock = [
    ("media-pre-printed", ["blank"]),
    ("media-color", ["white", "no-color", "unknown", "auto"]),
    ("media-front-coating", ["none", "unknown", "auto"]),
  ]

  private func value(of member: String) -> Attribute.Value? {
    column.first { $0.name == member }?.values.first
  }

  /// The members of its media-col that describe the medium, not the tray or how it is fed.
  package var stock: Set<Attribute> {
    let places = [
      "media-source", "media-source-properties", "media-key", "media-size", "media-size-name",
    ]
    return Set(column.filter { !places.contains($0.name) })
  }

  package var isPostcard: Bool {
    guard !isLabel else { return false }
    return isMailCard || ["iso_a6_", "na_index-4x6"].contains { name.hasPrefix($0) }
  }

  /// True for a card for mailing, not only by its size: Japanese ones with printed postage, and those reported as
  /// postcards.
  package var isMailCard: Bool {
    ["jpn_hagaki", "jpn_oufuku"].contains { name.hasPrefix($0) } || source == "hagaki"
      || type?.contains(anyOf: "hagaki", "postcard") == true
  }

  /// True for a sheet that drivers of receipt printers list for their roll: as wide as receipts, and at least two and a
  /// half times as long.
  package var isReceiptSheet: Bool {
    !isRoll && !isLabel && !isEnvelope && !isPhotographic && (4_800...8_300).contains(size.width)
      && size.length.count >= size.width.count * 5 / 2
  }

  /// True for a sheet on which A4 and Letter fit.
  package var holdsLetterOrA4: Bool {
    !isRoll && size.width >= 20_900 && size.length >= 27_840
  }

  /// True for ISO A2 or larger, or a roll of that width.
  package var isLarge: Bool {
    size.width >= 41_900 && (isRoll || size.length >= 59_300)
  }

  /// Returns true if two entries are the same loaded medium except for their margins: a sheet with and without borders.
  package func isTwin(of other: Paper) -> Bool {
    isRoll == other.isRoll && source == other.source && size.matches(other.size)
  }
}

// The same, only by a keyword of media-type-supported.
extension Paper {
  package static func isPhotographic(_ type: String?) -> Bool {
    guard let type = type?.lowercased() else { return false }
    // Glossy stock for laser printers is for brochures, and its keyword states the weight.
    let isBrochure = type.contains(
      anyOf: "brochure", "gsm", "heavy", "weight", "card", "trifold", "extra", "coated",
      "presentation")
    return type.contains(anyOf: "photo")
      || !isBrochure
        && type.contains(
          anyOf: "gloss", "luster", "lustre", "satin", "fine-art", "fineart", "baryta", "velvet",
          "museum")
  }

  /// Returns true for coated stock that is not called photo paper: for brochures, and for better pictures.
  static func isCoated(_ type: String) -> Bool {
    let type = type.lowercased()
    return !type.contains(anyOf: "uncoated")
      && type.contains(anyOf: "gloss", "satin", "matte", "coated")
  }

  /// Returns true for plain paper; stock without a description may be plain, too.
  package static func isPlain(_ type: String?) -> Bool {
    guard let type = type?.lowercased() else { return false }
    let isForPictures = type.contains(anyOf: "inkjet", "coated", "matte")
    return type.hasPrefix("stationery") && !isForPictures || type.contains(anyOf: "plain")
  }

  /// Returns true for stock that is not meant for plain pages.
  static func isSpecial(_ type: String) -> Bool {
    let type = type.lowercased()
    // Ricoh's color1 and color2.
    if type.contains(anyOf: "color"), type.last?.isNumber == true { return true }
    return type.contains(
      anyOf: "letterhead", "preprinted", "transparency", "brochure", "card", "cover", "film",
      "fabric", "textile", "canvas", "etching", "shelf-edge", "tab-stock", "cut-tabs", "multi-part",
      "multi-layer", "colored", "adhesive", "transfer", "iron-on", "t-shirt", "magnet", "foil",
      "vellum", "carbonless", "laminat", "board", "glass", "metal", "wall", "plate", "tape",
      "waxed")
  }

  package static func isLabel(_ type: String?) -> Bool {
    type?.lowercased().contains(anyOf: "label") == true
  }

  package static func isEnvelope(_ type: String?) -> Bool {
    type?.lowercased().contains(anyOf: "envelope") == true
  }

  /// Returns true for the stock of thermal printers, as drivers name it.
  package static func isThermal(_ type: String?) -> Bool {
    guard let type = type?.lowercased() else { return false }
    return type.contains(anyOf: "thermal") || type == "direct"
  }

  /// Returns true for endless media: PWG 5101.1's `continuous` and `…-continuous`, not its fan-fold `continuous-long`.
  package static func isContinuous(_ type: String?) -> Bool {
    guard let type = type?.lowercased() else { return false }
    return type.hasSuffix("continuous") || type == "roll"
  }
}

extension MediaName {
  /// Returns true for the rolls that LPrint names: `oe_3.125-receipt_80x1000mm`.
  package static func isReceipt(_ name: String) -> Bool { name.contains(anyOf: "-receipt_") }

  /// Returns true for the envelopes of PWG 5101.1.
  package static func isEnvelope(_ name: String) -> Bool {
    name.contains(
      anyOf: "number-", "_dl_", "_c4_", "_c5_", "_c6_", "_c6c5_", "monarch", "personal", "_you",
      "_chou", "_kaku", "prc_", "invite", "italian")
      && !name.hasPrefix("prc_16k") && !name.hasPrefix("prc_32k")
  }
}

extension MediaSize {
  static let a4 = MediaSize(width: 21_000, length: 29_700)
  static let letter = MediaSize(width: 21_590, length: 27_940)

  /// True for A4 or Letter, in either orientation, within 1.76 mm.
  package var isOfficeSheet: Bool {
    [MediaSize.a4, .letter].contains { matchesEitherWay($0, within: MediaSize.close) }
  }
}
