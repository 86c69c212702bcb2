internal import CPango
package import LateLibraries

extension LibraryVersion {
  package static var ofText: [GraphicsLibraries: LibraryVersion] {
    [.text: LibraryVersion(built: PANGO_VERSION_STRING, words: { pango_version_string() })]
  }
}
