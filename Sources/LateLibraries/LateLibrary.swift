// LateLibraries: C libraries that are opened when they are first needed.

internal import CLateLibraries
internal import Glibc

/// A C library that the program starts without.
///
/// Its functions are undefined in the executable that `make build` makes; calling one before `open` ends
/// the process. Which file it is was seen where the program was linked, so no soname stands in the sources;
/// a build that links it as usual has nothing to open.
package struct LateLibrary: Sendable, Hashable {
  /// As the linker is asked for it: `tiff` for `-ltiff`.
  package let name: String

  package init(_ name: String) { self.name = name }

  /// Its soname where the program was linked, such as `libtiff.so.6`; nil: it was loaded at the start.
  package var file: String? {
    // As bytes: every command opens some libraries, and a worker a dozen.
    let all = UnsafeRawBufferPointer(start: late_libraries(), count: strlen(late_libraries()))
    for pair in all.split(separator: UInt8(ascii: " ")) {
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1)
      if parts.count == 2, parts[0].elementsEqual(name.utf8) {
        return String(decoding: parts[1], as: UTF8.self)
      }
    }
    return nil
  }

  /// Opens it for every later call; cheap when it is open already.
  package func open() throws(Missing) {
    guard let file else { return }
    // Functions are looked up as they are called: a document needs few of them.
    guard dlopen(file, RTLD_LAZY | RTLD_GLOBAL) == nil else { return }
    let words = dlerror().map { String(cString: $0) } ?? "no reason given"
    throw Missing(file: file, reason: words)
  }

  /// A library that can't be opened here.
  package struct Missing: Error, Sendable {
    /// The soname that was asked for.
    package let file: String
    /// The dynamic loader's words, which begin with the file that is missing.
    package let reason: String

    package init(file: String, reason: String) {
      self.file = file
      self.reason = reason
    }

    /// The soname of the file that is missing: the library's own, or that of one that it needs in turn.
    package var culprit: String {
      let path = reason.prefix { $0 != ":" && !$0.isWhitespace }
      let name = path.split(separator: "/").last.map(String.init) ?? ""
      return name.contains(".so.") ? name : file
    }
  }
}
