// LateLibraries: C libraries that are opened when they are first needed.

internal import CLateLibraries
internal import Glibc

/// A C library that is not loaded at program start.
///
/// In the executable made by `make build`, its functions are undefined; calling one before `open` ends the process. Its
/// file was determined when the program was linked, so the sources contain no soname. In a build that links it as
/// usual, there is nothing to open.
package struct LateLibrary: Sendable, Hashable {
  /// Name as for the linker: `tiff` for `-ltiff`.
  package let name: String
  /// Libraries that it needs, opened before it.
  ///
  /// The loader opens them in any case, but then looks for the symbols of each in all 45 of Poppler's. Opened before,
  /// and not yet for all, each has only its own and the program's to search.
  private let needs: [String]

  package init(_ name: String, needs: [String] = []) {
    self.name = name
    self.needs = needs
  }

  /// Its soname at link time, such as `libtiff.so.6`; nil if it was loaded at the start.
  package var file: String? {
    // Searched by the C library, for speed: every command opens some libraries, and a worker a dozen.
    let start = " \(name)="
    guard let found = strstr(late_libraries(), start) else { return nil }
    return String(String(cString: found + start.utf8.count).prefix { $0 != " " })
  }

  /// Opens it for all later calls; cheap if it is already open.
  package func open() throws(Missing) {
    // Without one of them, neither can this one be opened; with it, they are open for all.
    for name in needs { _ = try? LateLibrary(name).open(RTLD_LOCAL) }
    try open(RTLD_GLOBAL)
  }

  private func open(_ scope: Int32) throws(Missing) {
    guard let file else { return }
    // Bind lazily: a document needs few of the functions.
    guard dlopen(file, RTLD_LAZY | scope) == nil else { return }
    let words = dlerror().map { String(cString: $0) } ?? "no reason given"
    throw Missing(file: file, reason: words)
  }

  /// A library that can't be opened on this machine.
  package struct Missing: Error, Sendable {
    /// The requested soname.
    package let file: String
    /// The dynamic loader's message, which starts with the missing file.
    package let reason: String

    /// The message: the missing file, and what can't be done without it, as a part of a sentence.
    package func complaint(_ loss: String) -> String { "Without \(culprit), \(loss) (\(reason))." }

    /// The soname of the missing file: the library's own, or that of a dependency.
    package var culprit: String {
      let path = reason.prefix { $0 != ":" && !$0.isWhitespace }
      let name = path.split(separator: "/").last.map(String.init) ?? ""
      return name.contains(".so.") ? name : file
    }
  }
}
