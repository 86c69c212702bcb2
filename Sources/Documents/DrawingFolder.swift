internal import FoundationEssentials
internal import Glibc

/// The folder that a drawing names pictures in.
///
/// What is text there a drawing could show as its own words (XInclude), so it gets files whose names say that they
/// are pictures or style sheets, and no others.
package enum DrawingFolder {
  private static let suffixes: Set<String> = [
    "png", "jpg", "jpeg", "jpe", "gif", "svg", "svgz", "webp", "avif", "tif", "tiff", "bmp", "ico",
    "css",
  ]
  /// Entries that are looked at: a drawing may lie in somebody's home.
  private static let most = 20_000

  /// True when a file of this name may be read.
  static func mayRead(_ name: String) -> Bool {
    name.lastIndex(of: ".").map { suffixes.contains(name[name.index(after: $0)...].lowercased()) }
      ?? false
  }

  /// The pictures and style sheets in the folder and beneath, the nearest first.
  ///
  /// Links are left out: what they lead to is there by its own name, or is not the folder's.
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
