internal import CCairo

/// Pictures that a list has shown, destroyed without another copy of their pixels.
///
/// cairo (1.16 to 1.18) copies a picture that is destroyed for the snapshot that a list took of it, although the list is
/// gone: a sheet of A4 scanned at 600 dpi in color would take 280 MB, more than a worker has. Here, such a copy has one
/// pixel. If cairo got none, it would crash.
enum ShownPictures {
  fileprivate static let areDestroyed = PerThread(false)

  static func destroy(_ picture: OpaquePointer) {
    areDestroyed.with(true) { cairo_surface_destroy(picture) }
  }

  fileprivate static let ownCreate:
    (@convention(c) (Int32, Int32, Int32, UnsafeMutableRawPointer?, Int32) -> OpaquePointer?)? =
      libraryFunction("pixman_image_create_bits")
}

/// Replaces pixman's function (see `ShownPictures`).
@_cdecl("pixman_image_create_bits")
public func createPixels(
  _ format: Int32, _ width: Int32, _ height: Int32, _ bits: UnsafeMutableRawPointer?,
  _ stride: Int32
) -> OpaquePointer? {
  bits == nil && ShownPictures.areDestroyed.value
    ? ShownPictures.ownCreate?(format, 1, 1, nil, 0)
    : ShownPictures.ownCreate?(format, width, height, bits, stride)
}
