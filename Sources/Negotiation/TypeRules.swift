internal import PrintModel

/// What a job type asks for where options and settings are silent: design's table, a row a case.
struct TypeRules {
  let type: JobType

  init(_ type: JobType) { self.type = type }

  var quality: Quality {
    switch type {
    case .photo, .postcard, .disc: .high
    default: .normal
    }
  }

  var color: PrintRequest.ColorWish {
    switch type {
    case .photo, .postcard, .disc: .color
    case .receipt, .label: .gray
    default: .auto
    }
  }

  /// Photos and their like go to the edge where a loaded entry allows it.
  var prefersBorderless: Bool { [.photo, .postcard, .disc].contains(type) }

  func scaling(on paper: Paper) -> Scaling {
    switch type {
    case .photo, .postcard: paper.isBorderless ? .fill : .fit
    case .disc: .fill
    case .label: .none
    case .receipt: .autoFit
    case .roll: .fit
    case .document, .envelope, .largeFormat: .auto
    }
  }

  /// How well a medium suits the type: 0 is made for it, 1 will do, 2 is only for want of another.
  func rank(_ paper: Paper) -> Int {
    switch type {
    case .document:
      paper.isLabel || paper.isDisc || paper.isRoll ? 2 : 0
    case .photo: paper.isPhoto ? 0 : paper.isLabel || paper.isEnvelope || paper.isRoll ? 2 : 1
    case .postcard: paper.isPostcard ? 0 : paper.isPhoto ? 1 : 2
    case .envelope: paper.isEnvelope ? 0 : paper.isRoll ? 2 : 1
    case .label: paper.isLabel ? 0 : paper.isRoll ? 1 : 2
    case .receipt: paper.isRoll ? (paper.isLabel ? 1 : 0) : 2
    case .roll: paper.isRoll ? 0 : 2
    case .largeFormat: paper.isLarge ? 0 : 2
    case .disc: paper.isDisc ? 0 : 2
    }
  }

  /// Whether one of the printer's media could serve the type, whatever its kinds say.
  func isServed(by paper: Paper) -> Bool {
    type == .document ? !paper.isRoll : rank(paper) == 0
  }
}

extension Paper {
  var isLabel: Bool { type?.hasPrefix("labels") == true }
  var isDisc: Bool { type?.hasPrefix("disc") == true || name.hasPrefix("disc_") }
  var isPhoto: Bool {
    type?.hasPrefix("photographic") == true || source == "photo"
      || !isRoll && !isLabel && !isEnvelope && size.width <= 13_000 && size.length <= 18_000
  }
  var isEnvelope: Bool {
    type?.hasPrefix("envelope") == true || source == "envelope"
      || ["number-", "_dl_", "_c5_", "_c6_", "_c4_", "monarch", "_you", "_chou", "_kaku"]
        .contains { name.contains($0) }
  }
  var isPostcard: Bool {
    ["jpn_hagaki", "jpn_oufuku", "iso_a6_", "na_index-4x6"].contains { name.hasPrefix($0) }
      || source == "hagaki" || type?.contains("hagaki") == true
      || type?.contains("postcard") == true
  }
  /// ISO A2 or more, or a roll that wide.
  var isLarge: Bool {
    size.width >= 41_900 && (isRoll || size.length >= 59_300)
  }
}
