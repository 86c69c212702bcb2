internal import Glibc

/// The versions of a library, each of which only the module that imports it knows.
package struct LibraryVersion {
  /// The version of the headers; nil if they don't state it.
  package var built: String?
  /// Returns the version of the loaded library; nil if it doesn't report it.
  package var loaded: () -> String?

  package init(built: String?, loaded: @escaping () -> String?) {
    self.built = built
    self.loaded = loaded
  }

  /// The same for functions that return words.
  package init(built: String?, words: @escaping () -> UnsafePointer<CChar>?) {
    self.init(built: built) { words().map { String(cString: $0) } }
  }

  /// A version from its numbers.
  package static func dotted(_ parts: Int32...) -> String {
    parts.map(String.init).joined(separator: ".")
  }

  /// A version from variables, read by name: referring to them in the source would keep the program from starting
  /// without the library.
  package static func numbers(_ names: [String]) -> String? {
    let parts = names.compactMap { name in
      dlsym(nil, name)?.assumingMemoryBound(to: UInt32.self).pointee
    }
    return parts.count == names.count ? parts.map(String.init).joined(separator: ".") : nil
  }
}
