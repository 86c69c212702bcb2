internal import FoundationEssentials
internal import Glibc

/// The folder of the pictures that a drawing refers to.
///
/// A drawing could show any text file as its own words (XInclude), so it may only read files whose names are those of
/// pictures or style sheets.
package enum DrawingFolder {
  private static let suffixes: Set<String> = [
    "png", "jpg", "jpeg", "jpe", "gif", "svg", "svgz", "webp", "avif", "tif", "tiff", "bmp", "ico",
    "css",
  ]
  /// Maximum number of entries to examine: a drawing may be in somebody's home.
  private static let most = 20_000

  /// True when the drawing may read a file of this name.
  static func mayRead(_ name: String) -> Bool {
    name.lastIndex(of: ".").map { suffixes.contains(name[name.index(after: $0)...].lowercased()) }
      ?? false
  }

  /// The pictures and style sheets in the folder and below it, nearest first.
  ///
  /// Links are skipped: their targets are found by their own names, or are outside the folder.
  package static func files(beneath folder: String) -> [String] {
    var files: [String] = []
    var folders = [folder][...]
    var left = most
    while let next = folders.popFirst(), left > 0 {
      for name in (try? FileManager.default.contentsOfDirectory(atPath: next)) ?? [] {
        left -= 1
        guard left > 0, !name.hasPrefix(".") else { continue }
        let path = "\(next)/\(name)"
        var status = stat()
        guard lstat(path, &status) == 0 else { continue }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: folders.append(path)
        case S_IFREG: if mayRead(name) { files.append(path) }
        default: break
        }
      }
    }
    return files
  }
}
