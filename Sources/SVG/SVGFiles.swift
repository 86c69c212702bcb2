internal import DocumentBytes
internal import ForeignText
internal import FoundationEssentials
internal import Glibc
internal import PrintModel

/// The files that a drawing refers to.
struct SVGFiles {
  /// The folder of the drawing's files; nil: it loads none.
  let folder: String?

  struct Missing: Error { let why: String }

  /// What is said of a file that the drawing can't load; nil if it can.
  func loss(of link: String) -> Loss? {
    do throws(Missing) {
      _ = try open(link)
      return nil
    } catch {
      return Loss(.file, "The drawing's file \(link) is missing: \(error.why).".onOneLine)
    }
  }

  /// Opens the file behind a link.
  func open(_ link: String) throws(Missing) -> MappedFile {
    var path = link
    if let colon = link.firstIndex(of: ":"), link[..<colon].allSatisfy(\.isLetter) {
      guard link.hasPrefix("file:") else {
        throw Missing(why: "nothing is loaded from the network")
      }
      path = String(link.dropFirst(link.hasPrefix("file://") ? 7 : 5))
    }
    guard let folder else {
      throw Missing(why: "the drawing has no folder; name one with --assets")
    }
    path = percentDecoded(path.prefix { $0 != "?" && $0 != "#" })
    guard let real = realpath(path.hasPrefix("/") ? path : "\(folder)/\(path)", nil) else {
      throw Missing(why: "there is no such file in \(folder)")
    }
    defer { free(real) }
    guard let root = realpath(folder, nil) else {
      throw Missing(why: "\(folder) can't be read")
    }
    defer { free(root) }
    let (inside, outside) = (String(cString: real), String(cString: root))
    guard inside.hasPrefix(outside == "/" ? "/" : outside + "/") else {
      throw Missing(why: "it is not in \(folder); name its folder with --assets")
    }
    guard DrawingFolder.mayRead(inside) else {
      throw Missing(why: "its name is not that of a picture")
    }
    // realpath(3) also succeeds for files that can't be opened.
    let file = Glibc.open(real, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    defer { if file >= 0 { close(file) } }
    do throws(Failure) { return try MappedFile(file) } catch {
      throw Missing(why: "it can't be read")
    }
  }
}

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
