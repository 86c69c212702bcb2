import Negotiation
import PrintModel

// Plotters, .slides, coated stock, cards and small sheets in by-pass trays.

extension Case {
  private static let plotterRolls =
    "printer-kind=roll,large-format; main-roll: 914.4x0mm stationery; "
    + "alternate-roll: 610x0mm photographic-glossy"
  private static let matteA3 = "main: A4 stationery; rear: A3 photographic-matte"
  private static let banner = "tray-1: A4 stationery; by-pass-tray: 297x1321mm stationery"
  private static let office = "printer-kind=document,envelope; tray-1: A4 stationery; "
  private static let cards = "by-pass-tray: 100x148mm postcard; tray-1: A4 stationery"

  static let keptApart: [Case] =
    [
      // A printer's kind takes precedence over the loaded media
      Case(plotterRolls, .a4, "type=large-format tray=main-roll percent=100"),
      Case(plotterRolls, .a3, "type=large-format tray=main-roll percent=100"),
      Case(plotterRolls, .screenshot, "type=large-format tray=main-roll"),
      Case(
        "printer-kind=photo,roll; main-roll: 101.6x0mm photographic", .a4, "type=photo",
        warns: ["Only photo paper is loaded", "wider than the 101.6 mm roll"]),
      // Slides go on the usual sheet, whatever size the presentation program gave them
      Case(matteA3, .slides, "tray=main"),
      Case(banner, .slides, "tray=tray-1"),
      Case("tray-1: A4 stationery; tray-2: Legal stationery", .slides, "tray=tray-1"),
      Case("tray-1: A4 stationery; tray-2: A3 stationery", .slides, "tray=tray-1"),
      Case("tray-1: A4 stationery; tray-2: 339x190mm stationery", .slides, "tray=tray-2"),
      // A3 is reduced to plain A4 rather than printed on photo paper or a banner
      Case(matteA3, .a3, "tray=main"),
      Case(banner, .a3, "tray=tray-1"),
      Case("tray-1: A4 stationery; tray-2: A3 stationery", .a3, "tray=tray-2 percent=100"),
      // A small sheet in an office printer does not make it print photos
      Case(office + "by-pass-tray: A6 auto", .photo, "type=document tray=tray-1"),
      Case(office + "by-pass-tray: 5x7", .photo, "type=document tray=tray-1"),
      Case(office + "by-pass-tray: 5x7 photographic", .photo, "type=photo tray=by-pass-tray"),
      // A shape that fits 1 % better does not justify a poster
      Case("tray-1: A3 photographic; rear: 5x7 photographic", .photo, "type=photo tray=rear"),
      Case("tray-1: A4 photographic; rear: 5x7 photographic", .photo, "type=photo tray=rear"),
      Case("tray-1: A3 photographic; rear: 4x6 photographic", .photo, "type=photo tray=rear"),
      Case("tray-1: A4 photographic; rear: 127x127mm photographic", .photo, "tray=tray-1"),
      // A tray that keeps its settings while it is empty
      Case(
        "empty=tray-1; tray-1: A4 stationery; rear: A6 stationery", .a4, "tray=tray-1",
        warns: ["Tray 1 of the printer is out of paper: load A4."]),
      Case(
        "empty=rear; tray-1: A4 stationery; rear: A6 stationery", .a4, "--paper A6", "tray=rear",
        warns: ["The rear tray of the printer is out of paper: load A6."]),
      // Cards intended for mailing
      Case(cards, .label62x29, "tray=tray-1"),
      Case(cards, .hagaki, "tray=by-pass-tray"),
      // A label printer prints labels even on borderless or plain 4x6 stock
      Case("printer-kind=label; main-roll: 4x6 borderless", .label4x6, "type=label"),
      Case("printer-kind=label; main-roll: 4x6 stationery", .text, "type=label"),
      // In color if the printer prints labels in color
      Case(
        "printer-kind=label; color-supported=true; print-color-mode-supported=auto,color,monochrome; "
          + "main-roll: 4x6 labels borderless", .label4x6, "type=label ink=color"),
    ]
    + ["com.hp.heavy-glossy", "com.hp.glossy-130gsm", "stationery-coated", "enhanced-matte"].flatMap
  {
    [
      Case("tray-1: A4 \($0); tray-2: A4 com.hp.intermediate", .a4, "tray=tray-2"),
      Case("tray-1: A4 \($0)", .a4, "tray=tray-1", warns: [", \($0), is used"]),
    ]
  }
    + [
      Case("tray-1: A4 stationery-uncoated", .a4, "tray=tray-1"),
      Case("tray-1: A4 heavyweight; tray-2: A4 com.hp.intermediate", .a4, "tray=tray-2"),
    ]
}
