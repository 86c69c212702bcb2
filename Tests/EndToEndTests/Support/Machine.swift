import FoundationEssentials
import Glibc
import TestSupport

/// The same user on a machine with its own /etc/airprint.
struct Machine {
  let person: Person
  private var etc: String { person.path("etc") }

  init(_ person: Person) throws {
    self.person = person
    try FileManager.default.createDirectory(
      atPath: etc, withIntermediateDirectories: true)
  }

  /// Writes the system's config.toml.
  func configure(_ text: String) throws {
    try put(Array(text.utf8), at: "airprint/config.toml")
  }

  /// Returns a file of /etc/airprint; nil if it does not exist.
  func text(of name: String) -> String? {
    (try? bytes(of: "\(etc)/airprint/\(name)")).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the permissions of a file or folder of /etc; nil if it does not exist.
  func mode(of name: String) -> mode_t? {
    var status = stat()
    return stat("\(etc)/\(name)", &status) == 0 ? status.st_mode & 0o777 : nil
  }

  /// Replaces a file of /etc.
  func put(_ bytes: [UInt8], at name: String) throws {
    let path = "\(etc)/\(name)"
    try FileManager.default.createDirectory(
      atPath: path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" },
      withIntermediateDirectories: true)
    try bytes.write(to: path)
  }

  func airprint(_ arguments: String...) async throws -> Outcome { try await airprint(arguments) }

  func airprint(_ arguments: [String]) async throws -> Outcome {
    // All of /etc is copied, because the machine that runs the tests may have no /etc/airprint. Everybody must be able
    // to read what root writes there, whatever root's umask.
    let script = """
      set -e
      [ -e "$1/passwd" ] || cp -an /etc/. "$1" 2>/dev/null || true
      mount --bind "$1" /etc
      shift
      umask 077
      exec "$@"
      """
    return try await person.bench.run(
      Namespaces.available.unshare("--mount")
        + ["sh", "-c", script, "sh", etc, try locate("airprint")] + arguments,
      adding: person.variables)
  }
}
