import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Malicious PDFs, generated here: each is drawn, or refused with exit 65 and one sentence, within 20 s of processor
/// time and 300 MB.
///
/// The usual run tries some kinds. `AIRPRINT_HOSTILE=500` tries all, with the usual time per page, and that many more
/// with changed bytes; it prints what each used.
@Suite(.inTurn) struct HostilePDFTests {
  /// The number of changed PDFs; nil in the usual run.
  private static let seeds = getenv("AIRPRINT_HOSTILE").flatMap { Int(String(cString: $0)) }

  /// The kinds that end soon, and those that reach each of the limits.
  private static let usual: Set<String> = [
    "a table of references that comes before itself", "pages that are their own children",
    "a tree of a thousand million pages", "a thousand million pages that are not there",
    "object streams of 100 MB, and no trailer", "arrays in arrays", "cut off at 50 %",
    "garbage that is encrypted", "a form that calls itself",
    "a page of 0 0 1e38 1e38", "a picture of 100,000 by 100,000 pixels", "a pattern of itself",
    "a picture of 10,000 by 10,000 pixels", "noise for JBIG2Decode", "a TrueType font of noise",
    "a function of 100,000 brackets", "a JPEG 2000 that claims to be endless",
    "a content of 200 MB of lines",
  ]

  @Test func `every kind is drawn or refused, in time and in memory`() async throws {
    let person = try await Person.anybody()
    let kinds = BrokenPDF.all.filter { Self.seeds != nil || Self.usual.contains($0.name) }
    #expect(kinds.count >= Self.usual.count)
    if Self.seeds == nil { try person.configure("page-time = 1\n") }
    for kind in kinds { try await check(kind.bytes, kind.name, person) }
  }

  @Test(.enabled(if: seeds != nil, "AIRPRINT_HOSTILE is not set"))
  func `ordinary ones of which bytes were changed`() async throws {
    let person = try await Person.anybody()
    for seed in 0..<(Self.seeds ?? 0) {
      try await check(BrokenPDF.changed(seed: seed), "seed \(seed)", person)
    }
  }

  @Test func `the sentence names the limit that was met, and its setting`() async throws {
    let person = try await Person.anybody()
    for (name, settings, words) in [
      ("a content of 200 MB of lines", "page-time = 1", ["more than 1 s", "page-time"]),
      ("300,000 saved states", "page-memory = 64", ["more than 64 MB", "page-memory"]),
    ] {
      try person.configure("\(settings)\n")
      let kind = try #require(BrokenPDF.all.first { $0.name == name })
      let (drawn, _) = try await draw(kind.bytes, person)
      #expect(drawn.code == 65, "\(name): \(drawn.report)")
      for word in words { #expect(drawn.stderr.contains(word), "\(name): \(drawn.stderr)") }
    }
  }

  /// Draws the first page and returns the outcome; `peak` is the peak memory of the largest process, in bytes.
  ///
  /// A small program in between measures it: a child's peak includes the memory of the parent that it was forked from
  /// (getrusage(2), `ru_maxrss`), and this process is large.
  private func draw(_ bytes: [UInt8], _ person: Person) async throws -> (Outcome, peak: Int) {
    let peak = person.path("peak")
    let drawn = try await person.shell(
      """
      exec python3 -c '
      import resource, subprocess, sys
      code = subprocess.call(sys.argv[2:])
      with open(sys.argv[1], "w") as file:
        file.write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
      sys.exit(code)
      ' \(peak) "$airprint" render -q \(try person.document(bytes)) -o \(person.path("x.pwg")) \
        --resolution 300 -P 1
      """, timeout: .seconds(300))
    let text = String(decoding: try EndToEndTests.bytes(of: peak), as: UTF8.self)
    return (drawn, try #require(Int(text)) << 10)
  }

  private func check(_ bytes: [UInt8], _ name: String, _ person: Person) async throws {
    let (drawn, peak) = try await draw(bytes, person)
    #expect(drawn.code == 0 || drawn.code == 65, "\(name): \(drawn.report)")
    if drawn.code == 65 {
      #expect(drawn.stderr.split(separator: "\n").count == 1, "\(name): \(drawn.stderr)")
    }
    #expect(drawn.processorTime < .seconds(20), "\(name)")
    #expect(peak < 300 << 20, "\(name): \(peak >> 20) MB")
    guard Self.seeds != nil else { return }
    print("\(drawn.end) \(drawn.wallTime) \(drawn.processorTime) \(peak >> 20) MB  \(name)")
  }
}
