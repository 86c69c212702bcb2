internal import Drawing
package import LateLibraries
internal import PDF

extension GraphicsLibraries {
  /// All libraries that draw, loaded, with their versions; takes some 20 ms, for `doctor`.
  package static func inspected() -> [InspectedLibrary] {
    let known = LibraryVersion.ofDrawing.merging(LibraryVersion.ofPDF) { $1 }
    return allCases.map { $0.inspected(known[$0]) }
  }
}
