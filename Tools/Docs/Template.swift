/// Converts a template's lines to mdoc(7): a line that starts with two spaces is an example, shown unchanged; empty
/// lines are ignored; and lines for which `part` returns text are replaced by it.
func typeset(_ lines: [Substring], part: (Substring) -> String?) -> String {
  var text = ""
  var rest = lines[...]
  while let line = rest.first {
    if line.hasPrefix("  ") {
      let block = rest.prefix { $0.hasPrefix("  ") || $0.isEmpty }
      rest = rest.dropFirst(block.count)
      text += example(block) + (rest.first.map(needsParagraph) == true ? ".Pp\n" : "")
    } else {
      rest = rest.dropFirst()
      if !line.isEmpty { text += part(line) ?? "\(line)\n" }
    }
  }
  return text
}

/// Returns lines to show unchanged, including empty ones between them.
private func example(_ block: ArraySlice<Substring>) -> String {
  let end = block.lastIndex { !$0.isEmpty } ?? block.startIndex
  let lines = block[...end].map { mdoc(String($0.dropFirst(2))) + "\n" }
  return ".Bd -literal -offset indent\n\(lines.joined()).Ed\n"
}

/// Returns true if the text continues with this line, without a macro that adds its own space.
private func needsParagraph(before line: Substring) -> Bool {
  ![".S", ".It", ".El"].contains { line.hasPrefix($0) }
}
