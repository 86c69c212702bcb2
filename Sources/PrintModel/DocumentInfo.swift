/// Facts about a document, independent of any printer.
package struct DocumentInfo: Sendable, Equatable {
  package var mediaType: String
  package var title: String?
  package var pages: [Page]
  /// Set if the document is a single picture.
  package var image: Image?
  /// True if its pages are made for the chosen paper (text); until then, `pages` is a guess.
  package var reflows: Bool
  /// Set if the document is a raster whose pages are all alike.
  package var raster: Raster?
  /// True if a printer can't read it because of a password or damage: it must be drawn.
  package var isLocked = false
  /// What a PDF asks for (ViewerPreferences, ISO 32000-1 §12.2): 100 % (PrintScaling), its sides (Duplex), and 2 to 5
  /// copies (NumCopies); nil and 1: nothing.
  package var keepsScale = false
  package var sides: Sides?
  package var copies = 1
  /// False if this machine has no library to draw it: only a printer that reads it can print it.
  package var canBeDrawn = true
  /// True if it isn't read here: a printer gets it as it is, and its one page stands for any number.
  package var isRaw = false
  /// True if it may name other files, which are in its folder or in that of `--assets`.
  package var namesFiles = false
  /// Below 1 for pages that a converter made smaller than the document says.
  package var scale = 1.0
  /// What is missing from it, as far as that is known.
  package var losses: [Loss] = []

  package init(
    mediaType: String, title: String? = nil, pages: [Page], image: Image? = nil,
    reflows: Bool = false
  ) {
    self.mediaType = mediaType
    self.title = title
    self.pages = pages
    self.image = image
    self.reflows = reflows
  }

  package struct Page: Sendable, Equatable {
    /// Size as shown, after the document's own rotation and cropping.
    ///
    /// The size of a picture is its pixels at the resolution stated by the file.
    package var size: PageSize
    /// Position of its lowest mark, in points from the top; nil if it was not measured.
    package var contentHeight: Double?
    /// The area of its marks that don't run off its edge, in points; nil without any, or if they were not measured.
    package var marks: Rectangle?
    /// The document's label of the page (`iv`, `A-1`); nil if the document counts from 1.
    package var label: String?
    /// The reason why it can't be drawn, as a sentence; then its size is that of another page.
    package var problem: String?

    package init(size: PageSize, contentHeight: Double? = nil, label: String? = nil) {
      self.size = size
      self.contentHeight = contentHeight
      self.label = label
    }
  }

  /// A picture's pixels, after its EXIF orientation.
  package struct Image: Sendable, Equatable {
    package var width: Int
    package var height: Int
    /// Properties that decide if a printer that reads JPEG can read this file: see `JPEGHeader`.
    package var jpeg: JPEG?
    /// True for a picture with few tones, or one that covers most of it: drawn or scanned, not taken by a camera.
    ///
    /// nil if that was not determined.
    package var isFlat: Bool?

    package init(width: Int, height: Int, jpeg: JPEG? = nil, isFlat: Bool? = nil) {
      self.width = width
      self.height = height
      self.jpeg = jpeg
      self.isFlat = isFlat
    }
  }

  /// Properties that decide if a raster can be sent to a printer unchanged.
  package struct Raster: Sendable, Equatable {
    package var resolution: Resolution
    /// True for gray, false for color, both with 8 bits per color; other depths are drawn.
    package var isGray: Bool
    package var sides: Sides
    /// True if its back sides are already turned.
    package var turnsBacks: Bool

    package init(resolution: Resolution, isGray: Bool, sides: Sides, turnsBacks: Bool) {
      self.resolution = resolution
      self.isGray = isGray
      self.sides = sides
      self.turnsBacks = turnsBacks
    }
  }

  /// Properties that decide if a JPEG can be sent to a printer unchanged (`jpeg-features-supported`, PWG 5100.13).
  package struct JPEG: Sendable, Equatable {
    /// True for SOF0 with 8 bits, Huffman-coded, which every printer that supports JPEG can read.
    package var isBaseline: Bool
    package var components: Int
    /// True for an embedded ICC profile other than sRGB; a printer that does not list `icc` ignores it.
    package var hasProfile: Bool
    /// EXIF orientation; 1 if upright or not stated.
    package var orientation: Int
    package var octets: Int

    package init(
      isBaseline: Bool, components: Int, hasProfile: Bool, orientation: Int, octets: Int
    ) {
      self.isBaseline = isBaseline
      self.components = components
      self.hasProfile = hasProfile
      self.orientation = orientation
      self.octets = octets
    }
  }

  /// The type that the document suggests if none was named.
  package var guessedType: JobType {
    if mediaType == DocumentFormat.receipt { return .receipt }
    return isPhotograph ? .photo : .document
  }

  /// The suggested type, if it is certain enough to choose the printer that is saved for it.
  ///
  /// Pages between A5 (or half of Letter) and A3 (or Tabloid) are documents; smaller ones may be labels or receipts, and
  /// a picture that is no photo, prepared raster and another program's data may be anything.
  package var sureType: JobType? {
    let type = guessedType
    guard type == .document else { return type }
    guard image == nil, raster == nil, !isRaw, mediaType != DocumentFormat.octets else {
      return nil
    }
    let arePages = pages.allSatisfy { page in
      let (short, long) = (
        min(page.size.width, page.size.height), max(page.size.width, page.size.height)
      )
      return (390...860).contains(short) && (590...1_240).contains(long)
    }
    return reflows || arePages ? .document : nil
  }

  /// True for a picture that a camera may have taken: in a format that cameras write, a megapixel or more, with many
  /// tones.
  ///
  /// Screenshots, drawings, icons and scans are documents: they must not be cropped, and not printed on photo paper.
  private var isPhotograph: Bool {
    guard let image, DocumentFormat.ofCameras.contains(mediaType) else { return false }
    return image.width * image.height >= 1_000_000 && image.isFlat != true
  }

  /// The document's page labels; empty if they are 1, 2, 3.
  package var pageLabels: [String] { pages.compactMap(\.label) }
}
