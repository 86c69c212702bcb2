import TestSupport
import Testing

/// Lines and bars thinner than a pixel, and pictures that meet.
@Suite(.inTurn) struct LinePixelTests {
  /// Lines of one width: strokes across, strokes down, bars across and bars down, a quarter of the page
  /// each.
  private func lines(_ width: Double) -> [UInt8] {
    var content = "0 G 0 g \(width) w\n"
    for index in 0..<20 {
      let place = 4 + Double(index) * 4.0501
      content += "4 \(place) m 90 \(place) l S\n"
      content += "\(100 + place) 4 m \(100 + place) 90 l S\n"
      content += "4 \(100 + place) 86 \(width) re f\n"
      content += "\(100 + place) 104 \(width) 86 re f\n"
    }
    return page(content)
  }

  private func page(_ content: String) -> [UInt8] {
    PDF(pages: [
      PDF.Page(
        width: 200, height: 200,
        marks: [PDF.Mark(x: 199, y: 199, width: 1, height: 1, color: content)])
    ]).bytes
  }

  /// The lengths of the dark runs from one point to another, along an axis.
  private func runs(
    _ side: Sheet, from start: (Double, Double), to end: (Double, Double)
  ) -> [Int] {
    let pixels = Int(max(end.0 - start.0, end.1 - start.1) * Double(side.resolution) / 72)
    var runs: [Int] = []
    var wasDark = false
    for pixel in 0..<pixels {
      let share = Double(pixel) / Double(pixels)
      let dot = side.dot(
        start.0 + (end.0 - start.0) * share, start.1 + (end.1 - start.1) * share)
      let isDark = dot[0] < 128
      if isDark, wasDark { runs[runs.count - 1] += 1 } else if isDark { runs.append(1) }
      wasDark = isDark
    }
    return runs
  }

  @Test(arguments: [
    (600, "normal", 0.0), (600, "normal", 0.01), (600, "normal", 0.08), (600, "high", 0.01),
    (300, "normal", 0.01), (300, "normal", 0.2),
  ])
  func `no line is lost, however thin`(
    _ resolution: Int, _ quality: String, _ width: Double
  ) async throws {
    let person = try await Person.anybody()
    let side = try #require(
      try await person.rendered(
        lines(width), "--paper", "200x200pt", "--resolution", "\(resolution)", "--quality", quality,
        "--color", "gray"
      ).first)
    let seen = [
      "strokes across": runs(side, from: (50, 102), to: (50, 198)),
      "strokes down": runs(side, from: (102, 150), to: (198, 150)),
      "bars across": runs(side, from: (50, 2), to: (50, 98)),
      "bars down": runs(side, from: (102, 50), to: (198, 50)),
    ]
    for (kind, runs) in seen {
      #expect(runs.count == 20 && runs.allSatisfy { $0 <= 2 }, "\(kind): \(runs)")
    }
  }

  @Test func `a thin sliver that lies across the pixels is whole`() async throws {
    let person = try await Person.anybody()
    let side = try #require(
      try await person.rendered(
        page("0 g 10 20 m 190 150 l 190 150.02 l 10 20.02 l h f"), "--paper", "200x200pt",
        "--resolution", "600", "--color", "gray"
      ).first)
    for x in stride(from: 20.0, to: 180, by: 1.3) {
      let y = 180 - (x - 10) * 130 / 180
      #expect(runs(side, from: (x, y - 2), to: (x, y + 2)).count == 1, "\(x)")
    }
  }

  /// macOS writes pictures in strips that are to be smoothed, and clips to each.
  @Test(arguments: [(300, false), (600, false), (300, true), (600, true)])
  func `there is no seam between strips of a picture`(
    _ resolution: Int, isClipped: Bool
  ) async throws {
    let person = try await Person.anybody()
    let gray = String(repeating: "3C", count: 64)
    let strips = (0..<20).map { index in
      let y = 20 + Double(index) * 7.31
      return "q " + (isClipped ? "20 \(y) 160 7.31 re W n " : "")
        + "160 0 0 7.31 20 \(y) cm BI /W 8 /H 8 /BPC 8 /CS /G /I true /F /AHx ID \(gray)> EI Q"
    }
    let side = try #require(
      try await person.rendered(
        page(strips.joined(separator: "\n")), "--paper", "200x200pt", "--resolution",
        "\(resolution)", "--color", "gray"
      ).first)
    for y in stride(from: 36.0, to: 178, by: 0.12) {
      #expect(abs(Int(side.dot(100, y)[0]) - 60) <= 2, "\(y): \(side.dot(100, y))")
    }
  }
}
