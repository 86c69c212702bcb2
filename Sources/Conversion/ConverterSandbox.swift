internal import Glibc
internal import Logging
internal import PrintModel
internal import System

/// Files of the machine that a converter may see, as bubblewrap's arguments.
///
/// A converter gets no network, no other process, and no file but the program's libraries, fonts and its own working
/// folder: a document is untrusted, and so is whatever it makes its converter do.
package struct ConverterSandbox: Sendable {
  /// The converter's working folder, which is writable.
  var work: String
  /// The document's folder; nil unless the converter may read it.
  var base: String?
  /// Further readable paths.
  var reads: [String]
  /// Size in bytes of its /tmp, which is in memory.
  var temporary: Int

  /// Paths of both folders inside the sandbox.
  static let workInside = "/work"
  static let baseInside = "/document"

  /// True when bubblewrap is installed and this machine lets it create namespaces: some containers don't, and some
  /// kernels only let root.
  package static let isUsable: Bool = {
    let trial = ConverterSandbox(work: "/tmp", base: nil, reads: [], temporary: 1 << 20)
    return trial.arguments.map { ProgramPath.succeeds($0 + ["/bin/true"]) } ?? false
  }()

  /// bubblewrap and its arguments, up to the command; nil where it is not installed.
  var arguments: [String]? {
    guard let program = ProgramPath.find("bwrap") else { return nil }
    var arguments = [
      program, "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL",
      "--ro-bind", "/usr", "/usr",
    ]
    for folder in ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"] {
      arguments += ConverterSandbox.mirrored(folder)
    }
    arguments += ["--proc", "/proc", "--dev", "/dev"]
    // Root in the namespace is the machine's root, and could write the kernel's settings in its /proc.
    for path in [
      "/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs", "/proc/acpi",
    ] {
      arguments += ["--ro-bind-try", path, path]
    }
    arguments += ["--size", "\(temporary)", "--tmpfs", "/tmp"]
    for path in ConverterSandbox.libraryData { arguments += ["--ro-bind-try", path, path] }
    for (path, inside) in ConverterSandbox.ownFonts {
      arguments += ["--ro-bind-try", path, inside]
    }
    for path in reads { arguments += ["--ro-bind", path, path] }
    if let base { arguments += ["--ro-bind", base, ConverterSandbox.baseInside] }
    return arguments + [
      "--bind", work, ConverterSandbox.workInside, "--chdir", ConverterSandbox.workInside,
      "--remount-ro", "/", "--",
    ]
  }

  /// Arguments for a folder in /, which is a link into /usr on a merged system.
  private static func mirrored(_ folder: String) -> [String] {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(folder, &buffer, buffer.count - 1)
    guard count > 0 else { return ["--ro-bind-try", folder, folder] }
    let target = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    return ["--symlink", target, folder]
  }

  /// Files outside /usr that Debian's programs read; none of them reveals anything about the machine or its users.
  private static let libraryData = [
    "/etc/alternatives", "/etc/fonts", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
    "/etc/libreoffice", "/etc/chromium", "/etc/chromium.d", "/etc/ghostscript", "/etc/papersize",
    "/etc/paperspecs", "/etc/localtime", "/etc/mime.types", "/etc/ImageMagick-6",
    "/var/lib/ghostscript", "/var/cache/fontconfig",
  ]

  /// The user's fonts, each with its path under the home that converters get.
  private static var ownFonts: [(String, String)] {
    guard let home = getenv("HOME").map({ String(cString: $0) }), home.hasPrefix("/") else {
      return []
    }
    return [".fonts", ".local/share/fonts", ".config/fontconfig"].map {
      ("\(home)/\($0)", "/tmp/\($0)")
    }
  }
}
