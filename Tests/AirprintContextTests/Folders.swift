import AirprintContext
import FoundationEssentials
import PrintModel
import TestSupport

/// A user's folder and the system's folder, with these files in them.
struct Folders {
  let places: Directories
  let path: String

  init(user: [String: String] = [:], system: [String: String] = [:]) throws {
    path = "\(Scratch.shared.path)/settings-\(UUID().uuidString)"
    var places = Directories(environment: [
      "HOME": path, "XDG_CONFIG_HOME": "\(path)/config", "XDG_CACHE_HOME": "\(path)/cache",
    ])
    places.system = "\(path)/etc"
    self.places = places
    for (folder, files) in [(places.configuration, user), (places.system, system)] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      for (name, text) in files {
        try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
      }
    }
  }

  /// Writes a file of the user's.
  func write(_ text: String, to name: String) throws {
    let path = "\(places.configuration)/\(name)"
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  func text(_ name: String) -> String? {
    FileManager.default.contents(atPath: "\(places.configuration)/\(name)")
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
