import Negotiation
import PrintModel

// Sizes in units other than IPP's, missing margins, color in only one raster format, tape, labels next to receipts,
// and papers that are nearly equivalent.

extension Case {
  private static let micrometers =
    "main: 2100x2970mm stationery default; photo: 1016x1524mm photographic-glossy borderless"
  private static let grayURF =
    "document-format-supported=image/urf,image/pwg-raster; urf-supported=V1.4,W8,RS600,DM1; "
    + "pwg-raster-document-type-supported=sgray_8,srgb_8; "
    + "pwg-raster-document-resolution-supported=300dpi; "
  private static let glossyBorderless =
    "by-pass-tray: A4 photographic-glossy borderless; main: A4 stationery default"
  private static let counter =
    "printer-kind=label,receipt; main-roll: 57x32mm labels borderless media-tracking=gap; "
    + "alternate-roll: 80x0mm continuous media-tracking=continuous"
  private static let airPrint1 =
    "document-format-supported=image/urf; media-supported=na_letter_8.5x11in,na_index-4x6_4x6in; "
    + "printer-kind=photo,document; main: Letter stationery unmeasured"

  private static let copying =
    "urf-supported=V1.4,W8,SRGB24,RS300-600,CP99; copies-supported=1-99; tray-1: A4 stationery"
  private static let uncollated =
    "multiple-document-handling-supported=separate-documents-uncollated-copies; " + copying
  private static let customNames =
    "media-supported=iso_a4_210x297mm,custom_min_76.2x127mm,custom_max_216x356mm; main: A4 stationery"
  private static let rawTurned =
    "document-format-supported=application/vnd.zebra-zpl; orientation-requested-supported=3,6; "
    + "main: A4 stationery"
  private static let letterhead = "main: A4 stationery; alternate: A4 stationery-letterhead"
  private static let raster = "urf-supported=V1.4,CP1,W8,RS300-600,IS1-2; " + letterhead
  private static let overriding =
    "document-format-supported=application/pdf; overrides-supported=pages,media,media-col; "
    + letterhead
  private static let posters =
    "printer-kind=large-format; rear: 1016x1524mm stationery; main: 1270x1778mm stationery"

  static let unseen: [Case] = [
    // Copies go once where the printer makes them in sets, or says nothing of sets
    Case(
      copying, .threePages, "--copies 3",
      "repeats=1 @copies=3 @multiple-document-handling=-", because: "made by the printer"),
    Case(
      "multiple-document-handling-supported=single-document; " + copying, .threePages, "--copies 3",
      "repeats=1 @copies=3 @multiple-document-handling=single-document"),
    Case(
      "multiple-document-handling-supported=separate-documents-uncollated-copies,single-document-new-sheet; "
        + copying, .threePages, "--copies 3",
      "repeats=1 @copies=3 @multiple-document-handling=single-document-new-sheet"),
    Case(copying, .threePages, "--copies 100", "repeats=100 @copies=-"),
    // and are repeated where it lays all copies of a page on each other, a PDF's, too
    Case(uncollated, .threePages, "--copies 3", "repeats=3 @copies=-"),
    Case(uncollated, .a4, "--copies 3", "repeats=1 @copies=3"),
    Case(
      "document-format-supported=application/pdf,image/urf; "
        + "document-format-preferred=application/pdf; " + uncollated, .threePages, "--copies 3",
      "format=pdf whole=no repeats=3 @copies=-"),
    // unless that is asked for
    Case(
      uncollated, .threePages, "--copies 3 -o collate=false",
      "repeats=1 @copies=3 @multiple-document-handling=separate-documents-uncollated-copies"),
    Case(
      "sheet-collate-supported=collated,uncollated; " + uncollated, .threePages,
      "--copies 3 -o sheet-collate=uncollated",
      "repeats=1 @copies=3 @sheet-collate=uncollated @multiple-document-handling=-"),
    Case(
      "multiple-document-handling-supported=single-document; " + copying, .threePages,
      "--copies 3 -o collate=false", "repeats=3 @copies=- @multiple-document-handling=-",
      because: "repeated in what is sent"),
    Case(
      "document-format-supported=application/octet-stream,image/urf; " + copying, .threePages,
      "--copies 3 -o raw -o collate=false", exit: .usage, "no uncollated copies"),
    // Languages of printers go where they are listed, as they are
    Case(
      "document-format-supported=image/urf,application/vnd.zebra-zpl; main: A4 stationery", .zpl,
      "--copies 1",
      "format=vnd.zebra-zpl whole=yes @media-col=- @sides=-", because: "the file unchanged"),
    Case(
      "document-format-supported=image/urf,application/vnd.hp-PCL; main: A4 stationery", .pcl, "",
      "format=vnd.hp-PCL"),
    Case(
      "document-format-supported=application/octet-stream,image/urf; main: A4 stationery", .zpl, "",
      exit: .document,
      "The file is ZPL, a language of printers", "image/urf: print it on a printer that lists",
      "application/vnd.zebra-zpl", "-o raw"),
    Case(
      "document-format-supported=image/urf,application/vnd.zebra-zpl; main: A4 stationery", .zpl,
      "--header x",
      exit: .usage, "header can't be drawn on it"),
    Case(
      "document-format-supported=image/urf,application/vnd.example; main: A4 stationery", .stated,
      "--from application/vnd.example", "format=vnd.example"),
    Case(
      "document-format-supported=application/octet-stream,image/urf; main: A4 stationery", .stated,
      "--from application/vnd.example", exit: .usage, "--from application/vnd.example"),
    Case(
      "document-format-supported=application/octet-stream,image/urf; main: A4 stationery", .stated,
      "-o raw=application/vnd.example", exit: .usage, "-o raw: ", "not application/vnd.example"),
    Case(
      "document-format-supported=application/vnd.zebra-zpl; main: A4 stationery", .zpl,
      "--pages 2", exit: .usage, "--pages: the file is sent unchanged"),
    Case(
      rawTurned, .zpl, "--rotate 180", "@orientation-requested=6 asked.orientation-requested=yes"),
    Case(rawTurned, .zpl, "--rotate 90", exit: .usage, "--rotate: the file is sent unchanged"),
    // The first sheet from another tray
    Case(
      raster, .threePages, "--first-page-tray Alternate",
      "format=urf tray=main first=alternate @overrides=- @media-col.media-source=main",
      because: "first-page-tray: A4 (alternate), as requested"),
    Case(
      overriding, .threePages, "--first-page-tray alternate",
      "format=pdf whole=yes first=alternate @overrides.media-col.media-source=alternate "
        + "@overrides.media-col.media-type=stationery-letterhead @overrides.pages=1-1 "
        + "@media-col.media-source=main asked.overrides=yes"),
    Case(
      overriding, .threePages, settings: "--first-page-tray alternate", "asked.overrides=yes"),
    Case(
      overriding, .threePages, "--first-page-tray alternate --pages 2-3",
      "format=pdf whole=no first=alternate"),
    Case(raster, .a4, "--first-page-tray alternate", "tray=alternate first=-"),
    Case(
      raster, .threePages, "--first-page-tray main --tray main", "tray=main first=- @overrides=-"),
    Case(
      letterhead, .threePages, "--first-page-tray alternate", exit: .usage,
      "can't be told to take the first page from another tray", "--pages 1 --tray alternate"),
    Case(letterhead, .threePages, settings: "--first-page-tray alternate", "first=-"),
    Case(raster, .threePages, "--first-page-tray attic", exit: .usage, "has no tray \"attic\""),
    Case(
      "urf-supported=V1.4,W8,RS300,IS1-2; main: A4 stationery; alternate: A5 stationery",
      .threePages, "--first-page-tray alternate", exit: .notNow, "alternate of", "holds A5",
      "on A4; load A4 there"),
    // Custom sizes between two names
    Case(customNames, .a5, "--paper 120x180mm --force", "size=12000x18000 ready=no"),
    Case(
      customNames, .a5, "--paper 120x180mm", exit: .notNow, "120x180mm is not loaded in"),
    Case(
      customNames, .a5, "--paper 50x180mm --force", exit: .usage, "does not support this size"),
    // Levels are no values
    Case(
      "print-darkness-supported=30; main: A4 stationery", .a4, "-o print-darkness=25",
      "@print-darkness=25"),
    Case(
      "print-darkness-supported=30; main: A4 stationery", .a4, "-o print-darkness=-100",
      "@print-darkness=-100"),
    Case(
      "print-darkness-supported=30; main: A4 stationery", .a4, "-o print-darkness=101",
      exit: .usage, "-100 to 100"),
    Case(
      "print-speed-supported=2000,4000; main: A4 stationery", .a4, "-o print-speed=3000",
      exit: .usage, "2000 or 4000"),
    Case(
      "label-tear-offset-supported=0-1500; main: A4 stationery", .a4, "-o label-tear-offset=300",
      "@label-tear-offset=300"),
    // Posters of 40 x 60 inches, no 4x6 in micrometers
    Case(posters, .a0, "--type large-format", "size=101600x152400 percent=100"),
    // Labels are labels for a laser's heat, whatever its usual sheet is
    Case(
      "no-ready", .letter, "--type label --force",
      "paper=na_letter_8.5x11in media=labels @media-col.media-type=labels "
        + "@media-col.media-source=-",
      because: "media-type: labels, for a label"),
    Case("no-ready", .letter, "--type document", "@media-col.media-type=stationery"),
    // A picture is no page
    Case(small, .photo, "--type document", "tray=tray-2", because: "smaller than the picture"),
    Case("receipt-80", .photo, "--type receipt", "type=receipt"),
    Case("receipt-80", .screenshot, "--type receipt", "", warns: ["The picture is", "wide at"]),
    // Micrometers, recognized by all sizes together or by one size's name; the printer gets its own numbers
    Case(
      micrometers, .a4,
      "paper=iso_a4_210x297mm size=21000x29700 margins=423/423/423/423 percent=100 "
        + "@media-col.media-source=main"),
    Case(micrometers, .photo, "paper=na_index-4x6_4x6in tray=photo scaling=fill"),
    Case(micrometers, .letter, "size=21000x29700 percent=93"),
    Case(
      "main: 2100x2970mm stationery media-size-name=iso_a4_210x297mm", .a4,
      "size=21000x29700 roll=no percent=100"),
    Case(
      "main: 6.12x7.92mm stationery media-size-name=na_letter_8.5x11in", .letter,
      "size=21590x27940 percent=100"),
    Case(
      "main: 2.1x2.97mm stationery media-size-name=iso_a4_210x297mm", .a4, "size=21000x29700"),
    Case(
      "printer-kind=receipt; main-roll: 800x0mm continuous media-size-name=roll_current_80x0mm",
      .receipt80, "type=receipt roll=yes size=8000x15500"),
    // A poster of 1.5 meters really has that size if the other sizes are plausible
    Case(
      "main: A4 stationery; roll: 1016x1524mm stationery", .a4, "size=21000x29700 tray=main"),
    // A page as long as the sheet needs no larger one because of the printer's margins
    Case(
      "tray-1: A4 stationery; tray-2: A3 stationery", .receipt80, "tray=tray-1 percent=100"),
    // Narrower margins in the by-pass tray
    Case(
      "by-pass-tray: A4 stationery borderless; tray-1: A4 stationery default", .a3, "tray=tray-1"),
    // Color in PWG Raster only
    Case(grayURF + "main: A4 stationery", .a4, "format=pwg-raster raster=color dpi=300"),
    Case(
      grayURF + "main: A4 stationery", .a4, "--color gray", "format=urf raster=gray dpi=600"),
    // Borderless does not move a document to photo paper
    Case(
      glossyBorderless, .a4, "--borderless", "tray=main margins=423/423/423/423",
      warns: ["--borderless: the printer can't print A4 borderless"]),
    Case(glossyBorderless, .photo, "--no-borderless", "tray=main margins=423/423/423/423"),
    // Labels and receipts in one printer
    Case(counter, .receipt80, "type=receipt tray=alternate-roll percent=100"),
    Case(counter, .text, "type=receipt tray=alternate-roll"),
    Case(counter, .label50x30, "type=label tray=main-roll percent=100"),
    Case(counter, .label50x30, "--type receipt", "type=receipt tray=alternate-roll"),
    // Tape is not a receipt roll, and a label printer's sheets are not photo paper
    Case(
      "printer-kind=label; main-roll: 9x0mm continuous borderless", .label62x29,
      "type=label turned=yes",
      warns: ["wider than the 9 mm roll"]),
    Case(
      "printer-kind=label; main-roll: 9x0mm continuous", .receipt80, "--type receipt",
      exit: .usage, "can't print receipts"),
    Case(
      "printer-kind=label; main: 4x6", .photo, "--type photo", exit: .usage, "can't print photos"),
    Case(
      "printer-kind=label; main: 4x6", .label4x6Framed, "type=label", warns: ["2.1 mm at the"]),
    // If the tray is given on the command line, its contents are assumed to be right
    Case(
      "manual: 110x220mm envelope; main: A4 stationery", .number10Landscape, "--tray manual",
      "type=document tray=manual percent=88"),
    // Labels under a vendor's keyword
    Case("tray-1: Letter com.lexmark.vinyl-labels; tray-2: A4 stationery", .letter, "tray=tray-2"),
    // A card for mailing suits a page of its size, glossy or not
    Case(
      "rear: 100x148mm com.epson.glossyhagaki borderless; main: A4 stationery", .hagaki,
      "tray=rear percent=100"),
    // Unknown margins are not zero
    Case(airPrint1, .photo, "type=photo scaling=fit"),
    Case(airPrint1, .photo, "--no-borderless", "type=photo scaling=fit"),
    Case(
      airPrint1, .photo, "--borderless", "type=photo scaling=fill", warns: ["14 % of the picture"]),
  ]
}
