import PrintModel
import Testing
import PrintOptions

@Suite struct MediaSelectorTests {
  @Test(arguments: [
    ("A4", 21_000, 29_700), ("letter", 21_590, 27_940), ("LETTER", 21_590, 27_940),
    ("4x6", 10_160, 15_240), ("4x6in", 10_160, 15_240), ("10x15cm", 10_000, 15_000),
    ("62x100mm", 6_200, 10_000), ("297x210mm", 29_700, 21_000), ("595x842pt", 20_990, 29_703),
    ("iso_a5_148x210mm", 14_800, 21_000), ("na_letter_8.5x11in_borderless", 21_590, 27_940),
    ("custom_x_62x29mm", 6_200, 2_900), ("disc_12cm_18x120mm", 12_000, 12_000),
    ("10x10mm", 1_000, 1_000), ("1000x50000mm", 100_000, 5_000_000),
  ])
  func `a sheet, by name or by size`(_ text: String, _ width: Int, _ length: Int) throws {
    let selector = try MediaSelector(text)
    #expect(
      selector
        == .sheet(MediaSize(width: Hundredths(width), length: Hundredths(length)), asked: text))
    #expect(selector.asked == text)
  }

  @Test(arguments: [
    ("80mm", 8_000), ("58mm", 5_800), ("2.4in", 6_096), ("10mm", 1_000), ("10000mm", 1_000_000),
    ("roll_current_8.5x0in", 21_590), ("roll_x_80x0mm", 8_000),
  ])
  func `a roll, by its width`(_ text: String, _ width: Int) throws {
    #expect(try MediaSelector(text) == .roll(width: Hundredths(width), asked: text))
  }

  @Test(arguments: ["best", "Best", "BEST"])
  func `the nearest that is loaded`(_ text: String) throws {
    #expect(try MediaSelector(text) == .best)
    #expect(try MediaSelector(text).asked == "best")
  }

  /// No printer accepts such small or long sizes, so they are typing errors.
  @Test(arguments: [
    "0mm", "0x0mm", "0x297mm", "210x0mm", "9.99mm", "9x100mm", "100x9mm", "50001mm", "210x50001mm",
    "iso_a4_210x0mm", "roll_current_0x0in", "custom_x_1x1mm", "disc_x_1x2mm",
  ])
  func `a side out of bounds is named`(_ text: String) {
    let failure = #expect(throws: Failure.self) { try MediaSelector(text) }
    #expect(
      failure == Failure(.usage, "--paper \(text): a side must be between 10 mm and 50 m."))
  }

  @Test(arguments: [
    "", " ", "a44", "papyrus", "mm", "x", "62x100x5", "62x", ".", "1x.", "-62x100mm",
    "62x-100mm", "-80mm",
    "nanmm", "nanxnanmm", "infmm", "1e3mm", "62x100x5mm", "iso_a4",
    "99999999999999999999x297mm", "99999999999999999999mm", "best ",
  ])
  func `what is no paper is told what would be one`(_ text: String) {
    let failure = #expect(throws: Failure.self) { try MediaSelector(text) }
    #expect(failure?.code == .usage)
    let typed = text.isEmpty ? "\"\"" : text
    #expect(failure?.message.hasPrefix("--paper \(typed): no such paper. Name one (A4,") == true)
  }

  @Test(arguments: ["photo", "envelope", "large-format"])
  func `a type of job is answered with its option`(_ text: String) {
    let failure = #expect(throws: Failure.self) { try MediaSelector(text) }
    #expect(failure?.code == .usage)
    #expect(failure?.message.contains("use --type \(text)") == true)
  }

  @Test(arguments: [
    ("80 mm", "80mm"), ("4 x 6", "4x6"), ("4 x 6 in", "4x6in"), ("62 x 100 mm", "62x100mm"),
    ("62×100 mm", "62x100mm"),
  ])
  func `blanks and a multiplication sign change nothing`(_ text: String, _ plain: String) throws {
    switch (try MediaSelector(text), try MediaSelector(plain)) {
    case (.roll(let one, _), .roll(let other, _)): #expect(one == other)
    case (.sheet(let one, _), .sheet(let other, _)): #expect(one == other)
    default: Issue.record("\(text) is not read as \(plain)")
    }
  }

  @Test(arguments: [
    ("210x297", "210x297mm"), ("80", "80mm or 80cm"), ("9x13", "9x13cm or 9x13in"),
    ("12x19", "12x19mm, 12x19cm or 12x19in"), ("8.5x11", "8.5x11cm or 8.5x11in"),
  ])
  func `a size without its unit is told so, with those that make it paper`(
    _ text: String, _ sizes: String
  ) {
    let failure = #expect(throws: Failure.self) { try MediaSelector(text) }
    #expect(failure?.code == .usage)
    #expect(
      failure?.message
        == "--paper \(text): a size needs its unit: \(sizes).")
  }
}
