internal import CLCMS
internal import CPango
internal import CPoppler
internal import CQPDF
internal import CTIFF
internal import CZint
internal import Glibc
internal import PrintModel

/// A library that draws, as it is on this machine.
package struct GraphicsLibrary: Sendable {
  package var name: String
  /// What it is for.
  package var purpose: String
  /// Debian's package.
  package var package: String
  /// nil where it does not say.
  package var version: String?
  /// Why it can't be loaded; nil: it can.
  package var trouble: String?
}

extension GraphicsLibraries {
  /// Every library that draws, loaded, with its version: some 20 ms of work, for `doctor`.
  package static func inspected() -> [GraphicsLibrary] {
    [
      pdf.inspected("Poppler", "PDF", "libpoppler-glib8") { text(poppler_get_version()) },
      drawing.inspected("cairo", "drawing", "libcairo2") { text(cairo_version_string()) },
      self.text.inspected("Pango", "text", "libpangocairo-1.0-0") { text(pango_version_string()) },
      pictures.inspected("gdk-pixbuf", "pictures", "libgdk-pixbuf-2.0-0") {
        // A variable: were it named here, the program would not start without the library.
        dlsym(nil, "gdk_pixbuf_version").flatMap {
          text($0.assumingMemoryBound(to: UnsafePointer<CChar>?.self).pointee)
        }
      },
      svg.inspected("librsvg", "SVG", "librsvg2-2") {
        let names: [String] = ["rsvg_major_version", "rsvg_minor_version", "rsvg_micro_version"]
        let parts = names.compactMap { name in
          dlsym(nil, name)?.assumingMemoryBound(to: UInt32.self).pointee
        }
        return parts.count == 3 ? parts.map(String.init).joined(separator: ".") : nil
      },
      tiff.inspected("libtiff", "TIFF", "libtiff6") {
        // "LIBTIFF, Version 4.5.0", then copyright.
        text(TIFFGetVersion())?.split(separator: "\n").first?.split(separator: " ").last
          .map(String.init)
      },
      jpeg.inspected("libjpeg-turbo", "JPEG", "libturbojpeg0") { nil },
      pdfObjects.inspected("QPDF", "stamps and labels of PDF pages", "libqpdf29") {
        text(qpdf_get_qpdf_version())
      },
      profiles.inspected("Little CMS", "colour profiles", "liblcms2-2") {
        let number = cmsGetEncodedCMMversion()
        return "\(number / 1_000).\(number % 1_000 / 10)"
      },
      codes.inspected("Zint", "bar codes", "libzint2.11") {
        let number = ZBarcode_Version()
        return "\(number / 10_000).\(number / 100 % 100).\(number % 100)"
      },
    ]
  }

  private func inspected(
    _ name: String, _ purpose: String, _ package: String, _ version: () -> String?
  ) -> GraphicsLibrary {
    var library = GraphicsLibrary(name: name, purpose: purpose, package: package)
    do throws(Failure) {
      try load()
      library.version = version()
    } catch {
      library.trouble = error.message
    }
    return library
  }

  private static func text(_ words: UnsafePointer<CChar>?) -> String? {
    words.map { String(cString: $0) }
  }
}
