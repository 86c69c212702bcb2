package import PrintModel
internal import System

/// The program that shows files on this desktop: `xdg-open`, which uses the desktop's application.
package struct Viewer: Sendable {
  private let program: String
  private let temporary: String

  /// Finds the program; exit 69 if nothing can be shown: no desktop, or no xdg-open.
  ///
  /// - `temporary`: the folder for temporary files.
  package init(_ environment: [String: String], temporary: String) throws(Failure) {
    let hasDesktop = ["WAYLAND_DISPLAY", "DISPLAY"].contains {
      environment[$0]?.isEmpty == false
    }
    guard hasDesktop else {
      throw .unavailable(
        "There is no desktop to open pages on (neither WAYLAND_DISPLAY nor DISPLAY is set). "
          + "Write them to a file or folder with -o.")
    }
    let folders = environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    guard let program = ProgramPath.find("xdg-open", in: folders) else {
      throw .unavailable(
        "xdg-open, which opens files on the desktop, is not installed: \(installing("xdg-utils")). "
          + "Or write the pages to a file or folder with -o.")
    }
    self.program = program
    self.temporary = temporary
  }

  /// Returns a path for a preview without a name: in a new folder, private to this account, which remains for the
  /// viewer until the system clears its temporary files.
  ///
  /// Exit 73 if it can't be created.
  ///
  /// - `title`: the file's name without its suffix.
  package func place(for title: String) throws(Failure) -> String {
    guard let folder = PrivateFolder.makeTemporary("\(temporary)/airprint-") else {
      throw .cannotWrite(temporary, SystemError())
    }
    return "\(folder)/\(title).pdf"
  }

  /// Opens a file, and waits for xdg-open, which ends immediately on most desktops.
  ///
  /// Exit 69 if nothing can show it.
  package func show(_ path: String) async throws(Failure) {
    let status = await onThread { run(path) }
    guard let status else {
      throw .unavailable("\(program) can't be started.")
    }
    // A viewer that was ended by a signal was closed by someone. xdg-open(1): 3 is a missing tool.
    guard case .exit(let code) = status, code != 0 else { return }
    throw .unavailable(
      code == 3
        ? "No application is installed that shows \(path): xdg-open found none."
        : "xdg-open can't show \(path) (exit \(code)).")
  }

  /// Runs xdg-open; nil if it can't be started.
  private func run(_ path: String) -> ExitStatus? {
    // A relative path that starts with a dash must not be an option.
    var start = ProgramStart([program, path.hasPrefix("-") ? "./\(path)" : path])
    // Standard output is airprint's own: it may be JSON.
    start.descriptors = [1: .copy(of: 2)]
    return (try? start.start()).map { ExitStatus.wait(for: $0) }
  }
}
