/// The versions of a library that airprint patches, for `doctor`; only the module that imports it knows them.
///
/// Any other library is named by its files.
package struct LibraryVersion {
  /// The version of the headers.
  package var built: String
  /// Returns the version of the loaded library; nil if it doesn't report it.
  package var loaded: () -> String?

  package init(built: String, loaded: @escaping () -> String?) {
    self.built = built
    self.loaded = loaded
  }
}
