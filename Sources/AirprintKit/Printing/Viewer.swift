internal import Conversion
internal import FoundationEssentials
internal import Glibc
package import PrintModel
internal import System

/// What shows files on this desktop: `xdg-open`, which asks the desktop.
package struct Viewer: Sendable {
  private let program: String
  private let context: Context

  /// Exit 69 where nothing can be shown: no desktop, or no xdg-open.
  package init(_ context: Context) throws(Failure) {
    let hasDesktop = ["WAYLAND_DISPLAY", "DISPLAY"].contains {
      context.environment[$0]?.isEmpty == false
    }
    guard hasDesktop else {
      throw Failure(
        .unavailable,
        "There is no desktop to open pages on (neither WAYLAND_DISPLAY nor DISPLAY is set). "
          + "Write them to a file or folder with -o.")
    }
    let folders = context.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    guard let program = ProgramPath.find("xdg-open", in: folders) else {
      throw Failure(
        .unavailable,
        "There is no xdg-open, which opens files on the desktop: apt install xdg-utils. "
          + "Or write the pages to a file or folder with -o.")
    }
    self.program = program
    self.context = context
  }

  /// A place for a preview that nobody named: a folder of its own, for this account alone, that stays
  /// for the viewer and goes when the system clears its temporary files. Exit 73 when there is none.
  package func place(for document: String) throws(Failure) -> String {
    var template = Array("\(context.temporary)/airprint-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw Failure(
        .cannotWrite,
        "\(context.temporary) can't be written: \(String(cString: strerror(errno))).")
    }
    let folder = String(
      decoding: template.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    let name = document == "-" ? "stdin" : Context.lastComponent(document)
    let stem = name.lastIndex(of: ".").map { $0 == name.startIndex ? name : String(name[..<$0]) }
    return "\(folder)/\(stem ?? name).pdf"
  }

  /// Opens a file, and waits for xdg-open, which most desktops end at once. Exit 69 when nothing shows
  /// it.
  package func show(_ path: String) async throws(Failure) {
    let status = await onThread { run(path) }
    guard let status else {
      throw Failure(.unavailable, "\(program) can't be started.")
    }
    // A viewer that a signal ended was closed by somebody. xdg-open(1): 3 is a missing tool.
    let code = status >> 8 & 0xFF
    guard status & 0x7F == 0, code != 0 else { return }
    throw Failure(
      .unavailable,
      code == 3
        ? "Nothing is installed that shows \(path): xdg-open found no application for it."
        : "xdg-open can't show \(path) (exit \(code)).")
  }

  /// wait(2)'s status; nil when it can't be started.
  private func run(_ path: String) -> Int32? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // Standard output is ours: it may be JSON.
    posix_spawn_file_actions_adddup2(&actions, 2, 1)
    // A relative path that begins with a dash is no option.
    let file = path.hasPrefix("-") ? "./\(path)" : path
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(program), strdup(file), nil]
    defer { arguments.forEach { free($0) } }
    var process: pid_t = 0
    guard posix_spawn(&process, program, &actions, nil, &arguments, environ) == 0 else {
      return nil
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    return status
  }
}
