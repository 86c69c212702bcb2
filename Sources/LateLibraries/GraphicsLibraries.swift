package import PrintModel

/// Poppler, Pango, cairo, gdk-pixbuf and similar libraries, loaded when the first page is drawn.
///
/// Calling one before it is loaded ends the process (`LateLibrary`): every entry point of a module that draws loads what
/// it needs. A library's own dependencies (cairo, GLib) are loaded with it.
package enum GraphicsLibraries: CaseIterable {
  case drawing
  case text
  case pdf
  /// Poppler's other renderer, for pages that cairo draws incorrectly.
  case splash
  /// QPDF, for properties of a PDF that Poppler does not expose.
  case pdfObjects
  case svg
  case pictures
  case png
  case jpeg
  case webp
  case gif
  case heif
  /// For pictures in PDFs that Poppler can't decode.
  case jbig2
  case tiff
  case profiles
  case codes

  package var library: LateLibrary {
    switch self {
    case .drawing: LateLibrary("cairo")
    case .text: LateLibrary("pangocairo-1.0", needs: ["gio-2.0", "cairo"])
    case .pdf: LateLibrary("poppler-glib", needs: ["gio-2.0", "cairo"])
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

  /// The consequence of its absence, as a part of a sentence.
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

  /// Opens the library for all later calls; this is cheap when it is already open.
  ///
  /// The failure names its file and what can't be drawn without it.
  package func load() throws(Failure) {
    do throws(LateLibrary.Missing) {
      try library.open()
    } catch {
      throw Failure(
        .fault,
        "\(complaint(error)) Documents that the printer reads itself still print. "
          + "airprint doctor shows what to install.")
    }
  }

  /// True if it can be loaded here; it then is.
  package var isInstalled: Bool { (try? library.open()) != nil }

  /// Returns the message about a missing library: its file, and what can't be drawn without it.
  func complaint(_ missing: LateLibrary.Missing) -> String {
    "Without \(missing.culprit), \(loss) (\(missing.reason))."
  }

  /// The library, loaded, for `doctor`; `version` is nil if it can't report any.
  package func inspected(_ version: LibraryVersion?) -> InspectedLibrary {
    InspectedLibrary(
      library, name: title, purpose: purpose, built: version?.built,
      version: { version?.loaded() }, complaint: complaint)
  }

  private var title: String {
    switch self {
    case .drawing: "cairo"
    case .text: "Pango"
    case .pdf: "Poppler"
    case .splash: "Poppler Splash"
    case .pdfObjects: "QPDF"
    case .svg: "librsvg"
    case .pictures: "gdk-pixbuf"
    case .png: "libpng"
    case .jpeg: "libjpeg-turbo"
    case .webp: "libwebp"
    case .gif: "giflib"
    case .heif: "libheif"
    case .jbig2: "jbig2dec"
    case .tiff: "libtiff"
    case .profiles: "Little CMS"
    case .codes: "Zint"
    }
  }

  private var purpose: String {
    switch self {
    case .drawing: "drawing"
    case .text: "text"
    case .pdf: "PDF"
    case .splash: "PDF with color fonts or rare blending"
    case .pdfObjects: "stamps and labels of PDF pages"
    case .svg: "SVG"
    case .pictures: "rarer pictures"
    case .png: "PNG"
    case .jpeg: "JPEG"
    case .webp: "WebP"
    case .gif: "GIF"
    case .heif: "HEIF and AVIF"
    case .jbig2: "rare JBIG2 in PDF"
    case .tiff: "TIFF"
    case .profiles: "color profiles"
    case .codes: "bar codes"
    }
  }
}
