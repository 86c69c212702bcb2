import FoundationEssentials
import Glibc
import System
import TestSupport
import Testing

/// Every course that a job can take with a number of faults, on printers by the book: it is printed at most once, and
/// what is said of it is true.
///
/// `make model` searches deeper. A violation is shown as a story, the one with the fewest faults first, with the line
/// that runs it again.
@Suite struct ModelTests {
  private static let variables = ProcessInfo.processInfo.environment
  /// One course instead of all: what a violation's last line sets.
  private static let replayed = variables["AIRPRINT_COURSE"].map {
    $0.split(separator: ".").compactMap { Int($0) }
  }
  /// `make model` searches deeper than the usual run, which takes some seconds.
  private static let mostFaults = variables["AIRPRINT_MODEL"].flatMap { Int($0) }

  /// The number of courses at random, which `make simulate-faults` sets.
  private static let seeds = variables["AIRPRINT_SEEDS"].flatMap { Int($0) }

  @Test(arguments: ModelPrinter.Kind.allCases)
  func `a job is printed at most once, and what is said of it is true`(
    _ kind: ModelPrinter.Kind
  ) async throws {
    let folder = try #require(Self.folder())
    defer { rmdir(folder) }
    let index = ModelPrinter.Kind.allCases.firstIndex { $0.description == kind.description } ?? 0
    if let course = Self.replayed {
      guard course.first == index else { return }
      let choices = Choices(mostFaults: 0, replaying: Array(course.dropFirst()))
      let run = try ModelRun(kind, choices, in: folder)
      #expect(run.violations.isEmpty, "\(run.story)")
      return
    }
    let mostFaults = Self.mostFaults ?? (kind.isUsual ? 2 : 1)
    let count = try await onThread { () throws(Problem) -> Int in
      var count = 0
      for faults in 0...mostFaults {
        let choices = Choices(mostFaults: faults)
        repeat {
          count += 1
          let run: ModelRun
          do { run = try ModelRun(kind, choices, in: folder) } catch { throw Problem(error) }
          guard run.violations.isEmpty else { throw Problem(run, kind, index, choices) }
        } while choices.advance()
      }
      return count
    }
    #expect(count > 10)
    if Self.mostFaults != nil { print("\(kind): \(count) courses") }
  }

  /// Up to twelve faults in each: every seed is a course of its own, the same in every run.
  @Test(
    .enabled(if: seeds != nil, "AIRPRINT_SEEDS is not set"), arguments: ModelPrinter.Kind.allCases)
  func `so it is after many faults`(_ kind: ModelPrinter.Kind) async throws {
    let folder = try #require(Self.folder())
    defer { rmdir(folder) }
    let kinds = ModelPrinter.Kind.allCases
    let index = kinds.firstIndex { $0.description == kind.description } ?? 0
    try await onThread { () throws(Problem) in
      for seed in stride(from: index, to: Self.seeds ?? 0, by: kinds.count) {
        let choices = Choices(seed: seed)
        let run: ModelRun
        do { run = try ModelRun(kind, choices, in: folder) } catch { throw Problem(error) }
        guard run.violations.isEmpty else { throw Problem(run, kind, index, choices) }
      }
    }
  }

  private struct Problem: Error {
    var words: String

    init(_ error: any Error) { words = "\(error)" }

    init(_ run: ModelRun, _ kind: ModelPrinter.Kind, _ index: Int, _ choices: Choices) {
      let course = ([index] + choices.path).map { "\($0)" }.joined(separator: ".")
      words = "\(kind):\n\(run.story)\nAgain: AIRPRINT_COURSE=\(course) make model"
    }
  }

  /// A folder in memory, if there is one.
  private static func folder() -> String? {
    var path = Array(
      "\(access("/dev/shm", W_OK) == 0 ? "/dev/shm" : Scratch.shared.path)/airprint-model.XXXXXX"
        .utf8CString)
    return mkdtemp(&path).map { String(cString: $0) }
  }
}
