import FoundationEssentials
import TestSupport

/// Somebody who types what a page of the documentation says, as it stands there: with a home and a network
/// of their own, at whose desk simulated printers do what the page takes real ones for.
struct Reader: Sendable {
  static let repository = #filePath.split(separator: "/").dropLast(4)
    .reduce(into: "") { $0 += "/\($1)" }

  let bench: Bench
  let home: String
  /// Where they type.
  let desk: String

  /// - `printers`: by their names on the network, what each is (a profile of `simulate`, and its
  ///   options).
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

  /// `~` leads to the settings, and `airprint` is on the way.
  private var variables: [String: String] {
    let bin = (try? locate("airprint").split(separator: "/").dropLast()) ?? []
    return [
      "XDG_CONFIG_HOME": "\(home)/.config", "XDG_STATE_HOME": "\(home)/.local/state",
      "XDG_CACHE_HOME": "\(home)/.cache",
      "PATH": "/\(bin.joined(separator: "/")):\(bench.environment["PATH"] ?? "")",
    ]
  }

  /// Starts a script at the desk.
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
