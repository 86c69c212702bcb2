internal import CPoppler
package import LateLibraries

extension LibraryVersion {
  package static var ofPDF: [GraphicsLibraries: LibraryVersion] {
    let built = popplerVersion(POPPLER_MAJOR_VERSION, POPPLER_MINOR_VERSION, POPPLER_MICRO_VERSION)
    let loaded = { poppler_get_version().map { String(cString: $0) } }
    return [
      .pdf: LibraryVersion(built: built, loaded: loaded),
      // It has the same release as poppler-glib, but only reports it in C++; without cairo, only this one can be loaded.
      .splash: LibraryVersion(built: built) {
        (try? GraphicsLibraries.pdf.library.open()).flatMap { loaded() }
      },
    ]
  }

  /// A year and a month, which has two digits in `poppler_get_version`: 26, 7 and 0 are 26.07.0.
  static func popplerVersion(_ year: Int32, _ month: Int32, _ micro: Int32) -> String {
    "\(year).\(month < 10 ? "0" : "")\(month).\(micro)"
  }
}
