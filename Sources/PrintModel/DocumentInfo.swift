/// Facts about a document, before it meets a printer.
package struct DocumentInfo: Sendable, Equatable, Codable {
  package var mediaType: String
  package var title: String?
  package var pages: [Page]
  /// Set when the document is one picture.
  package var image: Image?
  /// Its pages are made for the paper that it gets (text); until then `pages` is a guess.
  package var reflows: Bool
  /// Set when the document is a raster whose pages are all alike.
  package var raster: Raster?
  /// Nobody reads its bytes without a password, or without mending them: it must be drawn.
  package var isLocked = false
  /// Losses on its pages, as sentences.
  package var warnings: [String] = []

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

  package struct Page: Sendable, Equatable, Codable {
    /// As shown: rotated and cropped as the document asks.
    ///
    /// A picture's size is its pixels at the resolution that the file states.
    package var size: PageSize
    /// Height at which its last mark is, in points from the top; nil when it was not looked for.
    package var contentHeight: Double?
    /// The document's label of the page (`iv`, `A-1`); nil in a document that counts from 1.
    package var label: String?
    /// The reason why it can't be drawn, as a sentence; its size is another page's then.
    package var problem: String?

    package init(size: PageSize, contentHeight: Double? = nil, label: String? = nil) {
      self.size = size
      self.contentHeight = contentHeight
      self.label = label
    }
  }

  /// A picture's pixels, after its EXIF orientation.
  package struct Image: Sendable, Equatable, Codable {
    package var width: Int
    package var height: Int
    /// True when a printer that reads JPEG can read this file as it is: see `JPEGHeader`.
    package var jpeg: JPEG?
    /// Few tones, or one that covers most of it: drawn or scanned, not taken by a camera.
    ///
    /// nil where it was not looked for.
    package var isFlat: Bool?

    package init(width: Int, height: Int, jpeg: JPEG? = nil, isFlat: Bool? = nil) {
      self.width = width
      self.height = height
      self.jpeg = jpeg
      self.isFlat = isFlat
    }
  }

  /// Facts that decide whether a raster may go to a printer untouched.
  package struct Raster: Sendable, Equatable, Codable {
    package var resolution: Resolution
    /// Of 8 bits a color; other depths are drawn.
    package var isGray: Bool
    package var sides: Sides
    /// Its back sides are turned already.
    package var turnsBacks: Bool

    package init(resolution: Resolution, isGray: Bool, sides: Sides, turnsBacks: Bool) {
      self.resolution = resolution
      self.isGray = isGray
      self.sides = sides
      self.turnsBacks = turnsBacks
    }
  }

  /// Facts that decide whether a JPEG may go to a printer untouched (`jpeg-features-supported`, PWG
  /// 5100.13).
  package struct JPEG: Sendable, Equatable, Codable {
    /// SOF0 and 8 bits, Huffman-coded: what every printer that reads JPEG reads.
    package var isBaseline: Bool
    package var components: Int
    /// An embedded ICC profile other than sRGB; a printer that does not list `icc` ignores it.
    package var hasProfile: Bool
    /// EXIF orientation, 1 when upright or unstated.
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

  /// The type that the document suggests where none was named.
  package var guessedType: JobType {
    if mediaType == DocumentFormat.receipt { return .receipt }
    return isPhotograph ? .photo : .document
  }

  /// A picture is a photo when a camera may have taken it: of a format that cameras write, a megapixel or more,
  /// with many tones.
  ///
  /// Screenshots, drawings, icons and scans are documents: nothing of them may be cropped, and photo paper is not
  /// for them.
  private var isPhotograph: Bool {
    guard let image, DocumentFormat.ofCameras.contains(mediaType) else { return false }
    return image.width * image.height >= 1_000_000 && image.isFlat != true
  }

  /// Sentences about the pages among these (indices from 0) that can't be drawn, and are left out.
  package func gaps(among pages: some Sequence<Int>) -> [String] {
    pages.compactMap { index in
      self.pages[index].problem.map { "\($0.dropLast($0.hasSuffix(".") ? 1 : 0)); it is left out." }
    }
  }

  /// The document's page labels; empty where that is 1, 2, 3.
  package var pageLabels: [String] { pages.compactMap(\.label) }
}
