internal import CCairo
package import LateLibraries

extension LibraryVersion {
  package static var ofDrawing: [GraphicsLibraries: LibraryVersion] {
    [
      .drawing: LibraryVersion(
        built: dotted(CAIRO_VERSION_MAJOR, CAIRO_VERSION_MINOR, CAIRO_VERSION_MICRO),
        words: { cairo_version_string() })
    ]
  }
}
