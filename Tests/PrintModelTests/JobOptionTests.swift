import PrintModel
import Testing

/// `-o NAME=VALUE`, which means what it means to `lp`.
@Suite struct JobOptionTests {
  private func request(_ text: String) throws -> PrintRequest {
    var request = PrintRequest()
    try PrintOption.option.apply(text, to: &request)
    return request
  }

  /// What decides how pages are drawn is airprint's own option, whichever way it was said.
  @Test(arguments: [
    ("copies=3", PrintOption.copies, "3"),
    ("media=a4", .paper, "a4"),
    ("media=iso_a5_148x210mm", .paper, "iso_a5_148x210mm"),
    ("page-ranges=1-2,5-", .pages, "1-2,5-"),
    ("sides=one-sided", .sides, "one"),
    ("sides=two-sided-long-edge", .sides, "long"),
    ("sides=two-sided-short-edge", .sides, "short"),
    ("print-color-mode=monochrome", .color, "gray"),
    ("print-color-mode=color", .color, "color"),
    ("print-color-mode=auto", .color, "auto"),
    ("print-quality=3", .quality, "draft"),
    ("print-quality=4", .quality, "normal"),
    ("print-quality=5", .quality, "high"),
    ("print-quality=high", .quality, "high"),
    ("print-scaling=auto-fit", .scaling, "auto-fit"),
    ("printer-resolution=600dpi", .resolution, "600"),
    ("printer-resolution=600x1200dpi", .resolution, "600x1200"),
    ("orientation-requested=3", .orientation, "portrait"),
    ("orientation-requested=4", .orientation, "landscape"),
    ("media-source=tray-2", .tray, "tray-2"),
    ("media-type=labels", .mediaType, "labels"),
  ])
  func `an attribute that airprint has an option for is that option`(
    _ text: String, _ option: PrintOption, _ value: String
  ) throws {
    var expected = PrintRequest()
    try option.apply(value, to: &expected)
    #expect(try request(text) == expected)
  }

  @Test(arguments: [
    ("job-hold-until=indefinite", "job-hold-until", "indefinite"),
    ("finishings=20,78", "finishings", "20,78"),
    ("job-message=a=b", "job-message", "a=b"),
    ("output-bin=face-up", "output-bin", "face-up"),
  ])
  func `any other goes to the printer`(_ text: String, _ name: String, _ value: String) throws {
    #expect(try request(text).options == [PrintRequest.JobOption(name: name, value: value)])
  }

  @Test func `they are kept in their order`() throws {
    var request = PrintRequest()
    for text in ["b=1", "a=2", "b=3"] { try PrintOption.option.apply(text, to: &request) }
    #expect(request.options.map(\.name) == ["b", "a", "b"])
  }

  @Test(arguments: ["", "=", "finishings", "finishings=", "=20", "fit-to-page"])
  func `a name and a value are wanted`(_ text: String) {
    let failure = #expect(throws: Failure.self) { try request(text) }
    #expect(
      failure
        == Failure(.usage, "--option \(text): takes NAME=VALUE, a job attribute and its value."))
  }

  @Test(arguments: [
    ("sides=both", "--sides both: takes one, long, short or auto."),
    ("copies=0", "--copies 0: takes a number from 1 to 9999."),
    ("orientation-requested=6", "--orientation 6: takes auto, portrait or landscape."),
    ("print-color-mode=bi-level", "--color bi-level: takes auto, color or gray."),
  ])
  func `a bad value is refused in the words of the option`(_ text: String, _ message: String) {
    #expect(throws: Failure(.usage, message)) { try request(text) }
  }

  /// `media=Custom.10x15cm` once printed nothing and was called completed (apple/cups#5367).
  @Test func `a medium that is none is an error`() {
    #expect(throws: Failure.self) { try request("media=Custom.10x15cm") }
  }
}
