package import PrintModel

/// Poppler, Pango, cairo, gdk-pixbuf and similar libraries, loaded when the first page is drawn.
///
/// Calling one before it is loaded ends the process (`LateLibrary`): every entry point of a module that draws loads what
/// it needs. A library's own dependencies (cairo, GLib) are loaded with it. The raw value is the linker's name.
package enum GraphicsLibraries: String, CaseIterable {
  case drawing = "cairo"
  case text = "pangocairo-1.0"
  case pdf = "poppler-glib"
  /// Poppler's other renderer, for pages that cairo draws incorrectly.
  case splash = "poppler-cpp"
  /// QPDF, for properties of a PDF that Poppler does not expose.
  case pdfObjects = "qpdf"
  case svg = "rsvg-2"
  case pictures = "gdk_pixbuf-2.0"
  case png = "png16"
  case jpeg = "turbojpeg"
  case webp = "webp"
  case gif = "gif"
  case heif = "heif"
  /// For pictures in PDFs that Poppler can't decode.
  case jbig2 = "jbig2dec"
  case tiff = "tiff"
  case profiles = "lcms2"
  case codes = "zint"

  /// Its name for users, its purpose, and the consequence of its absence as a part of a sentence.
  private var facts: (title: String, purpose: String, loss: String) {
    switch self {
    case .drawing: ("cairo", "drawing", "nothing can be drawn")
    case .text: ("Pango", "text", "text and receipts can't be drawn")
    case .pdf: ("Poppler", "PDF", "PDF files can't be drawn")
    case .splash:
      (
        "Poppler Splash", "PDF with color fonts or rare blending",
        "some pages of PDF files can't be drawn"
      )
    case .pdfObjects: ("QPDF", "stamps and labels of PDF pages", "PDF files can't be inspected")
    case .svg: ("librsvg", "SVG", "SVG files can't be drawn")
    case .pictures: ("gdk-pixbuf", "rarer pictures", "less common kinds of pictures can't be drawn")
    case .png: ("libpng", "PNG", "PNG files can't be drawn")
    case .jpeg: ("libjpeg-turbo", "JPEG", "JPEG files can't be drawn")
    case .webp: ("libwebp", "WebP", "WebP files can't be drawn")
    case .gif: ("giflib", "GIF", "GIF files can't be drawn")
    case .heif: ("libheif", "HEIF and AVIF", "HEIF and AVIF files can't be drawn")
    case .jbig2:
      ("jbig2dec", "rare JBIG2 in PDF", "rare JBIG2 pictures of PDF files can't be drawn")
    case .tiff: ("libtiff", "TIFF", "TIFF files can't be drawn")
    case .profiles: ("Little CMS", "color profiles", "pictures with a color profile can't be drawn")
    case .codes: ("Zint", "bar codes", "bar codes and QR codes can't be drawn")
    }
  }

  package var library: LateLibrary {
    LateLibrary(rawValue, needs: [.text, .pdf, .svg].contains(self) ? ["gio-2.0", "cairo"] : [])
  }

  /// Opens the library for all later calls; this is cheap when it is already open.
  ///
  /// The failure names its file and what can't be drawn without it.
  package func load() throws(Failure) {
    do throws(LateLibrary.Missing) {
      try library.open()
    } catch {
      throw .fault(
        "\(error.complaint(facts.loss)) Documents that the printer reads itself still print. "
          + "airprint doctor shows what to install.")
    }
  }

  /// True if it can be loaded here; it then is.
  package var isInstalled: Bool { (try? library.open()) != nil }

  /// The library, loaded, for `doctor`; `version` is nil if it can't report any.
  package func inspected(_ version: LibraryVersion?) -> InspectedLibrary {
    InspectedLibrary(
      library, name: facts.title, purpose: facts.purpose, built: version?.built,
      version: { version?.loaded() }, loss: facts.loss)
  }
}
