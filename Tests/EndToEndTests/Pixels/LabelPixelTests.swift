import TestSupport
import Testing

/// Small sides that one worker draws one after another, on the same canvas.
@Suite(.inTurn) struct LabelPixelTests {
  /// Returns labels by number: plain ones are kept as display lists; the others blend with bare paper, so Splash
  /// draws them.
  private func labels(_ isPlain: [Bool]) -> RawPDF {
    RawPDF().with { file in
      let kids = isPlain.indices.map { "\(10 + 2 * $0) 0 R" }.joined(separator: " ")
      file.add(2, "<< /Type /Pages /Count \(isPlain.count) /Kids [\(kids)] >>")
      for (index, isPlain) in isPlain.enumerated() {
        let number = 10 + 2 * index
        file.add(
          number,
          "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 176 82] /Contents \(number + 1) 0 R "
            + "/Resources << /ExtGState << /E << /BM /Screen >> >> >> >>"
        )
        let state = isPlain ? "" : "/E gs"
        if isPlain {
          file.add(
            number,
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 176 82] /Contents \(number + 1) 0 R >>")
        }
        file.stream(
          number + 1, "", Array("\(state) 0 g \(10 + 10 * index) 20 8 40 re f".utf8))
      }
    }
  }

  @Test func `nothing of a label is on a later one`() async throws {
    let person = try await Person.anybody()
    let plain = [true, true, true, true, false, false, false, false, true, false]
    let document = labels(plain).bytes
    let options = ["--paper", "62x29mm", "--resolution", "300"]
    func sheets(_ more: [String]) async throws -> [Sheet] {
      let output = person.path("labels.pwg")
      let drawn = try await person.airprint(
        ["render", try person.document(document, "labels.pdf"), "-o", output] + options + more)
      try #require(drawn.code == 0, "\(drawn.report)")
      return try Sheet.read(output)
    }
    let together = try await sheets([])
    try #require(together.count == plain.count)
    for (index, side) in together.enumerated() {
      let alone = try #require(try await sheets(["-P", "\(index + 1)"]).first)
      #expect(side.pixels == alone.pixels, "label \(index + 1)")
    }
  }
}
