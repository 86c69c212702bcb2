internal import FoundationEssentials
internal import Glibc

/// Folders where libraries that draw keep what they read: fonts and their caches, loaders, color
/// profiles, poppler-data, and what the dynamic loader needs for those that are opened late.
enum LibraryFiles {
  static var all: [String] { system + own + fontFolders }

  private static let system = [
    "/usr/lib", "/usr/lib32", "/usr/lib64", "/lib", "/lib64", "/usr/share", "/usr/local/lib",
    "/usr/local/share", "/etc/fonts", "/etc/ld.so.cache", "/etc/localtime", "/etc/alternatives",
    "/var/cache/fontconfig", "/sys/devices/system/cpu", "/dev/urandom", "/dev/null",
    // Folders where other systems keep all of these.
    "/nix/store", "/gnu/store",
  ]

  /// The person's fonts, and what fontconfig knows of them.
  private static var own: [String] {
    var folders: [String] = []
    func add(_ variable: String, _ standard: String, _ name: String) {
      if let base = absolute(variable) ?? home.map({ "\($0)/\(standard)" }) {
        folders.append("\(base)/\(name)")
      }
    }
    if let home { folders.append("\(home)/.fonts") }
    add("XDG_DATA_HOME", ".local/share", "fonts")
    add("XDG_CONFIG_HOME", ".config", "fontconfig")
    add("XDG_CACHE_HOME", ".cache", "fontconfig")
    return folders
  }

  private static var home: String? { absolute("HOME") }

  private static func absolute(_ variable: String) -> String? {
    getenv(variable).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  /// Folders that the administrator or the person told fontconfig of (fonts-conf(5), `dir`).
  ///
  /// Debian's own are below /usr.
  private static var fontFolders: [String] {
    var files = ["/etc/fonts/fonts.conf", "/etc/fonts/local.conf"]
    if let base = absolute("XDG_CONFIG_HOME") ?? home.map({ "\($0)/.config" }) {
      files.append("\(base)/fontconfig/fonts.conf")
    }
    if let file = absolute("FONTCONFIG_FILE") { files.append(file) }
    return files.flatMap { file in
      let bytes = FileManager.default.contents(atPath: file) ?? Data()
      return folders(namedIn: String(decoding: bytes, as: UTF8.self))
    } + files
  }

  /// `<dir>/opt/fonts</dir>`, `<dir prefix="xdg">fonts</dir>`, `<dir>~/Fonts</dir>`.
  private static func folders(namedIn text: String) -> [String] {
    text.split(separator: "<dir").dropFirst().compactMap { element in
      let parts = element.split(separator: ">", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let path = parts[1].split(separator: "<").first else { return nil }
      if path.hasPrefix("~/") { return home.map { "\($0)\(path.dropFirst())" } }
      return path.hasPrefix("/") && path != "/" ? String(path) : nil
    }
  }
}
