internal import CCairo
package import LateLibraries

extension LibraryVersion {
  package static var ofDrawing: [GraphicsLibraries: LibraryVersion] {
    [
      .drawing: LibraryVersion(
        built: "\(CAIRO_VERSION_MAJOR).\(CAIRO_VERSION_MINOR).\(CAIRO_VERSION_MICRO)",
        loaded: { cairo_version_string().map { String(cString: $0) } })
    ]
  }
}
