import TestSupport

/// The fenced blocks of a page of docs/, in order, for typing.
///
/// The word after the fence is the kind of block:
///
/// - `sh`: typed in one terminal, line by line; each command must succeed
/// - `console`: commands after `$ `, each with its output below, where `…` matches anything
/// - any other with a name after it (`python till.py`): a file that the reader saves under that name
///
/// Other blocks are only for reading.
struct TutorialPage {
  struct Block {
    var language: Substring
    var file: String?
    /// The line of the page where it begins, from 1.
    var line: Int
    var lines: [Substring]

    var text: String { lines.map { "\($0)\n" }.joined() }
  }

  var blocks: [Block] = []

  init(_ text: String) {
    var open: Block?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if let block = open {
        if line == "```" {
          blocks.append(block)
          open = nil
        } else {
          open?.lines.append(line)
        }
      } else if line.hasPrefix("```") {
        let words = line.dropFirst(3).split(separator: " ")
        open = Block(
          language: words.first ?? "", file: words.count > 1 ? String(words[1]) : nil,
          line: index + 1, lines: [])
      }
    }
  }

  /// The commands as one script for one terminal, with markers around the output and the exit of each.
  var script: String {
    var script = "exec 2>&1 < /dev/null\n"
    // The shell writes the files, so that no other program that a test starts meanwhile inherits the open descriptor:
    // a file that is open for writing can't be executed.
    for block in blocks {
      guard let file = block.file else { continue }
      script +=
        "mkdir -p $(dirname \(file)); cat > \(file) << '\(Self.mark)'\n\(block.text)\(Self.mark)\n"
    }
    for block in blocks where block.file == nil {
      switch block.language {
      case "sh":
        script += "echo '\(Self.mark)\(block.line)'\nset -e\n\(block.text)set +e\n"
      case "console":
        for (command, _) in block.transcript {
          script += "echo '\(Self.mark)\(block.line)'\n\(command)\n"
        }
      default: break
      }
    }
    return script + "echo '\(Self.mark)0'\n"
  }

  /// Returns the commands of the `console` blocks, each with the page's output and the actual output.
  func compare(with output: String) -> [(command: String, shown: String, said: String)] {
    var sections = output.split(separator: Self.mark)[...]
    var pairs: [(String, String, String)] = []
    for block in blocks where block.file == nil {
      guard block.language == "console" else {
        if block.language == "sh" { sections = sections.dropFirst() }
        continue
      }
      for (command, shown) in block.transcript {
        let said = sections.popFirst()?.drop { $0 != "\n" }.dropFirst() ?? ""
        pairs.append((command, shown, String(said)))
      }
    }
    return pairs
  }

  private static let mark = "@@@ line "
}

extension TutorialPage.Block {
  /// The commands of a `console` block, each with the output below it.
  var transcript: [(command: String, shown: String)] {
    var steps: [(command: String, shown: String)] = []
    for line in lines {
      if line.hasPrefix("$ ") {
        steps.append((String(line.dropFirst(2)), ""))
      } else if !steps.isEmpty {
        steps[steps.count - 1].shown += line + "\n"
      }
    }
    return steps
  }
}

extension String {
  /// Returns true if the text matches `pattern`, in which `…` matches anything.
  func matches(_ pattern: String) -> Bool {
    var rest = self[...]
    let parts = pattern.split(separator: "…", omittingEmptySubsequences: false)
    guard rest.hasPrefix(parts[0]) else { return false }
    rest = rest.dropFirst(parts[0].count)
    for part in parts.dropFirst() where !part.isEmpty {
      guard let found = rest.firstRange(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return rest.isEmpty || parts.last == ""
  }
}
