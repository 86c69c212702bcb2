import PrintModel
import Testing
import PrintOptions

@Suite struct RunningTextTests {
  private func texts(_ text: String) throws -> [String] {
    var running = try RunningText(text)
    running.fill(title: "A | title {page}", file: "a.pdf", date: "2026-11-21", time: "14:03")
    let (left, center, right) = running.texts(page: 3, of: 12)
    return [left, center, right]
  }

  @Test(arguments: [
    ("Draft", ["", "Draft", ""]),
    ("a|b", ["a", "", "b"]),
    ("a|b|c", ["a", "b", "c"]),
    ("a||", ["a", "", ""]),
    ("||c", ["", "", "c"]),
    ("{file}|{page}/{pages}|{date}", ["a.pdf", "3/12", "2026-11-21"]),
    // A document's own title is not expanded again.
    ("{title}", ["", "A | title {page}", ""]),
    ("{{page}}", ["", "{page}", ""]),
    ("a {|} b", ["", "a | b", ""]),
    ("100 } {{", ["", "100 } {", ""]),
    ("two\nlines\u{1b}[1m", ["", "two lines [1m", ""]),
  ])
  func `parts and placeholders`(_ text: String, _ parts: [String]) throws {
    #expect(try texts(text) == parts)
  }

  @Test(arguments: [
    ("{Page}", "there is no {Page}; there are {page}, {pages}, {title}, {file}, {date} and {time}"),
    ("{}", "there is no {}"), ("a {page", "no matching"), ("a|b|c|d", "at most three parts"),
  ])
  func `what is wrong is named`(_ text: String, _ words: String) {
    #expect {
      try RunningText(text)
    } throws: { error in
      "\(error)".contains(words)
    }
  }

  @Test func `nothing is nothing`() throws {
    #expect(try RunningText("").isEmpty)
    #expect(try RunningText("||").isEmpty)
    #expect(try !RunningText("||x").isEmpty)
  }
}
