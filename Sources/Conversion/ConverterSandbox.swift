internal import FoundationEssentials
internal import Glibc
internal import System

/// What a converter may see and use of the machine, as bubblewrap's arguments.
///
/// A converter gets no network, no other process, and no file but the program's libraries, fonts and its own working
/// folder: a document is untrusted, and so is whatever it makes its converter do. It can write nothing but memory, all
/// of which `ProcessFamily` counts, and the descriptors that it gets.
package struct ConverterSandbox: Sendable {
  /// Folder of the files that it finds in its working folder.
  var inputs: String?
  /// The document's folder; nil unless the converter may read it.
  var base: String?
  /// Further readable paths.
  var reads: [String] = []
  /// Bytes that each of its writable folders may hold.
  var memory: Int
  /// Number of the descriptor with the filter of its system calls; nil where there is none.
  var filter: Int32?

  /// Paths inside the sandbox: its working folder, and the document's folder.
  static let workInside = "/work"
  static let baseInside = "/document"
  /// Its writable folders, which are in memory.
  static let writable = [workInside, "/tmp", "/dev/shm"]

  /// True when bubblewrap is installed and this machine lets it create namespaces: some containers don't, and some
  /// kernels only let root.
  package static var isUsable: Bool { namespaces != nil }

  /// What bubblewrap is told to separate; nil where it is not usable.
  ///
  /// Root needs no user namespace, and in a chroot the kernel lets nobody make one, which ends bubblewrap since 0.12.
  private static let namespaces: [String]? = {
    let others = ["ipc", "pid", "net", "uts", "cgroup-try"].map { "--unshare-\($0)" }
    return [["--unshare-all"], others].first {
      let trial = ConverterSandbox(memory: 1 << 20).arguments($0)
      return trial.map { ProgramPath.succeeds($0 + ["/bin/true"]) } ?? false
    }
  }()

  /// bubblewrap and its arguments, up to the command; nil where it is not usable.
  var arguments: [String]? { Self.namespaces.flatMap(arguments) }

  private func arguments(_ namespaces: [String]) -> [String]? {
    ProgramPath.find("bwrap").map { program in
      [program] + namespaces + ["--die-with-parent", "--new-session", "--cap-drop", "ALL"]
        + (filter.map { ["--seccomp", "\($0)"] } ?? [])
        + mounts
        + ["--chdir", ConverterSandbox.workInside, "--remount-ro", "/", "--"]
    }
  }

  /// Everything that exists in the sandbox, in the order in which it is mounted.
  private var mounts: [String] {
    let system =
      Self.tree("/usr")
      + ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"].flatMap(Self.mirror)
      + ["--proc", "/proc"] + Self.kernelData
      // What is written to /dev itself would be memory without a limit.
      + ["--dev", "/dev", "--size", "4096", "--tmpfs", "/dev/shm", "--remount-ro", "/dev"]
    return system + Self.writable.flatMap { ["--size", "\(memory)", "--tmpfs", $0] }
      + Self.libraryData.flatMap { ["--ro-bind-try", $0, $0] }
      + Self.ownFonts.flatMap { ["--ro-bind-try", $0, $1] }
      + reads.flatMap { Self.tree($0) } + (base.map { Self.tree($0, at: Self.baseInside) } ?? [])
      + (inputs.map(Self.files(in:)) ?? [])
  }

  /// A file, or a folder with all that is below it.
  private static func tree(_ path: String, at inside: String? = nil) -> [String] {
    ["--ro-bind", path, inside ?? path]
  }

  /// A folder in /, which is a link into /usr on a merged system.
  private static func mirror(_ folder: String) -> [String] {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: folder))
      .map { ["--symlink", $0, folder] } ?? ["--ro-bind-try", folder, folder]
  }

  /// Something of the kernel that is hidden: a file without content, or an empty folder.
  private static func hidden(_ path: String) -> [String] {
    FileStatus(link: path)?.kind == S_IFDIR
      ? ["--size", "4096", "--tmpfs", path, "--remount-ro", path]
      : ["--ro-bind", "/dev/null", path]
  }

  /// What /proc shows of the machine: root in the namespace is the machine's root, could write the kernel's settings and
  /// read what the kernel keeps for root.
  private static var kernelData: [String] {
    let shown = [
      "cpuinfo", "filesystems", "loadavg", "meminfo", "stat", "sys", "uptime", "version",
    ]
    // Links to what a process sees of itself.
    let links = ["mounts", "net", "self", "thread-self"]
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.filter { Int($0) == nil && !links.contains($0) }
      .flatMap { shown.contains($0) ? tree("/proc/\($0)") : hidden("/proc/\($0)") }
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

  /// Files in the working folder.
  private static func files(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).flatMap {
      tree("\(folder)/\($0)", at: "\(workInside)/\($0)")
    }
  }
}
