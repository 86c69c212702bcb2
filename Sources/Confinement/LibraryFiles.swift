internal import Glibc
internal import System

/// Folders where drawing libraries keep what they read: fonts and their caches, loaders, color profiles, poppler-data,
/// and what the dynamic loader needs for libraries that are opened late.
enum LibraryFiles {
  static var all: [String] { system + own + fontFolders }

  private static let system = [
    "/usr/lib", "/usr/lib32", "/usr/lib64", "/lib", "/lib64", "/usr/share", "/usr/local/lib",
    "/usr/local/share", "/etc/fonts", "/etc/ld.so.cache", "/etc/localtime", "/etc/alternatives",
    "/var/cache/fontconfig", "/sys/devices/system/cpu", "/dev/urandom", "/dev/null",
    // Folders where Nix and Guix keep all of these.
    "/nix/store", "/gnu/store",
  ]

  /// The user's fonts, and fontconfig's settings and cache.
  private static var own: [String] {
    [
      home.map { "\($0)/.fonts" },
      base("XDG_DATA_HOME", ".local/share").map { "\($0)/fonts" },
      base("XDG_CONFIG_HOME", ".config").map { "\($0)/fontconfig" },
      base("XDG_CACHE_HOME", ".cache").map { "\($0)/fontconfig" },
    ].compactMap(\.self)
  }

  private static var home: String? { absolute("HOME") }

  private static func absolute(_ variable: String) -> String? {
    getenv(variable).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  private static func base(_ variable: String, _ standard: String) -> String? {
    absolute(variable) ?? home.map { "\($0)/\(standard)" }
  }

  /// Folders configured for fontconfig by the administrator or the user (fonts-conf(5), `dir`).
  ///
  /// Debian's defaults are below /usr.
  private static var fontFolders: [String] {
    let files = [
      "/etc/fonts/fonts.conf", "/etc/fonts/local.conf",
      base("XDG_CONFIG_HOME", ".config").map { "\($0)/fontconfig/fonts.conf" },
      absolute("FONTCONFIG_FILE"),
    ].compactMap(\.self)
    return files.flatMap { folders(namedIn: wholeFile($0, most: 1 << 20)) } + files
  }

  /// Absolute paths in `<dir>` elements: `<dir>/opt/fonts</dir>`, `<dir prefix="xdg">fonts</dir>`,
  /// `<dir>~/Fonts</dir>`.
  ///
  /// Compares byte by byte: a string search builds tables first, which takes longer than scanning these files.
  static func folders(namedIn bytes: [UInt8]) -> [String] {
    let element = Array("<dir".utf8)
    let (begin, end) = (UInt8(ascii: "<"), UInt8(ascii: ">"))
    var folders: [String] = []
    var rest = bytes[...]
    while let start = rest.firstIndex(of: begin) {
      rest = rest[start...]
      guard rest.starts(with: element) else {
        rest = rest.dropFirst()
        continue
      }
      guard let opened = rest.firstIndex(of: end) else { break }
      rest = rest[(opened + 1)...]
      let path = String(decoding: rest.prefix { $0 != begin }, as: UTF8.self)
      if path.hasPrefix("~/") {
        if let home { folders.append("\(home)\(path.dropFirst())") }
      } else if path.hasPrefix("/"), path != "/" {
        folders.append(path)
      }
    }
    return folders
  }
}
