import PrintModel
import Testing

@Suite struct MediaNameTests {
  @Test(arguments: [
    ("iso_a4_210x297mm", 21_000, 29_700),
    ("na_letter_8.5x11in", 21_590, 27_940),
    // Truncated, not rounded, as in libcups: 4.125 in are 10477.5.
    ("na_number-10_4.125x9.5in", 10_477, 24_130),
    ("custom_my-label_62.5x100.25mm", 6_250, 10_025),
    ("custom_62x29mm_62x29mm", 6_200, 2_900),
    // The vendor's suffix is not part of the size.
    ("na_letter_8.5x11in_borderless", 21_590, 27_940),
    ("na_index-4x6_4x6in", 10_160, 15_240),
    ("ISO_A4_210X297MM", 21_000, 29_700),
    // A roll with an unknown length.
    ("roll_current_8.5x0in", 21_590, 0),
    ("roll_current_762x0mm", 76_200, 0),
    ("roll_max_8.5x39.6in", 21_590, 100_584),
    // The diameters of the hole and the disc.
    ("disc_standard_40x118mm", 11_800, 11_800),
    ("disc_12cm_18x120mm", 12_000, 12_000),
    ("custom_half_0x0mm", 0, 0),
  ])
  func `a self-describing name says its size`(_ name: String, _ width: Int, _ length: Int) {
    #expect(
      MediaName.size(of: name) == MediaSize(width: Hundredths(width), length: Hundredths(length)))
  }

  @Test(arguments: [
    "", "_", "a4", "iso_a4", "auto", "choice_iso_a4", "210x297mm", "iso_a4_210x297",
    "iso_a4_210mm", "iso_a4_-210x297mm", "iso_a4_210x-297mm", "iso_a4_210x297x3mm",
    "iso_a4_nanxnanmm", "iso_a4_infx297mm", "iso_a4_1e2x297mm", "iso_a4_0x1Fx297mm",
    "iso_a4_+210x297mm", "iso_a4_210 x 297mm", "iso_a4_x297mm", "iso_a4_210xmm", "iso_a4_xmm",
    "iso_a4_2.1.0x297mm", "iso_a4_.x.mm", "iso_a4_٢١٠x297mm", "iso_a4_100000x100001mm",
    "iso_a4_99999999999999999999x297mm",
    "iso_a4_\(String(repeating: "9", count: 400))x297mm",
  ])
  func `what is no such name has no size`(_ name: String) {
    #expect(MediaName.size(of: name) == nil)
  }

  @Test(arguments: [
    ("80mm", 8_000), ("8cm", 8_000), ("4in", 10_160), ("72pt", 2_540), ("3.15in", 8_001),
    ("0mm", 0), ("100000mm", 10_000_000),
  ])
  func `a length has a unit`(_ text: String, _ length: Int) {
    #expect(MediaName.length(text)?.count == length)
  }

  @Test(arguments: [
    "80", "mm", "80 mm", "80m", "-80mm", "nanmm", "infinitymm", "1e3mm", "80mmm", "8,5in", "½in",
    "100000.1mm", "99999999999999999999mm",
  ])
  func `a length without one, or beyond 100 m, is none`(_ text: String) {
    #expect(MediaName.length(text) == nil)
  }

  @Test(arguments: [
    (21_000, 29_700, "iso_a4_210x297mm", "A4"),
    // Within 0.5 mm, as libcups' pwgMediaForSize.
    (20_990, 29_704, "iso_a4_210x297mm", "A4"),
    (21_051, 29_700, "custom_210-51x297mm_210.51x297mm", "210.51x297mm"),
    (6_200, 10_000, "custom_62x100mm_62x100mm", "62x100mm"),
    (6_205, 10_050, "custom_62-05x100-5mm_62.05x100.5mm", "62.05x100.5mm"),
    // Fed long edge first: a different medium to the printer, but the same paper to people.
    (29_700, 21_000, "custom_297x210mm_297x210mm", "A4"),
  ])
  func `a size has a name and a title`(
    _ width: Int, _ length: Int, _ name: String, _ title: String
  ) {
    let size = MediaSize(width: Hundredths(width), length: Hundredths(length))
    #expect(MediaName.name(for: size) == name)
    #expect(MediaName.title(of: size) == title)
    #expect(MediaName.size(of: name)?.matches(size, within: MediaSize.near) == true)
  }

  @Test(arguments: [(8_000, "80 mm roll"), (6_200, "62 mm roll"), (21_590, "215.9 mm roll")])
  func `a roll is called by its width`(_ width: Int, _ title: String) {
    #expect(
      MediaName.title(of: MediaSize(width: Hundredths(width), length: 29_700), isRoll: true)
        == title)
  }

  @Test(arguments: [
    ("stationery-letterhead", true), ("letter", true), ("tterhead", false), ("etter", false),
    ("büro-letter", true), ("lette", false), ("", false),
  ])
  func `a word is found in a keyword`(_ keyword: String, _ isFound: Bool) {
    #expect(keyword.contains(anyOf: "envelope", "letter") == isFound)
  }
}
