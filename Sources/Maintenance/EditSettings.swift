package import AirprintContext
internal import Conversion
internal import FoundationEssentials
internal import Glibc
package import PrintModel
internal import System

/// Lets a user edit a copy of `config.toml`, which replaces it when it is valid.
///
/// - `again`: called with the error; true to edit again. If it returns false, the file is not changed: exit 78.
/// - Returns: false if nothing was changed.
package func editSettings(
  _ file: ConfigurationFile, _ context: Context, again: (Failure) async throws -> Bool
) async throws -> Bool {
  guard let folder = PrivateFolder.makeTemporary("\(context.temporary)/airprint-") else {
    throw Failure.cannotWrite(context.temporary, SystemError())
  }
  // This includes the files that the editor leaves beside it.
  defer { try? FileManager.default.removeItem(atPath: folder) }
  let copy = "\(folder)/config.toml"
  let initial = file.text.isEmpty ? settingsTemplate : file.text
  guard AtomicFile.write(Array(initial.utf8), to: copy) else {
    throw Failure.cannotWrite(copy, SystemError())
  }
  while true {
    let text = try await onThread { () throws(Failure) in try edit(copy, context) }
    guard text != initial else { return false }
    do throws(Failure) {
      try file.check(text)
    } catch {
      if try await again(error) { continue }
      throw Failure.configuration("\(file.path) was not changed; the edit is discarded.")
    }
    try file.write(text)
    return true
  }
}

/// The text to start with if there are no settings yet.
private let settingsTemplate = """
  # Settings of airprint. airprint(1) lists all keys under SETTINGS.
  #
  # color = "gray"
  # sides = "long"
  #
  # [types.receipt]
  # paper = "80mm"

  """

/// Runs the editor (`VISUAL`, `EDITOR`, else the system's) on a file, and returns the file's new contents.
private func edit(_ path: String, _ context: Context) throws(Failure) -> String {
  let names = ["VISUAL", "EDITOR"].compactMap { context.environment[$0] }
  let chosen = names.first { !$0.isEmpty }
  // A script may set one that needs no terminal.
  guard chosen != nil || isatty(0) == 1 && isatty(1) == 1 else {
    throw .usage("There is no terminal for an editor. Use airprint config set, or set EDITOR.")
  }
  let editor =
    chosen
    ?? ["editor", "nano", "vi"].first { name in
      ProgramPath.find(name, in: context.environment["PATH"] ?? "/usr/bin:/bin") != nil
    }
  guard let editor else {
    throw .usage("No editor was found: set EDITOR.")
  }
  // Parsed by the shell, as in git: EDITOR="code --wait".
  let status = try runShell("\(editor) \"$@\"", [editor, path])
  guard status == .exit(0) else {
    throw .usage("\(editor) exited with \(status.code): nothing was changed.")
  }
  do throws(Failure) {
    return String(decoding: try ConfigurationFile.contents(path), as: UTF8.self)
  } catch {
    throw .unreadable(error.message)
  }
}

/// Returns the failures, exit 78, of jobs that need a file or a program which the settings or a converter name by its
/// path, and which is missing.
package func missingFiles(_ context: Context) -> [Failure] {
  let files = try? context.settings.configuration().missingFiles(context.environment["PATH"] ?? "")
  let converters = try? context.settings.converters().all.filter { !$0.isInstalled }
  return (files ?? [])
    + (converters ?? []).map(\.isMissing).filter { $0.reason == .configuration }
}
