internal import CGIF
internal import CHEIF
internal import CLCMS
internal import CPNG
internal import CPixbuf
internal import CTIFF
internal import CWebP
package import LateLibraries

extension LibraryVersion {
  package static var ofPictures: [GraphicsLibraries: LibraryVersion] {
    [
      .pictures: LibraryVersion(built: GDK_PIXBUF_VERSION) {
        numbers([
          "gdk_pixbuf_major_version", "gdk_pixbuf_minor_version", "gdk_pixbuf_micro_version",
        ])
      },
      .png: LibraryVersion(built: PNG_LIBPNG_VER_STRING, words: { png_get_libpng_ver(nil) }),
      .webp: LibraryVersion(built: nil) {
        [16, 8, 0].map { String(WebPGetDecoderVersion() >> $0 & 0xFF) }.joined(separator: ".")
      },
      .gif: LibraryVersion(
        built: dotted(GIFLIB_MAJOR, GIFLIB_MINOR, GIFLIB_RELEASE), loaded: { nil }),
      .heif: LibraryVersion(built: LIBHEIF_VERSION, words: { heif_get_version() }),
      .tiff: LibraryVersion(built: tiffVersion(TIFFLIB_VERSION_STR)) {
        TIFFGetVersion().flatMap { tiffVersion(String(cString: $0)) }
      },
      .profiles: LibraryVersion(built: lcmsVersion(LCMS_VERSION)) {
        lcmsVersion(cmsGetEncodedCMMversion())
      },
    ]
  }

  /// "LIBTIFF, Version 4.5.0", then copyright.
  private static func tiffVersion(_ text: String) -> String? {
    text.split(separator: "\n").first?.split(separator: " ").last.map(String.init)
  }

  private static func lcmsVersion(_ number: Int32) -> String {
    "\(number / 1_000).\(number % 1_000 / 10)"
  }
}
