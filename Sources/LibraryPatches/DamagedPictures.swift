internal import CLibraryPatches

/// Pictures that Poppler, or any library by libjpeg, draws without an error although bytes of them are damaged or
/// missing.
package enum DamagedPictures {
  /// True when there was one on this thread since the last call.
  package static func take() -> Bool { pictures_take() != 0 }
}
