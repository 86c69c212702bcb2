import FoundationEssentials
import TestSupport

/// A reader who types exactly what a page of the documentation shows.
///
/// The reader has a home and a network of their own, where simulated printers stand in for the real ones on the page.
struct Reader: Sendable {
  static let repository = #filePath.split(separator: "/").dropLast(4)
    .reduce(into: "") { $0 += "/\($1)" }

  let bench: Bench
  let home: String
  /// The reader's working folder.
  let desk: String

  /// - `printers`: a profile of `simulate` with its options, by name on the network.
  init(printers: KeyValuePairs<String, String>) async throws {
    bench = try await Bench()
    home = "\(bench.scratch.path)/home"
    desk = "\(home)/desk"
    try FileManager.default.createDirectory(
      atPath: desk, withIntermediateDirectories: false)
    for (name, profile) in printers {
      let printer = try bench.start(
        ["airprint", "simulate", "--json", "--port", "0", "--name", name]
          + profile.split(separator: " ").map(String.init),
        adding: variables)
      try await printer.wait(for: "\"listedAs\":\"\(name)\"")
    }
  }

  /// Environment variables that set `~` to the settings and put `airprint` on the path.
  private var variables: [String: String] {
    let bin = (try? locate("airprint").split(separator: "/").dropLast()) ?? []
    return [
      "XDG_CONFIG_HOME": "\(home)/.config", "XDG_STATE_HOME": "\(home)/.local/state",
      "XDG_CACHE_HOME": "\(home)/.cache",
      "PATH": "/\(bin.joined(separator: "/")):\(bench.environment["PATH"] ?? "")",
    ]
  }

  /// Starts a script in the working folder.
  func start(_ script: String) throws -> Program {
    try bench.start(["bash", "-c", "cd '\(desk)'\n\(script)"], adding: variables)
  }

  func type(_ script: String) async throws -> Outcome {
    try await start(script).end(within: .seconds(300))
  }

  func write(_ bytes: [UInt8], to name: String) throws {
    try bytes.write(to: "\(desk)/\(name)")
  }

  func close() async { await bench.close() }
}
