import FoundationEssentials
import Glibc
package import Testing

// Code under test in the test process uses that process's environment, and libdbus reads the bus address only once.
// So a test that needs a bench's bus runs a second time in its own process:
//
//     @Test func `a printer is found`() async throws {
//       if isOwnProcess { … what is tested …; return }
//       let bench = try await Bench.shared
//       … what it needs …
//       try await bench.repeatTest()
//     }
//
// (Exit tests would work too, but each blocks a thread of Swift's pool, which has one per core.)

/// True if `Bench.repeatTest` started this process to run one test.
package let isOwnProcess = ownProcess != nil

private let ownProcess = getenv("AIRPRINT_TEST_FOLDER").map { String(cString: $0) }

extension Bench {
  /// Runs the current test again, in a process with this bench's bus, and waits for it.
  ///
  /// If it records issues, this test records one issue.
  ///
  /// - `variables`: passed to the second process, which reads them with `variable(_:)`.
  package func repeatTest(
    adding variables: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let outcome = try await secondRun(adding: variables)
    // A run that finds no test exits with 0, too.
    guard outcome.code == 0, outcome.stderr.contains("Test run with 1 test ") else {
      let report = outcome.stderr.split(separator: "\n").filter {
        !$0.hasPrefix("◇") && !$0.hasPrefix("✔")
      }
      Issue.record(
        "\(outcome.end) in its own process:\n\(report.joined(separator: "\n"))\n\(outcome.stdout)",
        sourceLocation: sourceLocation)
      return
    }
  }

  /// Runs the current test again, as `repeatTest` does, and returns the outcome.
  package func secondRun(adding variables: [String: String] = [:]) async throws -> Outcome {
    guard let test = Test.current else { throw Missing("a test to repeat") }
    var variables = variables
    variables["AIRPRINT_TEST_FOLDER"] = scratch.path
    if let path = getenv("LD_LIBRARY_PATH") { variables["LD_LIBRARY_PATH"] = String(cString: path) }
    let command = [CommandLine.arguments[0], "--testing-library", "swift-testing", "--filter"]
    // The second process's own timeout ends first, so that it reports what it waited for.
    return try await run(
      command + [Self.pattern(for: test)], adding: variables, timeout: timeout * 1.5)
  }

  /// Returns a regular expression that matches only the test's identifier.
  private static func pattern(for test: Test) -> String {
    let identifier = "\(test.id)"
    return identifier.map { $0.isLetter || $0.isNumber || $0 == "/" ? String($0) : "." }.joined()
  }
}

/// Returns a variable that `Bench.repeatTest` passed to this process.
package func variable(_ name: String) throws -> String {
  guard let value = getenv(name) else { throw Missing("the variable \(name)") }
  return String(cString: value)
}

/// A signal between the two processes of one test: a file in the bench's folder.
package struct Sign: Sendable {
  private let path: String

  /// - `bench`: nil in the second process.
  package init(_ name: String, on bench: Bench? = nil) {
    path = "\(bench?.scratch.path ?? ownProcess ?? "")/sign-\(name)"
  }

  /// - `text`: a message for the other process.
  package func raise(_ text: String = "") {
    do {
      // Written under another name first, so that the file is complete once it exists.
      try writeFile(Array(text.utf8), to: "\(path)~")
      guard rename("\(path)~", path) == 0 else { throw Missing(path) }
    } catch {
      fatalError("\(error)")
    }
  }

  /// Returns the text that was passed to `raise`.
  package func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  package func wait() async throws {
    try await eventually("a sign at \(path)") { access(path, F_OK) == 0 }
  }
}
