internal import CSVG
package import LateLibraries

extension LibraryVersion {
  package static var ofSVG: [GraphicsLibraries: LibraryVersion] {
    [
      .svg: LibraryVersion(
        built: dotted(LIBRSVG_MAJOR_VERSION, LIBRSVG_MINOR_VERSION, LIBRSVG_MICRO_VERSION)
      ) {
        numbers(["rsvg_major_version", "rsvg_minor_version", "rsvg_micro_version"])
      }
    ]
  }
}
