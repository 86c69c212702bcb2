// EndToEndTests: the built program from outside. Each test is a person who types commands; the printers,
// the network and the files are real, and what is asserted is what comes out: text, JSON, exit codes,
// files, and what the printer received.

import FoundationEssentials
import Glibc
import TestSupport

/// Somebody who runs `airprint` at a bench, with settings, jobs and a cache of their own.
struct Person: Sendable {
  let bench: Bench
  /// Everything that is theirs is in here.
  let folder: String

  init(at bench: Bench) throws {
    self.bench = bench
    folder = "\(bench.scratch.path)/person-\(UUID().uuidString.prefix(8))"
    for path in [folder, "\(folder)/config", "\(folder)/documents"] {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: false)
    }
  }

  /// A person at the bench that all share: for tests that don't mind what else is on the network.
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

  /// A search ends by itself when all has been said.
  ///
  /// On a machine that stands still its deadline of 5 s may come first; whoever tests that one
  /// states it.
  private static func enoughTime(for arguments: [String]) -> [String] {
    arguments.first == "discover" && !arguments.contains { ["--timeout", "--help"].contains($0) }
      ? ["--timeout", "600"] : []
  }

  /// Starts a command line and leaves it running.
  func start(_ arguments: String..., input: Program.Input = .none) throws -> Program {
    try bench.start(["airprint"] + arguments, adding: variables, input: input)
  }

  /// Runs a script in which `$airprint` is the program: for what a shell does around it.
  func shell(_ script: String, timeout: Duration = patience) async throws -> Outcome {
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

  /// Writes a document and gives its path.
  func document(_ bytes: [UInt8], _ name: String = "page.pdf") throws -> String {
    let path = "\(folder)/documents/\(name)"
    try bytes.write(to: path)
    return path
  }

  /// Writes a file of their settings: `config.toml` or `printers.toml`.
  func configure(_ text: String, in name: String = "config.toml") throws {
    let place = "\(folder)/config/airprint"
    try FileManager.default.createDirectory(
      atPath: place, withIntermediateDirectories: true)
    try Array(text.utf8).write(to: "\(place)/\(name)")
  }

  /// The saved printers' file; nil when there is none.
  var printersFile: [UInt8]? {
    (try? Data(contentsOf: URL(filePath: "\(folder)/config/airprint/printers.toml"))).map {
      Array($0)
    }
  }

  /// A path in their folder.
  func path(_ name: String) -> String { "\(folder)/\(name)" }
}

extension [UInt8] {
  func write(to path: String) throws { try Data(self).write(to: URL(filePath: path)) }
}

/// A file's bytes.
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

/// A time of the day that is half a day away, whenever a test runs.
var halfADayAway: String {
  var now = time(nil)
  var parts = tm()
  localtime_r(&now, &parts)
  return "\((parts.tm_hour + 12) % 24):00"
}
