internal import Glibc

/// The state of a library on this machine, for `doctor`.
package struct InspectedLibrary: Sendable {
  package var name: String
  /// Its purpose.
  package var purpose: String
  /// The version with which airprint was built; its soname if the headers don't contain it, and nil if the build links
  /// it as usual.
  package var built: String?
  /// The loaded version; if the library doesn't report it, its file's name, such as `libgif.so.7.2.0`.
  package var version: String?
  /// The reason why it can't be loaded; nil if it can.
  package var trouble: String?
  /// The soname of the file that is missing in that case.
  package var culprit: String?

  /// Opens and inspects a library.
  ///
  /// - `version`: called when the library is open, because its functions are undefined before.
  /// - `loss`: what can't be done without it, as a part of a sentence.
  package init(
    _ library: LateLibrary, name: String, purpose: String, built: String?, version: () -> String?,
    loss: String
  ) {
    self.name = name
    self.purpose = purpose
    self.built = built ?? library.file
    do throws(LateLibrary.Missing) {
      try library.open()
      self.version = version() ?? InspectedLibrary.mappedFile(of: library.name)
    } catch {
      trouble = error.complaint(loss)
      culprit = error.culprit
    }
  }

  /// Returns the name of the file that was mapped for `-lNAME`: the target of the soname's link contains the full
  /// version.
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
