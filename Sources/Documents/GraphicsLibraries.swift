// Documents: files as pages that can be drawn. The only module that sees Poppler, cairo and gdk-pixbuf.
// It knows nothing of printers: pages, points and pixels in, pixels out.

internal import Glibc
package import PrintModel

/// Poppler, Pango, cairo, gdk-pixbuf and their like, brought in when the first page is drawn.
///
/// Their functions are undefined in the executable (Package.swift, `lazyGraphics`); calling one before
/// its library is loaded ends the process. Every entry into this module loads what it needs.
package enum GraphicsLibraries {
  case drawing
  case pictures
  case pdf
  case text
  case codes
  /// QPDF, for what Poppler does not tell of a PDF.
  case pdfObjects
  case tiff
  case jpeg
  case profiles
  case svg

  /// Sonames, not paths: the distribution's own files, patched by it.
  private var names: [String] {
    switch self {
    case .drawing: ["libcairo.so.2"]
    case .pictures:
      [
        "libglib-2.0.so.0", "libgobject-2.0.so.0", "libgio-2.0.so.0", "libgdk_pixbuf-2.0.so.0",
        "libcairo.so.2",
      ]
    case .text:
      [
        "libglib-2.0.so.0", "libgobject-2.0.so.0", "libpango-1.0.so.0", "libpangocairo-1.0.so.0",
        "libcairo.so.2",
      ]
    // Its soname changes with every minor version; 2.11 is Debian 12's.
    case .codes: ["libzint.so.2.11"]
    case .pdfObjects: ["libqpdf.so.29"]
    case .tiff: ["libtiff.so.6"]
    case .jpeg: ["libturbojpeg.so.0"]
    case .profiles: ["liblcms2.so.2"]
    case .svg:
      [
        "libglib-2.0.so.0", "libgobject-2.0.so.0", "libgio-2.0.so.0", "librsvg-2.so.2",
        "libcairo.so.2",
      ]
    case .pdf:
      [
        "libglib-2.0.so.0", "libgobject-2.0.so.0", "libgio-2.0.so.0", "libpoppler-glib.so.8",
        "libcairo.so.2",
      ]
    }
  }

  /// Opens the libraries for every later call; cheap when they are open already.
  package func load() throws(Failure) {
    for name in names where dlopen(name, RTLD_NOW | RTLD_GLOBAL) == nil {
      let why = dlerror().map { String(cString: $0) } ?? name
      throw Failure(
        .fault,
        "A library that draws pages can't be loaded (\(why)). Install libpoppler-glib8, libqpdf29, "
          + "libpangocairo-1.0-0, libcairo2, libgdk-pixbuf-2.0-0, libtiff6, libturbojpeg0, liblcms2-2, librsvg2-2 and libzint2.11."
      )
    }
  }
}
