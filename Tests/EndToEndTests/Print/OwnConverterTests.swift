import TestSupport
import Testing

/// A user's own converters.
@Suite(.inTurn) struct OwnConverterTests {
  @Test func `one of the person's, by suffix, by a type of its own`() async throws {
    let person = try await Person.anybody()
    try person.converter(
      """
      command = ["sh", "-c", "{ echo '<!doctype html>'; rev \\"$1\\"; } > \\"$2\\"", "sh",
        "{input}", "{output}"]
      output = "text/html"
      [types]
      "text/x-backwards" = [".back"]
      """, "backwards")
    let file = try person.document(Array(">p/<olleh>p<".utf8), "a.back")
    let checked = try await person.airprint("check", file)
    #expect(checked.stdout.contains("text/x-backwards, 1 page of A4"), "\(checked.report)")
    let listed = try await person.airprint("check", "--formats", "--json")
    let format = try listed.json.array?.first { $0.mediaType == .string("text/x-backwards") }
    #expect(format?.reader?.string?.hasPrefix("sh") == true, "\(listed.stdout)")
  }

  @Test(.needsNamespaces) func `73: there is no space left for what a converter makes`()
    async throws
  {
    let person = try await Person.anybody()
    try person.converter(
      """
      command = ["sh", "-c", "head -c 2M /dev/zero > {output} || { echo sorry >&2; exit 1; }", "sh", "{input}"]
      [types]
      "text/html" = [".html"]
      """, "html")
    let file = try person.document(Array("<html><p>x</html>".utf8), "a.html")
    let full = person.path("full")
    let script = """
      mkdir -p \(full) && mount -t tmpfs -o size=1m,mode=700 none \(full) || exit 99
      TMPDIR=\(full) exec "$airprint" check \(file)
      """
    let checked = try await person.bench.run(
      Namespaces.available.unshare("--mount") + ["sh", "-c", script],
      adding: person.variables.merging(["airprint": try locate("airprint")]) { $1 })
    #expect(checked.code == 73, "\(checked.report)")
    #expect(
      checked.stderr.contains("can't be written: No space left on device"), "\(checked.stderr)")
  }

  @Test func `one of the person's takes the place of the package's of its name`() async throws {
    let person = try await Person.anybody()
    try person.converter(
      """
      command = ["sh", "-c", "echo my own >&2; exit 1", "sh", "{input}"]
      [types]
      "text/html" = [".html"]
      """, "html")
    let file = try person.document(Array("<html><p>x</html>".utf8), "a.html")
    let checked = try await person.airprint("check", file)
    #expect(
      checked.code == 65 && checked.stderr.contains("sh failed: my own."), "\(checked.report)")
  }

  @Test(arguments: [
    ("comand = []", "unknown key \"comand\" (did you mean \"command\"?)", 4),
    ("timeout = 0", "timeout takes a number of seconds, 1 to 3600", 4),
    ("memory = \"much\"", "memory takes a number of megabytes", 4),
    ("output = \"pdf\"", "is not a MIME type", 4),
    ("folder = 1", "folder takes true or false", 4),
    ("command = [\"cat\", \"{inpt}\", \"{input}\"]", "{inpt} (did you mean \"input\"?)", 4),
    ("command = [\"cat\"]", "does not use {input}", 4),
    ("command = [\"cat\"", "", 5),
    ("[types]\n\"text/x-a\" = [\"a\"]", "begin with a dot", 5),
    ("[files]\n\"../a\" = \"x\"", "plain name", 5),
  ])
  func `78: a wrong file, with its line`(
    _ text: String, _ words: String, _ line: Int
  ) async throws {
    let person = try await Person.anybody()
    var whole = "# A converter\n\n\n\(text)\n"
    if !text.contains("command =") {
      whole = whole.replacing("\n\n\n", with: "\n#\ncommand = [\"cat\", \"{input}\"]\n")
    }
    if !text.contains("[types]") { whole += "[types]\n\"text/x-a\" = []\n" }
    try person.converter(whole, "wrong")
    let file = try person.document(Array("<html></html>".utf8), "a.html")
    let checked = try await person.airprint("check", file)
    #expect(checked.code == 78, "\(checked.report)")
    #expect(checked.stderr.contains("converters/wrong.toml:\(line):"), "\(checked.stderr)")
    #expect(checked.stderr.contains(words), "\(checked.stderr)")
    // Documents that need no converter still print.
    let pdf = try person.document(PDF().bytes)
    #expect(try await person.airprint("check", pdf).code == 0)
  }
}
