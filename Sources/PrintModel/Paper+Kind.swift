// Kind of a medium, by the words that printers have for it. Vendors name their media as they like
// (`com.hp.advanced-photo`, `HPGlossyPhoto`), so a word inside the keyword counts.

extension Paper {
  package var isLabel: Bool { Paper.isLabel(type) || name.contains("label") }
  package var isDisc: Bool {
    type?.hasPrefix("disc") == true || name.hasPrefix("disc_") || source == "disc"
  }

  /// Photo paper by its type, or whatever lies in a tray for photos.
  package var isPhotographic: Bool { Paper.isPhotographic(type) || source == "photo" }

  /// A sheet of a photo's size: up to 13x18 cm.
  package var isPhotoSized: Bool {
    !isRoll && min(size.width, size.length) <= 13_000 && max(size.width, size.length) <= 18_000
  }

  package var isEnvelope: Bool {
    Paper.isEnvelope(type) || source == "envelope" || MediaName.isEnvelope(name)
  }

  /// Paper that somebody loaded for something else than plain pages.
  package var isSpecial: Bool { specialStock != nil }

  /// Coated stock: special for a document, and as good as any for a picture.
  package var isCoated: Bool {
    type.map { Paper.isCoated($0) && !Paper.isSpecial($0) } ?? false
  }

  /// The printer's word for what sets a paper apart from plain paper: `stationery-letterhead`, `yellow`, `250 g/m²`; nil
  /// for plain paper.
  ///
  /// It is the type, or a member of media-col by which the paper is colored, printed on, coated or heavy (PWG
  /// 5100.7 §6.3).
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

  /// Ends of the words of plain paper, by member.
  private static let plainStock = [
    ("media-pre-printed", ["blank"]),
    ("media-color", ["white", "no-color", "unknown", "auto"]),
    ("media-front-coating", ["none", "unknown", "auto"]),
  ]

  private func value(of member: String) -> Attribute.Value? {
    column.first { $0.name == member }?.values.first
  }

  /// The members of its media-col that say what lies in the tray, not in which tray or how it is fed from there.
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

  /// A card that somebody loaded to be mailed, by more than its size: Japan's with the postage on it, and what is said to
  /// be a postcard.
  package var isMailCard: Bool {
    ["jpn_hagaki", "jpn_oufuku"].contains { name.hasPrefix($0) } || source == "hagaki"
      || type?.contains("hagaki") == true || type?.contains("postcard") == true
  }

  /// A sheet for a roll's worth of lines, as drivers of receipt printers list it: as wide as receipts are, and at least
  /// two and a half times as long.
  package var isReceiptSheet: Bool {
    !isRoll && !isLabel && !isEnvelope && !isPhotographic && (4_800...8_300).contains(size.width)
      && size.length.count >= size.width.count * 5 / 2
  }

  /// A sheet that A4 and Letter fit on.
  package var holdsLetterOrA4: Bool {
    !isRoll && size.width >= 20_900 && size.length >= 27_840
  }

  /// ISO A2 or more, or a roll that wide.
  package var isLarge: Bool {
    size.width >= 41_900 && (isRoll || size.length >= 59_300)
  }

  /// True when two entries are one loaded medium but for their margins: a sheet with and without
  /// borders.
  package func isTwin(of other: Paper) -> Bool {
    isRoll == other.isRoll && source == other.source
      && size.matches(other.size, within: MediaSize.near)
  }
}

// The same by a keyword of media-type-supported alone.
extension Paper {
  package static func isPhotographic(_ type: String?) -> Bool {
    guard let type = type?.lowercased() else { return false }
    // Glossy stock for lasers is for brochures, and states its weight.
    let isBrochure = [
      "brochure", "gsm", "heavy", "weight", "card", "trifold", "extra", "coated", "presentation",
    ].contains { type.contains($0) }
    let words = [
      "gloss", "luster", "lustre", "satin", "fine-art", "fineart", "baryta", "velvet", "museum",
    ]
    return type.contains("photo") || !isBrochure && words.contains { type.contains($0) }
  }

  /// Coated stock that nobody calls photo paper: for brochures, and for better pictures.
  static func isCoated(_ type: String) -> Bool {
    let type = type.lowercased()
    return !type.contains("uncoated")
      && ["gloss", "satin", "matte", "coated"].contains { type.contains($0) }
  }

  /// Plain paper; stock without a description may be plain.
  package static func isPlain(_ type: String?) -> Bool {
    guard let type = type?.lowercased() else { return false }
    let isForPictures = ["inkjet", "coated", "matte"].contains { type.contains($0) }
    return type.hasPrefix("stationery") && !isForPictures || type.contains("plain")
  }

  /// Stock for something else than plain pages.
  static func isSpecial(_ type: String) -> Bool {
    let type = type.lowercased()
    let words = [
      "letterhead", "preprinted", "transparency", "brochure", "card", "cover", "film", "fabric",
      "textile", "canvas", "etching", "shelf-edge", "tab-stock", "cut-tabs", "multi-part",
      "multi-layer", "colored", "adhesive", "transfer", "iron-on", "t-shirt", "magnet", "foil",
      "vellum", "carbonless", "laminat", "board", "glass", "metal", "wall", "plate", "tape",
      "waxed",
    ]
    // Ricoh's color1 and color2.
    let isNumberedColor = type.contains("color") && type.last?.isNumber == true
    return isNumberedColor || words.contains { type.contains($0) }
  }

  package static func isLabel(_ type: String?) -> Bool {
    type?.lowercased().contains("label") == true
  }

  package static func isEnvelope(_ type: String?) -> Bool {
    type?.lowercased().contains("envelope") == true
  }

  /// The stock of thermal printers, as drivers name it.
  package static func isThermal(_ type: String?) -> Bool {
    guard let type = type?.lowercased() else { return false }
    return type.contains("thermal") || type == "direct"
  }

  /// Endless: PWG 5101.1's `continuous` and `…-continuous`, not its fan-fold `continuous-long`.
  package static func isContinuous(_ type: String?) -> Bool {
    guard let type = type?.lowercased() else { return false }
    return type.hasSuffix("continuous") || type == "roll"
  }
}

extension MediaName {
  /// The envelopes of PWG 5101.1.
  package static func isEnvelope(_ name: String) -> Bool {
    [
      "number-", "_dl_", "_c4_", "_c5_", "_c6_", "_c6c5_", "monarch", "personal", "_you", "_chou",
      "_kaku", "prc_", "invite", "italian",
    ].contains { name.contains($0) } && !name.hasPrefix("prc_16k") && !name.hasPrefix("prc_32k")
  }
}

extension MediaSize {
  static let a4 = MediaSize(width: 21_000, length: 29_700)
  static let letter = MediaSize(width: 21_590, length: 27_940)

  /// A4 or Letter, either way round, within 1.76 mm.
  package var isOfficeSheet: Bool {
    [MediaSize.a4, .letter].contains {
      matches($0, within: MediaSize.close) || rotated.matches($0, within: MediaSize.close)
    }
  }
}
