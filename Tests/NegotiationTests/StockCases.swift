import Negotiation
import PrintModel

// Stock that isn't for plain pages, sheets of nearly a page's size, a plotter's rolls, and printers that report
// little about their raster formats.

extension Case {
  private static func only(_ stock: String) -> String { "tray-1: A4 \(stock)" }
  private static let plotter =
    "printer-kind=document,large-format,roll,photo; main: A3 stationery default; "
    + "roll-1: 914.4x0mm com.hp.bond; roll-2: 610x0mm com.hp.universal-gloss"

  static let stock: [Case] =
    [
      "labels", "self-adhesive", "pre-cut-tabs", "full-cut-tabs", "transparency", "cardstock",
      "stationery-letterhead", "stationery-preprinted", "com.canon.t-shirt-transfers",
      "com.epson.iron-on", "com.sharp.ohp-film", "com.canon.magnetic", "com.lexmark.vellum",
      "com.xerox.carbonless", "envelope", "multi-layer", "stationery-colored",
    ].flatMap { stock in
      [Sample.a4, .text].map {
        Case(only(stock), $0, "tray=tray-1", warns: [", \(stock), is used"])
      }
    }
    + ["photographic-glossy", "com.hp.advanced-photo"].map {
      Case(only($0), .a4, "tray=tray-1", warns: ["photo paper"])
    }
    + ["stationery", "stationery-prepunched", "com.ricoh.recycled", "stationery-bond"].map {
      Case(only($0), .a4, "tray=tray-1")
    }
    + [
      // The nearest sheet that holds the page, even if margins reduce it
      Case(
        "tray-1: 210x330mm stationery; tray-2: A3 stationery", .a4, "tray=tray-1 percent=100",
        because: "the nearest to the size of the document's page"),
      Case("tray-1: 210x330mm stationery; tray-2: Legal stationery", .a4, "tray=tray-1"),
      Case("tray-1: A3 stationery; tray-2: Legal stationery", .a4, "tray=tray-2"),
      // A sheet that holds the page rather than one that reduces it
      Case(
        "tray-1: 210x330mm stationery; tray-2: Legal stationery", .letter,
        "tray=tray-2 percent=100"),
      Case("tray-1: A3 stationery; tray-2: Legal stationery", .letter, "tray=tray-2"),
      Case("tray-1: A3 stationery; tray-2: 210x330mm stationery", .letter, "tray=tray-2"),
      Case("tray-1: A3 stationery; tray-2: 203x330mm stationery", .a4, "tray=tray-2"),
      Case("tray-1: A3 stationery; tray-2: 184x267mm stationery", .a4, "tray=tray-1 percent=100"),
      Case("tray-1: Legal stationery; tray-2: Letter stationery", .a4, "tray=tray-2"),
      Case("tray-1: 210x330mm stationery; tray-2: Letter stationery", .a4, "tray=tray-2"),
      Case("tray-1: 210x330mm stationery; tray-2: A4 stationery-letterhead", .a4, "tray=tray-1"),
      Case("tray-1: A3 stationery; tray-2: B4 stationery", .a4, "tray=tray-2 percent=100"),
      // A page of the photo paper's size
      Case(
        "photo: 4x6 photographic-glossy; tray-1: A4 stationery", .label4x6,
        "tray=tray-1 percent=100",
        warns: ["4x6 (photo), photo paper, has the page's size: --type photo prints on it"]),
      Case("by-pass-tray: 4x6 stationery; tray-1: A4 stationery", .label4x6, "tray=by-pass-tray"),
      // A label that is larger than its printable area, with and without marks there
      Case("printer-kind=label; main: 4x6 labels", .label4x6, "type=label percent=100"),
      Case(
        "printer-kind=label; main: 4x6 labels", .label4x6Framed, "type=label percent=100",
        warns: ["can't print as far to the edge of 4x6 as page 1 does: 2.1 mm at the"]),
      Case(
        "printer-kind=label; main: 4x6 labels borderless", .label4x6Framed,
        "type=label percent=100"),
      Case(
        "printer-kind=label; main: 4x6 labels", .label4x6, "--scaling fit", "type=label percent=92",
        warns: ["scaled to 92 %"]),
      // A plotter: no posters by default, and no photo paper for drawings
      Case(plotter, .photoPanorama, "type=photo paper=iso_a3_297x420mm"),
      Case(
        plotter, .photo, "--type photo", "tray=roll-2", warns: ["Low resolution: 84 dpi"]),
      Case(plotter, .a3, "--type large-format", "tray=roll-1 percent=100"),
      Case(plotter, .a0, "--type large-format", "tray=roll-1 percent=100"),
      Case(
        "printer-kind=large-format,roll,photo; roll-1: 610x0mm photographic-glossy", .photoPanorama,
        "type=photo tray=roll-1 percent=14",
        because: "as large as on A4; --type photo fills the roll"
      ),
      Case(
        "printer-kind=large-format,roll,photo; roll-1: 610x0mm photographic-glossy", .photoPanorama,
        "--type photo", "tray=roll-1", warns: ["Low resolution: 84 dpi"]),
    ]

  private static let sheet = "main: A4 stationery"
  private static let pwg = "document-format-supported=image/pwg-raster; \(sheet)"

  static let rasters: [Case] = [
    Case(
      "urf-supported=V1.4,W8,SRGB24; printer-resolution-supported=600dpi; \(sheet)", .a4,
      "format=urf dpi=600 raster=color"),
    Case(
      "urf-supported=W8; pwg-raster-document-resolution-supported=203dpi; \(sheet)", .a4,
      "format=urf dpi=203 raster=gray"),
    Case(
      "pwg-raster-document-type-supported=sgray_8,srgb_8; printer-resolution-supported=600dpi; \(pwg)",
      .a4, "format=pwg-raster dpi=600"),
    // No DM token, and nothing but URF
    Case(
      "urf-supported=W8,RS300; sides-supported=one-sided,two-sided-long-edge; \(sheet)",
      .threePages,
      "--sides long", "format=urf sides=one-sided",
      warns: [
        "--sides: one-sided, the printer does not report how it turns the back sides of image/urf"
      ]
    ),
    Case(
      "urf-supported=W8,RS300; sides-supported=one-sided,two-sided-long-edge; "
        + "sides-default=two-sided-long-edge; \(sheet)", .threePages,
      "format=urf sides=one-sided", because: "does not report how it turns"),
    // Four inks
    Case(
      "pwg-raster-document-type-supported=cmyk_8,device4_8; printer-resolution-supported=600dpi; \(pwg)",
      .a4, "format=pwg-raster raster=color", because: "cyan, magenta, yellow and black"),
    Case(
      "pwg-raster-document-type-supported=sgray_8,cmyk_8; printer-resolution-supported=600dpi; \(pwg)",
      .a4, "--color gray", "format=pwg-raster raster=gray"),
    // Raster types that airprint does not write
    Case(
      "urf-supported=V1.4,DEVW8,RS600; \(sheet)", .a4, "", exit: .refused,
      "the printer supports image/urf, but its raster is of kinds that airprint does not write",
      "(V1.4, DEVW8 and RS600)."
    ),
    Case(
      "pwg-raster-document-type-supported=cmyk_16,device4_8; \(pwg)", .a4, "", exit: .refused,
      "kinds that airprint does not write (cmyk_16 and device4_8)."),
    Case(
      "document-format-supported=,application/vnd.hp-PCL,; \(sheet)", .a4, "", exit: .refused,
      "airprint can't write any format that the printer supports (application/vnd.hp-pcl)."),
  ]
}
