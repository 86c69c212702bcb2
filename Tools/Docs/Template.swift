/// A template's lines as mdoc(7): a line that begins with two blanks is an example, to be shown as it is;
/// empty lines are only for the eye; and lines that `part` knows stand for what it gives.
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

/// Lines to be shown as they are; empty ones between them too.
private func example(_ block: ArraySlice<Substring>) -> String {
  let end = block.lastIndex { !$0.isEmpty } ?? block.startIndex
  let lines = block[...end].map { mdoc(String($0.dropFirst(2))) + "\n" }
  return ".Bd -literal -offset indent\n\(lines.joined()).Ed\n"
}

/// Whether the text goes on with this line, without a macro that leaves room by itself.
private func needsParagraph(before line: Substring) -> Bool {
  ![".S", ".It", ".El"].contains { line.hasPrefix($0) }
}
