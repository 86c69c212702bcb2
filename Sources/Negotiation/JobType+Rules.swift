internal import PrintModel

/// Defaults of a job type without options and settings: airprint(1), DEFAULTS.
extension JobType {
  /// True for photos and similar types.
  private var isOfPictures: Bool { [.photo, .postcard, .disc].contains(self) }

  var quality: Quality { isOfPictures ? .high : .normal }

  var color: PrintRequest.ColorOption {
    isOfPictures ? .color : self == .receipt ? .gray : .auto
  }

  /// True for types that are printed to the edge if a loaded entry allows it.
  var prefersBorderless: Bool { isOfPictures }

  /// Returns the default scaling; only a picture is cropped to fill its sheet.
  func scaling(on paper: Paper, isPicture: Bool) -> Scaling {
    switch self {
    case .photo, .postcard: isPicture && paper.isBorderless ? .fill : .fit
    case .disc: isPicture ? .fill : .fit
    case .receipt: .autoFit
    case .roll: .fit
    case .document, .envelope, .label, .largeFormat: .auto
    }
  }

  /// Returns the suitability of a medium for the type: 0 is made for it, 1 is acceptable, 2 only if there is no other,
  /// 3 only for its own type.
  func rank(_ paper: Paper) -> Int {
    if paper.isDisc { return self == .disc ? 0 : 3 }
    switch self {
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
      // Receipt rolls are 37 to 112 mm wide; narrower rolls are tape.
      return paper.isLabel || !(3_600...11_500).contains(paper.size.width) ? 1 : 0
    case .roll: return paper.isRoll ? 0 : 2
    case .largeFormat: return paper.isLarge ? 0 : 2
    case .disc: return 2
    }
  }

  /// Returns true if a loaded medium makes a printer serve the type, whatever its types state: a card is no sheet for
  /// documents.
  ///
  /// - `isGuess`: the type was not requested. Photo paper is a reason to print photos on an office printer; a small
  ///   sheet is not.
  func isServed(by paper: Paper, isGuess: Bool) -> Bool {
    switch self {
    case .document: rank(paper) == 0 && paper.holdsLetterOrA4
    case .photo where isGuess: rank(paper) == 0 && paper.isPhotographic
    default: rank(paper) == 0
    }
  }
}

extension Paper {
  /// True for photographic media, and for a sheet of a photo's size that isn't reported as plain.
  var isPhoto: Bool {
    isPhotographic && !isEnvelope
      || isPhotoSized && !isLabel && !isEnvelope && !isRoll && !Paper.isPlain(type)
  }
}
