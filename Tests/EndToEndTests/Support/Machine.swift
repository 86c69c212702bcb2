import FoundationEssentials
import TestSupport

/// The same person on a machine with an /etc/airprint of its own.
struct Machine {
  let person: Person
  private var etc: String { person.path("etc") }

  init(_ person: Person) throws {
    self.person = person
    try FileManager.default.createDirectory(
      atPath: "\(etc)/airprint", withIntermediateDirectories: true)
  }

  /// The administrator's config.toml.
  func configure(_ text: String) throws {
    try Array(text.utf8).write(to: "\(etc)/airprint/config.toml")
  }

  /// A file of /etc/airprint; nil when there is none.
  func text(of name: String) -> String? {
    (try? bytes(of: "\(etc)/airprint/\(name)")).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Puts a file in the place of one of /etc.
  func put(_ bytes: [UInt8], at name: String) throws {
    let path = "\(etc)/\(name)"
    try FileManager.default.createDirectory(
      atPath: path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" },
      withIntermediateDirectories: true)
    try bytes.write(to: path)
  }

  func airprint(_ arguments: String...) async throws -> Outcome { try await airprint(arguments) }

  func airprint(_ arguments: [String]) async throws -> Outcome {
    // /etc itself is copied, for /etc/airprint need not exist on the machine that runs the tests.
    let script = """
      set -e
      [ -e "$1/passwd" ] || cp -an /etc/. "$1" 2>/dev/null || true
      mount --bind "$1" /etc
      shift
      exec "$@"
      """
    return try await person.bench.run(
      Namespaces.available.unshare("--mount")
        + ["sh", "-c", script, "sh", etc, try locate("airprint")] + arguments,
      adding: person.variables)
  }
}
