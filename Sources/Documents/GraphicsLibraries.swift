// Documents: files as pages that can be drawn. The only module that sees Poppler, cairo and gdk-pixbuf.
// It knows nothing of printers: pages, points and pixels in, pixels out.

package import LateLibraries
package import PrintModel

/// Poppler, Pango, cairo, gdk-pixbuf and their like, brought in when the first page is drawn.
///
/// Calling one before it is loaded ends the process (`LateLibrary`): every entry into this module loads
/// what it needs. What a library itself needs (cairo, GLib) comes with it.
package enum GraphicsLibraries: CaseIterable {
  case drawing
  case text
  case pdf
  /// Poppler's other renderer, for the pages that cairo draws wrong.
  case splash
  /// QPDF, for facts about a PDF that Poppler does not expose.
  case pdfObjects
  case svg
  case pictures
  case png
  case jpeg
  case webp
  case gif
  case heif
  /// Pictures of PDFs that Poppler can't decode.
  case jbig2
  case tiff
  case profiles
  case codes

  package var library: LateLibrary {
    switch self {
    case .drawing: LateLibrary("cairo")
    case .text: LateLibrary("pangocairo-1.0")
    case .pdf: LateLibrary("poppler-glib")
    case .splash: LateLibrary("poppler-cpp")
    case .pdfObjects: LateLibrary("qpdf")
    case .svg: LateLibrary("rsvg-2")
    case .pictures: LateLibrary("gdk_pixbuf-2.0")
    case .png: LateLibrary("png16")
    case .jpeg: LateLibrary("turbojpeg")
    case .webp: LateLibrary("webp")
    case .gif: LateLibrary("gif")
    case .heif: LateLibrary("heif")
    case .jbig2: LateLibrary("jbig2dec")
    case .tiff: LateLibrary("tiff")
    case .profiles: LateLibrary("lcms2")
    case .codes: LateLibrary("zint")
    }
  }

  /// Document types that can't be printed without it.
  private var loss: String {
    switch self {
    case .drawing: "nothing can be drawn"
    case .text: "text and receipts can't be drawn"
    case .pdf: "PDF files can't be drawn"
    case .splash: "some pages of PDF files can't be drawn"
    case .pdfObjects: "PDF files can't be inspected"
    case .svg: "SVG files can't be drawn"
    case .pictures: "less common kinds of pictures can't be drawn"
    case .png: "PNG files can't be drawn"
    case .jpeg: "JPEG files can't be drawn"
    case .webp: "WebP files can't be drawn"
    case .gif: "GIF files can't be drawn"
    case .heif: "HEIF and AVIF files can't be drawn"
    case .jbig2: "rare JBIG2 pictures of PDF files can't be drawn"
    case .tiff: "TIFF files can't be drawn"
    case .profiles: "pictures with a color profile can't be drawn"
    case .codes: "bar codes and QR codes can't be drawn"
    }
  }

  /// Opens the library for every later call; cheap when it is open already.
  ///
  /// The failure names its file and what can't be done without it.
  package func load() throws(Failure) {
    do throws(LateLibrary.Missing) {
      try library.open()
    } catch {
      throw Failure(.fault, complaint(error))
    }
  }

  /// The sentence about a missing file: its name, what works without it, and how to get it.
  func complaint(_ missing: LateLibrary.Missing) -> String {
    "Without \(missing.culprit), \(loss) (\(missing.reason)). Documents that the printer reads itself "
      + "still print. airprint doctor says what to install."
  }
}
