import AirprintCommands
import FoundationEssentials
import ForeignText
import TestSupport
import Testing

/// Printers choose their own names and those of their trays and media: Tab offers them, inserts them so that Enter
/// uses them unchanged, and runs nothing.
///
/// The tests use real shells with airprint's functions and the real command, with saved printers and a cache that
/// contain every hostile name.
@Suite struct HostileCompletionTests {
  /// No file can contain a NUL.
  private static let names = HostileNames.all.filter { !$0.utf8.contains(0) }

  /// Creates a folder with these saved printers, and the attributes of the printer `Main`.
  private static func scratch() throws -> Scratch {
    let scratch = try Scratch()
    let files = FileManager.default
    for folder in ["config/airprint", "cache/airprint/status"] {
      try files.createDirectory(
        atPath: "\(scratch.path)/\(folder)", withIntermediateDirectories: true)
    }
    let book = (["Main"] + names).enumerated().map { index, name in
      "[printers.\"\(escaped(name))\"]\nuri = \"ipp://localhost:\(index + 1)/ipp/print\"\n"
    }
    _ = try scratch.write(
      "default = \"Main\"\n" + book.joined(), to: "config/airprint/printers.toml")
    let list = String(decoding: try JSONEncoder().encode(names), as: UTF8.self)
    _ = try scratch.write(
      """
      {"name":"Main","uri":"ipp://localhost:1/ipp/print","isAvailable":false,"trays":\(list),"mediaTypes":\(list),"asked":4102444800}
      """, to: "cache/airprint/status/ipp---localhost-1-ipp-print.json")
    return scratch
  }

  private static func escaped(_ name: String) -> String {
    name.unicodeScalars.map { scalar in
      let digits = String(scalar.value, radix: 16)
      return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  /// Checks in one process what Tab offers for each word, and what Enter would make of it.
  @Test func `bash offers every name so that it means itself`() async throws {
    let scratch = try Self.scratch()
    let script = try scratch.write(
      """
      cd '\(scratch.path)/tmp' || exit 1
      source <(airprint completion bash)
      offer() {
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*"
        COMP_POINT=${#COMP_LINE} COMPREPLY=()
        _airprint airprint '' "${@: -2:1}"
        for word in "${COMPREPLY[@]}"; do eval "printf '%s\\0' $word"; done
        printf 'end\\0'
      }
      offer airprint show ''
      offer airprint print -d ''
      offer airprint pick ''
      offer airprint print --tray ''
      offer airprint print --media-type ''
      """, to: "script")
    let outcome = try await run(
      ["bash", "--norc", script], environment: Shell.environment(scratch))
    #expect(outcome.stderr == "")
    let words = outcome.stdout.split(separator: "\0").map(String.init).split(separator: "end")
    let offered = Set(Self.names.map(\.safeName))
    #expect(words.count == 5)
    for place in words { #expect(Set(place).subtracting(["Main"]) == offered) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(scratch.path)/tmp").isEmpty)
    await scratch.close()
  }

  /// fish does its own quoting; `--escape` is how it would insert a word.
  @Test(.enabled(if: (try? locate("fish")) != nil, "fish is not installed"))
  func `fish offers every name so that it means itself`() async throws {
    let scratch = try Self.scratch()
    let script = try scratch.write(
      """
      cd '\(scratch.path)/tmp'; or exit 1
      airprint completion fish | source
      for place in 'show ' 'print -d ' 'print --tray ' 'print --media-type '
        for line in (complete --escape -C "airprint $place" 2>/dev/null)
          set -l word (string split -m 1 -f 1 \\t -- $line)
          eval "printf '%s\\\\0' $word"
        end
        printf 'end\\0'
      end
      """, to: "script")
    let outcome = try await run(
      ["fish", "--no-config", script], environment: Shell.environment(scratch))
    #expect(outcome.stderr == "")
    let words = outcome.stdout.split(separator: "\0").map(String.init).split(separator: "end")
    // fish offers names that begin with a dot once the dot is typed.
    let offered = Set(Self.names.map(\.safeName).filter { !$0.hasPrefix(".") })
    #expect(words.count == 4)
    for place in words {
      #expect(offered.subtracting(place).isEmpty, "not offered, or changed")
      // Before the first letter of an argument, fish may also offer options. fish 4 offers names that begin with a
      // dot at once.
      let others = Set(place).subtracting(Self.names.map(\.safeName))
      #expect(others.allSatisfy { $0 == "Main" || $0.hasPrefix("-") }, "\(others)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(scratch.path)/tmp").isEmpty)
    await scratch.close()
  }

  /// The names that Tab inserts, one after the other: plain names, which the shell quotes, and some encoded ones.
  ///
  /// A function replaces the command, and prints one line.
  private static let inserted =
    names.filter(\.isPlainName) + names.filter { !$0.isPlainName }.suffix(12)

  @Test(.enabled(if: (try? locate("zsh")) != nil, "zsh is not installed"))
  func `zsh puts in every name so that it means itself`() async throws {
    let scratch = try Scratch()
    let lines = Self.inserted.compactMap { CompletionOffer($0).line(completing: "", for: .zsh) }
    let list = try scratch.write(lines.joined(separator: "\n") + "\n", to: "lines")
    let setup = try scratch.write(
      """
      cd '\(scratch.path)/tmp'
      autoload -Uz compinit; compinit -u -D
      \(CompletingShell.zsh.script)
      lines=("${(@f)$(<'\(list)')}")
      airprint() { print; print -r -- "$offered" }
      complete-all() {
        local offered
        for offered in "${lines[@]}"; do
          BUFFER='airprint show '; CURSOR=$#BUFFER
          zle expand-or-complete
          print -r -- "$BUFFER" >> '\(scratch.path)/buffers'
        done
        BUFFER=''
        print -r done > '\(scratch.path)/done'
      }
      zle -N complete-all; bindkey '^T' complete-all
      """, to: "setup.zsh")
    let session = try TerminalSession(
      ["zsh", "-f", "-i"], environment: scratch.environment, columns: 100, rows: 40)
    session.type("source '\(setup)'; echo rea''dy\(Key.enter)")
    try await session.wait(for: "\nready")
    session.type("\u{14}")
    try await eventually("all names") { scratch.has("done") }
    try await expect(scratch, in: ["zsh", "-f"])
    await scratch.close()
  }

  @Test func `bash puts in every name so that it means itself`() async throws {
    let scratch = try Scratch()
    let lines = Self.inserted.compactMap { CompletionOffer($0).line(completing: "", for: .bash) }
    let list = try scratch.write(lines.joined(separator: "\n") + "\n", to: "lines")
    let setup = try scratch.write(
      """
      cd '\(scratch.path)/tmp'
      \(CompletingShell.bash.script)
      mapfile -t offered < '\(list)'
      index=0
      airprint() { printf '\\n%s\\n' "${offered[index]}"; }
      record() {
        printf '%s\\n' "$READLINE_LINE" >> '\(scratch.path)/buffers'
        READLINE_LINE='' READLINE_POINT=0
        ((++index % 20)) || : > "\(scratch.path)/done$index"
      }
      bind -x '"\\C-t": record'
      """, to: "setup.bash")
    let session = try TerminalSession(
      ["bash", "--norc", "--noprofile", "-i"], environment: scratch.environment, columns: 100,
      rows: 40)
    session.type("source '\(setup)'; echo rea''dy\(Key.enter)")
    try await session.wait(for: "\nready")
    // At most as many at a time as fit into a terminal's buffer.
    for start in stride(from: 0, to: lines.count / 20 * 20, by: 20) {
      for _ in 0..<20 { session.type("airprint show \(Key.tab)\u{14}") }
      try await eventually("20 names") { scratch.has("done\(start + 20)") }
    }
    try await expect(scratch, in: ["bash", "--norc"], count: lines.count / 20 * 20)
    await scratch.close()
  }

  /// Checks the effect of Enter on every recorded line.
  private func expect(
    _ scratch: Scratch, in shell: [String], count: Int = inserted.count
  ) async throws {
    let script = try scratch.write(
      """
      cd '\(scratch.path)/tmp'
      airprint() { printf '%s\\0' "$#" "$2"; }
      while IFS= read -r line; do eval "$line"; done < '\(scratch.path)/buffers'
      """, to: "enter")
    let outcome = try await run(shell + [script], environment: scratch.environment)
    #expect(outcome.stderr == "")
    let words = outcome.stdout.split(separator: "\0").map(String.init)
    let expected = Self.inserted.prefix(count).flatMap { ["2", $0.safeName] }
    #expect(words == Array(expected))
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(scratch.path)/tmp").isEmpty)
  }

  /// The command accepts the words that Tab offers for a printer.
  @Test func `a code is understood as its printer`() async throws {
    let scratch = try Self.scratch()
    for name in [
      "a\ntouch trap\n", "\u{202E}tool\u{2066}", "--json", "L%20x", "Laser `touch trap`",
      "Tom's Laser",
    ] {
      for word in [name.safeName, name.codedName] {
        let made = try await run(
          ["airprint", "default", "--json", word], environment: scratch.environment)
        #expect(
          made.stdout.contains(terminalSafeJSON(try Self.json(name))), "\(word): \(made.stderr)")
      }
    }
    await scratch.close()
  }

  private static func json(_ name: String) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return String(decoding: try encoder.encode(name), as: UTF8.self)
  }
}

extension Scratch {
  fileprivate func has(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(path)/\(name)")
  }
}
