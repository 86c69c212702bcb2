internal import Drawing
package import LateLibraries
internal import PDF
internal import Pictures
internal import Receipts
internal import SVG
internal import Text

extension GraphicsLibraries {
  /// All libraries that draw, loaded, with their versions; takes some 20 ms, for `doctor`.
  package static func inspected() -> [InspectedLibrary] {
    let versions: [[GraphicsLibraries: LibraryVersion]] = [
      LibraryVersion.ofDrawing, LibraryVersion.ofText, LibraryVersion.ofPDF, LibraryVersion.ofSVG,
      LibraryVersion.ofPictures, LibraryVersion.ofReceipts,
    ]
    let known = versions.reduce(into: [:]) { $0.merge($1) { $1 } }
    return allCases.map { $0.inspected(known[$0]) }
  }
}
