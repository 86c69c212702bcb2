internal import PrintModel

/// Defaults of a job type where options and settings are silent: airprint(1), DEFAULTS, a row a
/// case.
struct TypeRules {
  let type: JobType

  init(_ type: JobType) { self.type = type }

  var quality: Quality {
    switch type {
    case .photo, .postcard, .disc: .high
    default: .normal
    }
  }

  var color: PrintRequest.ColorOption {
    switch type {
    case .photo, .postcard, .disc: .color
    case .receipt: .gray
    default: .auto
    }
  }

  /// Photos and their like go to the edge where a loaded entry allows it.
  var prefersBorderless: Bool { [.photo, .postcard, .disc].contains(type) }

  /// Only a picture is cropped to fill its sheet.
  func scaling(on paper: Paper, isPicture: Bool) -> Scaling {
    switch type {
    case .photo, .postcard: isPicture && paper.isBorderless ? .fill : .fit
    case .disc: isPicture ? .fill : .fit
    case .receipt: .autoFit
    case .roll: .fit
    case .document, .envelope, .label, .largeFormat: .auto
    }
  }

  /// Suitability of a medium for the type: 0 is made for it, 1 will do, 2 is only for want of
  /// another, 3 is for nothing else than its own type.
  func rank(_ paper: Paper) -> Int {
    if paper.isDisc { return type == .disc ? 0 : 3 }
    switch type {
    case .document:
      return paper.isLabel || paper.isRoll || paper.isEnvelope
        ? 2 : paper.isPhotographic || paper.isSpecial || paper.isMailCard ? 1 : 0
    case .photo:
      return paper.isPhoto
        ? 0
        : paper.isLabel || paper.isEnvelope || paper.isRoll
          || paper.isSpecial && !paper.isCoated ? 2 : 1
    case .postcard: return paper.isPostcard ? 0 : paper.isPhoto && paper.isPhotoSized ? 1 : 2
    case .envelope: return paper.isEnvelope ? 0 : paper.isRoll || paper.isSpecial ? 2 : 1
    case .label: return paper.isLabel ? 0 : paper.isRoll ? 1 : 2
    case .receipt:
      if !paper.isRoll { return paper.isReceiptSheet ? 1 : 2 }
      return paper.isLabel || !paper.isWideAsReceipts ? 1 : 0
    case .roll: return paper.isRoll ? 0 : 2
    case .largeFormat: return paper.isLarge ? 0 : 2
    case .disc: return 2
    }
  }

  /// True when a loaded medium makes a printer serve the type, whatever its kinds say: a card is no sheet for
  /// documents.
  ///
  /// - `isGuess`: nobody asked for the type. A small sheet in an office printer is no reason to print photos there; photo
  ///   paper is.
  func isServed(by paper: Paper, isGuess: Bool) -> Bool {
    switch type {
    case .document: rank(paper) == 0 && paper.holdsLetterOrA4
    case .photo where isGuess: rank(paper) == 0 && paper.isPhotographic
    default: rank(paper) == 0
    }
  }
}

extension Paper {
  /// Receipt printers have rolls of 37 to 112 mm; narrower is tape.
  fileprivate var isWideAsReceipts: Bool { (3_600...11_500).contains(size.width) }
  /// Photographic media, and a sheet of a photo's size that isn't reported as plain.
  var isPhoto: Bool {
    isPhotographic && !isEnvelope
      || isPhotoSized && !isLabel && !isEnvelope && !isRoll && !Paper.isPlain(type)
  }
}
