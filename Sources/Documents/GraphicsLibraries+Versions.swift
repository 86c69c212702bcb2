internal import CGIF
internal import CHEIF
internal import CJBIG2
internal import CLCMS
internal import CPNG
internal import CPango
internal import CPixbuf
internal import CPoppler
internal import CQPDF
internal import CSVG
internal import CTIFF
internal import CWebP
internal import CZint
internal import Glibc
package import LateLibraries
internal import PrintModel

extension GraphicsLibraries {
  /// All libraries that draw, loaded, with their versions; takes some 20 ms, for `doctor`.
  package static func inspected() -> [InspectedLibrary] {
    allCases.map { kind in
      InspectedLibrary(
        kind.library, name: kind.title, purpose: kind.purpose, built: kind.builtVersion,
        version: { kind.version }, complaint: kind.complaint)
    }
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

  /// The version of the headers; nil if they don't state it.
  private var builtVersion: String? {
    func dotted(_ parts: Int32...) -> String { parts.map(String.init).joined(separator: ".") }
    return switch self {
    case .drawing: dotted(CAIRO_VERSION_MAJOR, CAIRO_VERSION_MINOR, CAIRO_VERSION_MICRO)
    case .text: PANGO_VERSION_STRING
    case .pdf, .splash:
      GraphicsLibraries.popplerVersion(
        POPPLER_MAJOR_VERSION, POPPLER_MINOR_VERSION, POPPLER_MICRO_VERSION)
    case .pdfObjects: dotted(QPDF_MAJOR_VERSION, QPDF_MINOR_VERSION, QPDF_PATCH_VERSION)
    case .svg: dotted(LIBRSVG_MAJOR_VERSION, LIBRSVG_MINOR_VERSION, LIBRSVG_MICRO_VERSION)
    case .pictures: GDK_PIXBUF_VERSION
    case .png: PNG_LIBPNG_VER_STRING
    case .jpeg: nil
    case .webp: nil
    case .gif: dotted(GIFLIB_MAJOR, GIFLIB_MINOR, GIFLIB_RELEASE)
    case .heif: LIBHEIF_VERSION
    case .jbig2: dotted(JBIG2_VERSION_MAJOR, JBIG2_VERSION_MINOR)
    case .tiff: GraphicsLibraries.tiffVersion(TIFFLIB_VERSION_STR)
    case .profiles: GraphicsLibraries.lcmsVersion(LCMS_VERSION)
    case .codes: nil
    }
  }

  /// The version of the loaded library; nil if it doesn't report it.
  private var version: String? {
    switch self {
    case .drawing: GraphicsLibraries.words(cairo_version_string())
    case .text: GraphicsLibraries.words(pango_version_string())
    case .pdf: GraphicsLibraries.words(poppler_get_version())
    // It has the same release as poppler-glib, but only reports it in C++; without cairo, only this one can be loaded.
    case .splash:
      (try? GraphicsLibraries.pdf.library.open()).flatMap {
        GraphicsLibraries.words(poppler_get_version())
      }
    case .pdfObjects: GraphicsLibraries.words(qpdf_get_qpdf_version())
    case .svg:
      GraphicsLibraries.numbers(["rsvg_major_version", "rsvg_minor_version", "rsvg_micro_version"])
    case .pictures:
      GraphicsLibraries.numbers([
        "gdk_pixbuf_major_version", "gdk_pixbuf_minor_version", "gdk_pixbuf_micro_version",
      ])
    case .png: GraphicsLibraries.words(png_get_libpng_ver(nil))
    case .jpeg: nil
    case .webp:
      [16, 8, 0].map { String(WebPGetDecoderVersion() >> $0 & 0xFF) }.joined(separator: ".")
    case .gif: nil
    case .heif: GraphicsLibraries.words(heif_get_version())
    case .jbig2: nil
    case .tiff: GraphicsLibraries.words(TIFFGetVersion()).flatMap(GraphicsLibraries.tiffVersion)
    case .profiles: GraphicsLibraries.lcmsVersion(cmsGetEncodedCMMversion())
    case .codes: GraphicsLibraries.zintVersion(ZBarcode_Version())
    }
  }

  /// A version from variables, read by name: referring to them in the source would keep the program from starting
  /// without the library.
  private static func numbers(_ names: [String]) -> String? {
    let parts = names.compactMap { name in
      dlsym(nil, name)?.assumingMemoryBound(to: UInt32.self).pointee
    }
    return parts.count == names.count ? parts.map(String.init).joined(separator: ".") : nil
  }

  /// A year and a month, which has two digits in `poppler_get_version`: 26, 7 and 0 are 26.07.0.
  static func popplerVersion(_ year: Int32, _ month: Int32, _ micro: Int32) -> String {
    "\(year).\(month < 10 ? "0" : "")\(month).\(micro)"
  }

  /// "LIBTIFF, Version 4.5.0", then copyright.
  private static func tiffVersion(_ text: String) -> String? {
    text.split(separator: "\n").first?.split(separator: " ").last.map(String.init)
  }

  private static func lcmsVersion(_ number: Int32) -> String {
    "\(number / 1_000).\(number % 1_000 / 10)"
  }

  /// 21100 is 2.11.0.
  static func zintVersion(_ number: Int32) -> String {
    "\(number / 10_000).\(number / 100 % 100).\(number % 100)"
  }

  private static func words(_ text: UnsafePointer<CChar>?) -> String? {
    text.map { String(cString: $0) }
  }
}
