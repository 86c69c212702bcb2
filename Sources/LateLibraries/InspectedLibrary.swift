internal import Glibc

/// A library as it is on this machine, for `doctor`.
package struct InspectedLibrary: Sendable {
  package var name: String
  /// Its purpose.
  package var purpose: String
  /// The version that airprint was built with; its soname where the headers don't say, and nil where the build links
  /// it as usual.
  package var built: String?
  /// The version that was loaded; its file's name, such as `libgif.so.7.2.0`, where it doesn't say.
  package var version: String?
  /// The reason it can't be loaded; nil: it can.
  package var trouble: String?
  /// The soname of the file that is missing then.
  package var culprit: String?

  /// - `version`: asked for when the library is open, as its functions are undefined before.
  /// - `complaint`: the message when it can't be opened.
  package init(
    _ library: LateLibrary, name: String, purpose: String, built: String?, version: () -> String?,
    complaint: (LateLibrary.Missing) -> String
  ) {
    self.name = name
    self.purpose = purpose
    self.built = built ?? library.file
    do throws(LateLibrary.Missing) {
      try library.open()
      self.version = version() ?? InspectedLibrary.mappedFile(of: library.name)
    } catch {
      trouble = complaint(error)
      culprit = error.culprit
    }
  }

  /// The file that was mapped for `-lNAME`, without its folder: behind the soname's link stands the whole version.
  private static func mappedFile(of name: String) -> String? {
    guard let maps = fopen("/proc/self/maps", "re") else { return nil }
    defer { fclose(maps) }
    var line: UnsafeMutablePointer<CChar>?
    var room = 0
    defer { free(line) }
    while getline(&line, &room, maps) > 0, let line {
      let path = String(cString: line).split(separator: "\n").first ?? ""
      guard let file = path.split(separator: "/").last else { continue }
      if file.hasPrefix("lib\(name).so") { return String(file) }
    }
    return nil
  }
}
