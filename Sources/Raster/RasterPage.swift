package import PrintModel

/// The header of one page.
///
/// The two formats contain different parts of it; properties of only one format name it. The others are left out when
/// it is written, and keep their defaults when it is read.
package struct RasterPage: Sendable, Equatable {
  /// Pixels in a line, and lines.
  package var width: Int
  package var height: Int
  /// URF has one number: only square resolutions.
  package var resolution: Resolution
  package var pixels: PixelFormat

  /// Both formats repeat the ticket's `sides` in each page: some printers follow one, some the other (ppm2pwg#28).
  package var sides = Sides.oneSided
  /// The transform already applied to this side's pixels.
  ///
  /// Only PWG Raster states it.
  package var turn = BackSideTransform.none
  /// nil: the printer's setting.
  package var quality: Quality?
  /// The media-type keyword, or empty for the printer's default.
  ///
  /// URF only has those in `urfMediaTypes`.
  package var mediaType = ""
  /// The tray, by its number in PWG 5102.4 table 5 (URF's IS tokens).
  ///
  /// Leave it 0, unless the printer lists the number: with 20 a Samsung printed nothing (apple/cups#5693); trays are named
  /// in the ticket's media-col.
  package var mediaPosition = 0
  /// PWG: the PWG 5101.1 name of the sheet, and its width and length in whole points.
  package var sizeName = ""
  package var pageWidth = 0
  package var pageLength = 0
  /// PWG: the number of pages in the file, 0 if unknown.
  ///
  /// Counted as for `fileHead(pages:)`.
  package var totalPages = 0
  /// PWG: how many times the printer is to print this page; 0 leaves that to the ticket.
  package var copies = 0
  /// PWG: when the roll is cut.
  package var cut = Cut.never
  /// PWG: the print-content-optimize keyword.
  package var contentOptimize = ""

  package init(width: Int, height: Int, resolution: Resolution, pixels: PixelFormat) {
    self.width = width
    self.height = height
    self.resolution = resolution
    self.pixels = pixels
  }

  /// A page that covers a whole sheet including margins, as both formats require.
  ///
  /// Pixels and points are truncated, as PWG 5102.4's writers do: with one extra pixel, a printer aborted the job
  /// (pappl#59).
  package init(sheet: MediaSize, name: String, resolution: Resolution, pixels: PixelFormat) {
    self.init(
      width: sheet.width.pixels(dpi: resolution.x), height: sheet.length.pixels(dpi: resolution.y),
      resolution: resolution, pixels: pixels)
    sizeName = name
    pageWidth = Int(sheet.width.points)
    pageLength = Int(sheet.length.points)
  }

  /// CutMedia: one of PWG 5102.4's WhenEnum.
  package enum Cut: UInt32, Sendable {
    case never, afterDocument, afterJob, afterSet, afterPage
  }
}
