import AirprintContext
import FoundationEssentials
import PrintModel
import TestSupport

/// A context with its own folders.
struct Place {
  var context: Context
  let folder: String

  init(
    _ printers: [SavedPrinter] = [], default name: String? = nil, _ types: [JobType: String] = [:]
  )
    throws
  {
    folder = "\(Scratch.shared.path)/printing-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    context = Context(environment: ["HOME": folder, "TMPDIR": folder, "LC_PAPER": "C"])
    context.directories.system = "\(folder)/etc"
    context.settings = SettingsFiles(context.directories)
    guard !printers.isEmpty else { return }
    try context.settings.changePrinters { page in
      page.printers = printers
      page.defaultName = name
      page.byType = types
    }
  }

  /// Writes a file into the folder and returns its path.
  func write(_ text: String, to name: String) throws -> String {
    let path = "\(folder)/\(name)"
    try FileManager.default.createDirectory(
      atPath: String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]),
      withIntermediateDirectories: true)
    try writeFile(Array(text.utf8), to: path)
    return path
  }
}
