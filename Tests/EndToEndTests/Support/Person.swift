// EndToEndTests: the built program from outside. Each test acts as a user who types commands; the printers, the
// network and the files are real, and the tests check the results: text, JSON, exit codes, files, and what the
// printer received.

import FoundationEssentials
import Glibc
import TestSupport

/// A user who runs `airprint` on a bench, with their own settings, jobs and cache.
struct Person: Sendable {
  let bench: Bench
  /// The folder with all of the user's files.
  let folder: String

  init(at bench: Bench) throws {
    self.bench = bench
    folder = "\(bench.scratch.path)/person-\(UUID().uuidString.prefix(8))"
    for path in [folder, "\(folder)/config", "\(folder)/documents"] {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: false)
    }
  }

  /// Returns a user on the shared bench, for tests that don't depend on what else is on the network.
  static func anybody() async throws -> Person { try Person(at: await Bench.shared) }

  var variables: [String: String] {
    [
      "XDG_CONFIG_HOME": "\(folder)/config", "XDG_STATE_HOME": "\(folder)/state",
      "XDG_CACHE_HOME": "\(folder)/cache",
    ]
  }

  // MARK: Commands

  /// Runs one command line to its end, without a terminal.
  func airprint(
    _ arguments: String..., adding others: [String: String] = [:], input: [UInt8]? = nil
  ) async throws -> Outcome {
    try await airprint(arguments, adding: others, input: input)
  }

  func airprint(
    _ arguments: [String], adding others: [String: String] = [:], input: [UInt8]? = nil
  ) async throws -> Outcome {
    try await bench.run(
      ["airprint"] + arguments + Self.enoughTime(for: arguments),
      adding: variables.merging(others) { $1 }, input: input)
  }

  /// Returns a longer timeout for `discover`, whose search ends by itself once all printers have answered.
  ///
  /// On a busy machine, its limit of 5 s could be reached first. Tests of that limit pass it explicitly.
  private static func enoughTime(for arguments: [String]) -> [String] {
    arguments.first == "discover" && !arguments.contains { ["--timeout", "--help"].contains($0) }
      ? ["--timeout", "600"] : []
  }

  /// Starts a command line and leaves it running.
  func start(_ arguments: String..., input: Program.Input = .none) throws -> Program {
    try bench.start(["airprint"] + arguments, adding: variables, input: input)
  }

  /// Runs a script in which `$airprint` is the program, to test it together with a shell.
  func shell(_ script: String, timeout: Duration = timeout) async throws -> Outcome {
    try await bench.run(
      ["bash", "-c", script],
      adding: variables.merging(["airprint": try locate("airprint")]) { $1 }, timeout: timeout)
  }

  /// Starts a command line on a terminal.
  func terminal(
    _ arguments: String..., adding others: [String: String] = [:], columns: Int = 100,
    rows: Int = 24
  ) throws -> TerminalSession {
    try bench.terminal(
      ["airprint"] + arguments, adding: variables.merging(others) { $1 }, columns: columns,
      rows: rows)
  }

  // MARK: Files

  /// Writes a document and returns its path.
  func document(_ bytes: [UInt8], _ name: String = "page.pdf") throws -> String {
    let path = "\(folder)/documents/\(name)"
    try bytes.write(to: path)
    return path
  }

  /// Writes a settings file: `config.toml` or `printers.toml`.
  func configure(_ text: String, in name: String = "config.toml") throws {
    let place = "\(folder)/config/airprint"
    try FileManager.default.createDirectory(
      atPath: place, withIntermediateDirectories: true)
    try Array(text.utf8).write(to: "\(place)/\(name)")
  }

  /// The file of saved printers; nil if there is none.
  var printersFile: [UInt8]? {
    (try? Data(contentsOf: URL(filePath: "\(folder)/config/airprint/printers.toml"))).map {
      Array($0)
    }
  }

  /// Returns a path in the user's folder.
  func path(_ name: String) -> String { "\(folder)/\(name)" }
}

extension [UInt8] {
  func write(to path: String) throws { try Data(self).write(to: URL(filePath: path)) }
}

/// Reads a file.
func bytes(of path: String) throws -> [UInt8] {
  Array(try Data(contentsOf: URL(filePath: path)))
}

func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

extension Person {
  /// Runs a script on a terminal; see `shell`.
  func shellTerminal(_ script: String, columns: Int = 100) throws -> TerminalSession {
    try bench.terminal(
      ["bash", "-c", script],
      adding: variables.merging(["airprint": try locate("airprint")]) { $1 }, columns: columns)
  }
}

/// A time of day that is half a day away, whenever a test runs.
var halfADayAway: String {
  var now = time(nil)
  var parts = tm()
  localtime_r(&now, &parts)
  return "\((parts.tm_hour + 12) % 24):00"
}
