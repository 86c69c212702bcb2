import ForeignText
import TestSupport
import Testing

/// The shells that people paste commands into, each with the options to start it without its configuration.
private let shells = [
  ["sh"], ["bash", "--norc", "--noprofile"], ["zsh", "-f"], ["fish", "--no-config"],
].filter { (try? locate($0[0])) != nil }

@Suite struct ShellWordTests {
  @Test(arguments: [
    ("Till", "Till"),
    ("ipp://[fe80::1%25eth0]:631/ipp/print", "'ipp://[fe80::1%25eth0]:631/ipp/print'"),
    ("Office Laser", "'Office Laser'"), ("Tom's", "'Tom'\\''s'"), ("", "''"), ("-d", "'-d'"),
    ("two\nlines", "two%0Alines"), ("a\\", "a%5C"),
    ("l'\u{301};touch x;'\u{301}", "l%27%CC%81%3Btouch%20x%3B%27%CC%81"),
  ])
  func `a word is quoted, or coded where quotes do not help`(word: String, expected: String) {
    #expect(ShellWord.quoted(word) == expected)
  }

  @Test func `bash's own escapes`() {
    #expect(ShellWord.escaped("Tom's $(x): 2 é_-./") == "Tom\\'s\\ \\$\\(x\\):\\ 2\\ é_-./")
  }

  /// Commands that people are told to paste, in each of their shells: one process for all names.
  @Test(arguments: shells)
  func `a shell reads back what was quoted and runs nothing`(_ shell: [String]) async throws {
    let scratch = try Scratch()
    // Shell quoting can't represent NUL, and no name in a command contains one.
    let names = HostileNames.all.map(\.safeName)
    let lines = names.map { "printf '%s\\0' \(ShellWord.quoted($0))" }
    for word in lines {
      #expect(cleaned(word).utf8.elementsEqual(word.utf8), "\(word) reaches the screen")
    }
    let script = try scratch.write(lines.joined(separator: "\n") + "\n", to: "script")
    let outcome = try await run(shell + [script], environment: scratch.environment)
    let words = outcome.stdout.split(separator: "\0", omittingEmptySubsequences: false).dropLast()
    #expect(outcome.stderr.isEmpty)
    #expect(words.map(String.init) == names)
    await scratch.close()
  }

  /// Checks what Tab inserts in bash.
  @Test func `bash reads back what was escaped`() async throws {
    let scratch = try Scratch()
    let names = HostileNames.all.map(\.safeName)
    let lines = names.map { "printf '%s\\0' \(ShellWord.escaped($0))" }
    let script = try scratch.write(lines.joined(separator: "\n") + "\n", to: "script")
    let outcome = try await run(["bash", "--norc", script], environment: scratch.environment)
    let words = outcome.stdout.split(separator: "\0", omittingEmptySubsequences: false).dropLast()
    #expect(words.map(String.init) == names)
    await scratch.close()
  }

  @Test(
    arguments: [
      ("", "", nil), ("Office\\ La", "Office La", nil), ("\"Of", "Of", "\""), ("'a\\", "a\\", "'"),
      ("\"a\"'b", "ab", "'"), ("a\\'b", "a'b", nil),
      ("`\u{301}\\`\u{301}", "`\u{301}`\u{301}", nil),
    ] as [(String, String, Unicode.Scalar?)])
  func `a word as far as it is typed`(typed: String, text: String, quote: Unicode.Scalar?) {
    let word = TypedWord(typed)
    #expect(word.text.utf8.elementsEqual(text.utf8))
    #expect(word.openQuote == quote)
  }
}

@Suite struct SafeNameTests {
  @Test(arguments: [
    "Office Laser", "Tom's Laser", "Büro (3. Stock): Drucker – 2", "写真プリンター", "מדפסת 2", "50% off",
    "Laser `x`", "tiếng Việt", "e\u{301}",
  ])
  func `a plain name is offered as it is`(name: String) { #expect(name.safeName == name) }

  @Test(arguments: [
    ("Laser\u{202E}", "Laser%E2%80%AE"), ("-d", "%2Dd"), ("~root", "%7Eroot"), (" x", "%20x"),
    ("x ", "x%20"),
    ("a-b\u{1B}", "a-b%1B"),
    ("`\u{301}", "%60%CC%81"),
    ("L%20x", "L%2520x"), ("a\\b", "a%5Cb"), ("a\u{A0}b", "a%C2%A0b"), ("\u{600}5", "%D8%805"),
  ])
  func `what is not is offered in safe letters`(name: String, code: String) {
    #expect(name.safeName == code)
    #expect(name.isCoded(as: code))
  }

  @Test func `the code of every hostile name is safe letters, and no two have the same`() {
    let safe = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.%".utf8)
    for name in HostileNames.all {
      #expect(name.codedName.utf8.allSatisfy(safe.contains) && name.codedName.utf8.first != 0x2D)
      #expect(name.isPlainName || name.safeName == name.codedName)
    }
    #expect(
      Set(HostileNames.all.map(\.codedName)).count
        == Set(HostileNames.all.map { Array($0.utf8) }).count)
  }
}
