import PrintModel
import Testing

@Suite struct PageRangesTests {
  @Test(arguments: [
    ("1", 3, [0]),
    ("1-3,7,9-", 10, [0, 1, 2, 6, 8, 9]), ("1, 3", 5, [0, 2]),
    // An open end means up to the end, not all pages (apple/cups#4997).
    ("8-", 10, [7, 8, 9]),
    ("1-", 1, [0]),
    // Each page once, in the document's order (RFC 8011 §5.2.7).
    ("3,1,2", 3, [0, 1, 2]),
    ("2,2,1-2", 3, [0, 1]),
    ("1-3,2-5,4-", 6, [0, 1, 2, 3, 4, 5]),
    // A range past the end stops there; pages beyond it are left out.
    ("2-99", 3, [1, 2]),
    ("1,99", 3, [0]),
    ("3-3", 3, [2]), (" 1,\t3 ", 3, [0, 2]),
    ("007", 9, [6]),
    ("9223372036854775807,1", 2, [0]),
    ("1-9223372036854775807", 2, [0, 1]),
  ])
  func `a list chooses pages`(_ text: String, _ count: Int, _ pages: [Int]) throws {
    #expect(try PageRanges(text).indices(of: count) == pages)
  }

  @Test(arguments: [
    ("", ""), (",", ""), ("1,", ""), (",1", ""), ("1,,2", ""),
    ("0", "0"), ("0-3", "0-3"), ("1-0", "1-0"), ("9-3", "9-3"), ("1-2,9-3", "9-3"),
    ("-", "-"), ("-3", "-3"), ("--3", "--3"), ("1--3", "1--3"), ("1-2-3", "1-2-3"), ("-1", "-1"),
    ("9223372036854775808", "9223372036854775808"),
    ("1-99999999999999999999999999", "1-99999999999999999999999999"),
  ])
  func `anything else is refused, and named`(_ text: String, _ part: String) {
    let failure = #expect(throws: Failure.self) { try PageRanges(text) }
    #expect(failure?.code == .usage)
    let words = text.isEmpty ? "\"\"" : text == part ? text : "\(text): \"\(part)\""
    #expect(
      failure?.message == "--pages \(words): pages count from 1, and ranges rise: 1-3,7,9-.")
  }

  @Test(arguments: [
    ("9-", 8, "8 pages"), ("4", 3, "3 pages"), ("2-5,7", 1, "1 page"), ("1", 0, "0 pages"),
  ])
  func `pages that are all behind the end are an error`(
    _ text: String, _ count: Int, _ words: String
  ) throws {
    let ranges = try PageRanges(text)
    let failure = #expect(throws: Failure.self) { try ranges.indices(of: count) }
    #expect(failure == Failure(.usage, "--pages \(text): the document has only \(words)."))
  }

  private static let labels = ["i", "ii", "iii", "1", "2", "A-1", "A-2", "B 1", "i"]

  @Test(arguments: [
    ("ii", [1]), ("i", [0]), ("i-iii", [0, 1, 2]), ("ii-", [1, 2, 3, 4, 5, 6, 7, 8]),
    // A label may look like a range.
    ("A-1", [5]), ("A-1-A-2", [5, 6]), ("A-1-", [5, 6, 7, 8]), ("ii-A-1", [1, 2, 3, 4, 5]),
    // Plain numbers are positions, whatever the page labels.
    ("1", [0]), ("1,A-2", [0, 6]), ("2-A-1", [1, 2, 3, 4, 5]), ("A-2-8", [6, 7]),
    ("ii-999", [1, 2, 3, 4, 5, 6, 7, 8]), ("B 1", [7]),
    // The next page with that label.
    ("A-1-i", [5, 6, 7, 8]),
  ])
  func `a word is a label`(_ text: String, _ pages: [Int]) throws {
    #expect(try PageRanges(text).indices(of: 9, labels: Self.labels) == pages)
  }

  @Test(arguments: [
    ("iv", "iv", "no page of the document has this label"), ("1,x-", "x-", "has this label"),
    ("A-2-A-1", "A-2-A-1", "from the lower page"), ("I", "I", "has this label"),
    ("1–3", "1–3", "has this label"),
    ("i-0", "i-0", "has this label"),
  ])
  func `a word that labels no page is named`(
    _ text: String, _ part: String, _ why: String
  ) throws {
    let ranges = try PageRanges(text)
    let failure = #expect(throws: Failure.self) {
      try ranges.indices(of: 9, labels: Self.labels)
    }
    #expect(failure?.code == .usage)
    #expect(
      failure?.message.hasPrefix("--pages \(text): " + (part == text ? "" : "\"\(part)\": "))
        == true)
    #expect(failure?.message.contains(why) == true)
    let plain = #expect(throws: Failure.self) { try ranges.indices(of: 3) }
    #expect(
      plain?.message.contains("a range is written 1-3; the document has 3 pages, without labels.")
        == true)
  }
}
