import FoundationEssentials
import Glibc
import TestSupport

/// A running `airprint simulate`.
struct Simulation: Sendable {
  let person: Person
  let program: Program
  /// The folder of `--output`.
  let folder: String
  /// Its printers, as it reports them at the start.
  let printers: [JSON]

  var uri: String { printers[0].uri?.string ?? "" }
  var secureURI: String { "ipps" + uri.dropFirst(3) }
  /// The port that it listens on, as text for a command line.
  var port: String { String(uri.split(separator: ":").last?.prefix { $0.isNumber } ?? "") }
  var name: String { printers[0].name?.string ?? "" }

  /// The events so far, one object per event.
  var events: [JSON] {
    String(decoding: program.output, as: UTF8.self).split(separator: "\n").compactMap {
      try? JSON(Array($0.utf8))
    }
  }

  /// Waits for an event of this kind.
  @discardableResult
  func wait(for kind: String, count: Int = 1) async throws -> JSON {
    try await eventually("\(count) × \(kind) happens; until now: \(events)") {
      events.count { $0.event?.string == kind } >= count
    }
    return events.filter { $0.event?.string == kind }[count - 1]
  }

  /// Ends it as a service manager does, and returns the outcome.
  func end() async -> Outcome {
    program.signal(SIGTERM)
    return await program.end()
  }

  /// Returns the result of a job: `job.json`, and its pictures.
  func job(_ number: Int, of profile: String) throws -> Job {
    let folder = "\(folder)/\(profile)/job-\(number)"
    return Job(folder: folder, record: try JSON(bytes(of: "\(folder)/job.json")))
  }

  struct Job {
    let folder: String
    let record: JSON

    var pages: Int { record.pages?.array?.count ?? 0 }

    /// Returns a page's picture, with the resolution that the job states.
    func sheet(_ number: Int) throws -> Sheet {
      let page = record.pages?.array?[number - 1]
      let resolution = page?.resolution?.x?.number ?? 0
      return try Sheet(
        picture: bytes(of: "\(folder)/page-\(number).png"), resolution: Int(resolution))
    }
  }
}

extension Person {
  /// Starts `airprint simulate` and waits until its printers are there.
  ///
  /// Every printer has a different name, because tests run at the same time.
  func simulate(
    _ profile: String, _ options: String..., adding others: [String: String] = [:]
  ) async throws -> Simulation {
    try await simulate(profile, options, adding: others)
  }

  func simulate(
    _ profile: String, _ options: [String], adding others: [String: String] = [:]
  ) async throws -> Simulation {
    let folder = path("pages-\(UUID().uuidString.prefix(4))")
    // The kernel's own choice can't be taken by another program before it is bound, and is in the lower half of its
    // range (SO_REUSEADDR): none of ipp-usb's.
    var arguments = ["airprint", "simulate", "--json", "--port", "0", "--output", folder]
    // Several printers choose names that are free.
    if profile != "all", !options.contains("--name"), !options.contains("--server") {
      arguments += ["--name", "Sim \(UUID().uuidString.prefix(8))"]
    }
    // With `like`, an option has the printer to simulate.
    if profile != "like" { arguments.append(profile) }
    let program = try bench.start(
      arguments + options, adding: variables.merging(others) { $1 })
    try await program.wait(for: "\"started\"")
    let first = String(decoding: program.output, as: UTF8.self).split(separator: "\n")[0]
    let printers = try JSON(Array(first.utf8)).printers?.array ?? []
    return Simulation(person: self, program: program, folder: folder, printers: printers)
  }
}

extension Sheet {
  /// Returns a pixel's red, green and blue.
  func pixel(_ x: Int, _ y: Int) -> [UInt8] {
    let place = (y * width + x) * bytesPerPixel
    return Array(pixels[place..<place + bytesPerPixel])
  }
}
