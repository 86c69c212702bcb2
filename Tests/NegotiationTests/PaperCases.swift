import Negotiation
import PrintModel

// The medium of a job: every rule of the order in which papers are chosen, printer by printer.

extension Case {
  static let sheets: [Case] = [
    // Exact, within 0.5 mm, within 1.76 mm, turned, larger, smaller
    Case(
      "office-laser", .a4, "paper=iso_a4_210x297mm tray=tray-1 percent=100 margins=423/423/423/423",
      because: "the size of the document's page", "also loaded: A3 and Letter"),
    Case("office-laser", .a4Exactly, "paper=iso_a4_210x297mm percent=100"),
    Case("office-laser", .a4Nearly, "paper=iso_a4_210x297mm percent=100"),
    Case(
      "office-laser", .a4Hardly, "paper=iso_a3_297x420mm percent=100",
      because: "the nearest that holds the document's page"),
    Case(
      "office-laser", .a4Landscape, "paper=iso_a4_210x297mm turned=yes percent=100 clockwise=no",
      because: "the size of the document's page, turned"),
    // Letter is only loaded as letterhead
    Case("office-laser", .letter, "paper=iso_a4_210x297mm tray=tray-1 percent=93"),
    Case("office-laser", .a3, "paper=iso_a3_297x420mm tray=tray-2"),
    Case("office-laser", .legal, "paper=iso_a3_297x420mm tray=tray-2 percent=100"),
    // The letterhead is smaller than A4, and intended for other purposes
    Case(
      "office-laser", .a5, "paper=iso_a4_210x297mm tray=tray-1 percent=100",
      because: "the nearest that holds the document's page"),
    Case(
      "office-laser", .a0, "paper=iso_a3_297x420mm percent=34",
      because: "the nearest size, smaller than the document's page",
      warns: ["larger than A3: it is scaled to 34 %"]),
    Case("office-laser", .a0, "--strict", exit: .usage, "scaled to 34 %"),
    // What a PDF may ask for with PickTrayByPDFSize
    Case(
      "main: A4 stationery default; tray-2: letter stationery", .letter, "tray=tray-2 percent=100",
      because: "the size of the document's page"),
    Case("simulated-laser", .letter, "paper=iso_a4_210x297mm percent=93 scaling=auto"),
    // Text has no size: the default if it is loaded, or else the first plain sheet
    Case("office-laser", .text, "paper=iso_a4_210x297mm tray=tray-1"),
    Case("simulated-laser", .text, in: .letter, "paper=iso_a4_210x297mm ready=yes"),
    // A picture that is too large for every sheet does not require the largest one
    Case("office-laser", .png, "type=document paper=iso_a4_210x297mm percent=27 turned=yes"),
    // Returned as reported, without members that the printer does not accept
    Case(
      "office-laser", .a4,
      "@media-col.media-source=tray-1 @media-col.media-size.x-dimension=21000 @media=- "
        + "@media-col.media-top-margin=423 @media-col.media-type=stationery"),
    Case(
      "simulated-laser", .a4, "@media-col.media-size.y-dimension=29700 @media-col.media-size-name=-"
    ),
    Case("pdf-only", .letter, "@media=na_letter_8.5x11in @media-col=-"),
  ]

  static let asked: [Case] = [
    Case(
      "office-laser", .a4, "--paper A3", "paper=iso_a3_297x420mm percent=100 ready=yes",
      because: "is loaded and was requested"),
    Case("office-laser", .a4, "--paper legal,letter", "paper=na_letter_8.5x11in percent=91"),
    Case("office-laser", .a4, "--paper 420x297mm", "paper=iso_a3_297x420mm"),
    Case("office-laser", .a4, "--paper 209.6x296.6mm", "paper=iso_a4_210x297mm"),
    Case("office-laser", .a4, "--paper 209x296mm", exit: .notNow, "loaded: A4"),
    Case(
      "office-laser", .a4, "--paper legal", exit: .notNow, "legal is not loaded", "A3 (tray-2)",
      "--paper legal,best"),
    Case(
      "office-laser", .a4, "--paper legal,A0", exit: .notNow, "legal or A0 is not loaded"),
    Case("office-laser", .a4, "--paper legal,best", "paper=iso_a4_210x297mm"),
    Case(
      "office-laser", .a4, settings: "--paper legal", exit: .notNow,
      "(by-pass-tray). The paper is from config.toml. Load it, or take the nearest with --paper"),
    Case(
      "office-laser", .a4, settings: "--paper 80mm", exit: .usage,
      "does not support 80 mm paper", "The paper is from config.toml."),
    Case(
      "office-laser", .a4, settings: "--media-type vellum", exit: .usage,
      "The paper type is from config.toml."),
    Case(
      "office-laser", .a4, "--media-type transparency --force",
      "paper=iso_a4_210x297mm ready=no @media-col.media-type=transparency",
      because: "it is not loaded"),
    Case(
      "office-laser", .a4, "--paper A3 --tray by-pass-tray --force",
      "paper=iso_a3_297x420mm ready=no @media-col.media-source=by-pass-tray"),
    Case(
      "office-laser", .a4, "--paper A5 --force", "paper=iso_a5_148x210mm ready=no percent=66",
      because: "it is not loaded"),
    Case(
      "office-laser", .a4, "--paper 123x456mm --force", exit: .usage, "--paper 123x456mm",
      "does not support this size"),
    Case("office-laser", .a4, "--paper 80mm", exit: .usage, "does not support 80 mm paper"),
    // What is in no range of sizes can't be loaded; what is in one can
    Case("receipt-80", .receipt80, "--paper 58mm", exit: .usage, "not support 58 mm paper"),
    Case("receipt-80", .receipt80, "--paper 58x100mm", exit: .usage, "not support 58x100mm paper"),
    Case(
      "ranges-only", .a4, "--paper A0", exit: .usage, "not support A0 paper. Loaded: A4 (tray-1)"),
    Case("ranges-only", .a4, "--paper A0 --force", exit: .usage, "does not support this size"),
    Case("ranges-only", .a4, "--paper 80mm", exit: .notNow, "80mm is not loaded"),
    Case("ranges-only", .a4, "--paper 60mm", exit: .usage, "not support 60 mm paper"),
    Case("ranges-only", .a4, "--paper A5", exit: .notNow, "A5 is not loaded"),
    Case("ranges-only", .a4, "--paper 210x148mm", exit: .notNow, "210x148mm is not loaded"),
    Case("ranges-only", .a4, "--paper A0,A5", exit: .notNow, "A0 or A5 is not loaded"),
    Case("ranges-only", .a4, "--paper A5 --force", "paper=iso_a5_148x210mm ready=no"),
    Case("photo-inkjet", .photo, "--paper 5x7,best", "paper=na_index-4x6_4x6in"),
    Case(
      "photo-inkjet", .photo, "--paper 10x15cm", "paper=na_index-4x6_4x6in",
      because: "is loaded and was requested"),
    Case("photo-inkjet", .photo, "--paper 15x10cm", "paper=na_index-4x6_4x6in"),
    Case("office-laser", .a4, "--tray tray-2", "paper=iso_a3_297x420mm percent=100"),
    Case(
      "office-laser", .a4, "--tray tray-9", exit: .usage, "has no tray \"tray-9\"",
      "available: tray-1, tray-2, by-pass-tray and auto"),
    Case("office-laser", .a4, "--tray 2", "tray=tray-2", because: "in the tray that was requested"),
    Case("office-laser", .a4, "--tray Tray2", "tray=tray-2 @media-col.media-source=tray-2"),
    Case("office-laser", .a4, "--tray 9", exit: .usage, "has no tray \"9\""),
    Case(
      "office-laser", .a4, "--paper letter --tray tray-1", exit: .notNow, "letter is not loaded",
      "Load it, or take the nearest"),
    Case(
      "simulated-laser", .a4, "--tray manual", exit: .notNow, "--tray manual",
      "nothing that matches is loaded", "A4 (main)"),
    Case("office-laser", .a4, "--media-type stationery-letterhead", "paper=na_letter_8.5x11in"),
    Case(
      "office-laser", .a4, "--media-type vellum", exit: .usage,
      "has no paper type \"vellum\"", "stationery-letterhead"),
    Case("office-laser", .a4, "--media-type labels", exit: .notNow, "--media-type labels"),
    // Absurd sizes
    Case(
      "office-laser", .a4, "--paper 0x0mm", exit: .usage, "--paper 0x0mm", "between 10 mm and 50 m"),
    Case("office-laser", .a4, "--paper 60000x297mm", exit: .usage, "between 10 mm and 50 m"),
    Case(
      "office-laser", .a4, "--paper -10x20mm", exit: .usage, "--paper -10x20mm", "no such paper"),
    Case("office-laser", .a4, "--paper 10m", exit: .usage, "--paper 10m", "with its unit"),
    Case(
      "office-laser", .a4, "--paper 210x10000mm", exit: .usage,
      "does not support 210x10000mm paper", "Take the nearest"),
    Case(
      "office-laser", .a4, "--paper foolish", exit: .usage, "--paper foolish", "A4, letter, 4x6"),
  ]

  static let badAnswers: [Case] = [
    // No ready list: the default, then the region's size; no paper is refused for not being loaded
    Case(
      "no-ready", .a4, "paper=na_letter_8.5x11in ready=no margins=500/500/500/500",
      because: "the printer does not report what is loaded"),
    Case(
      "no-ready", .a4, "--paper A4", "paper=iso_a4_210x297mm ready=no margins=500/500/500/500",
      because: "the printer does not report what is loaded"),
    Case("no-ready", .a4, "--paper A3", exit: .usage, "--paper A3", "does not support this size"),
    Case("no-ready", .a4, "--paper legal", "@media-col.media-size.y-dimension=35560 ready=no"),
    Case(
      "no-ready", .photo, "--type photo --force", in: .letter, "paper=na_letter_8.5x11in ready=no"),
    // Nor is a tray or a medium
    Case(
      "no-ready", .a4, "--tray tray-2",
      "paper=na_letter_8.5x11in ready=no tray=tray-2 @media-col.media-source=tray-2",
      because: "is asked for from this tray; the printer does not report what is loaded"),
    Case(
      "no-ready", .a4, "--paper A4 --tray manual",
      "paper=iso_a4_210x297mm tray=manual @media-col.media-source=manual"),
    Case(
      "no-ready", .a4, "--media-type labels", "media=labels @media-col.media-type=labels"),
    Case("no-ready", .a4, "--tray tray-7", exit: .usage, "has no tray \"tray-7\""),
    Case("no-value", .a4, "paper=iso_a4_210x297mm ready=no margins=300/300/300/300"),
    // A printer without photo paper is assumed to have no photo sheet loaded
    Case("no-value", .photo, "--type photo --force", in: .a4, "paper=iso_a4_210x297mm"),
    Case("no-value", .photo, "--type photo --force", in: .letter, "paper=iso_a4_210x297mm"),
    // Only the database: the region's size, if the printer supports it
    Case("database-only", .a4, in: .a4, "paper=iso_a4_210x297mm ready=no"),
    Case("database-only", .a4, in: .letter, "paper=na_letter_8.5x11in"),
    Case("database-only", .a5, in: .letter, "paper=na_letter_8.5x11in"),
    Case("database-only", .a5, in: .a4, "paper=iso_a4_210x297mm"),
    Case("database-only", .photo, in: .letter, "type=photo paper=na_index-4x6_4x6in scaling=fill"),
    Case("database-only", .photo, in: .a4, "type=photo paper=om_small-photo_100x150mm"),
    Case("database-only", .hagaki, "--type postcard", "paper=jpn_hagaki_100x148mm scaling=fit"),
    // Impossible values are left out; missing margins become the smallest that is not 0
    Case("broken-margins", .a5, "paper=iso_a4_210x297mm tray=tray-1 margins=423/423/423/423"),
    Case("broken-margins", .letter, "--paper letter", exit: .notNow, "letter is not loaded", "A4"),
    // A queue's list is what is possible, not what is loaded
    Case("queue", .a4, "paper=iso_a4_210x297mm ready=no format=pdf whole=yes"),
    Case("queue", .a4, "--paper A5", "paper=iso_a5_148x210mm ready=no format=pdf"),
    Case("queue", .a4, "--paper A3", exit: .usage, "--paper A3", "does not support this size"),
  ]

  static let special: [Case] = [
    // Envelopes
    Case(
      "envelope-feeder", .number10Landscape, "--type envelope",
      "paper=na_number-10_4.125x9.5in tray=envelope turned=yes clockwise=yes percent=100 scaling=auto"
    ),
    Case("envelope-feeder", .number10, "--type envelope", "tray=envelope turned=no"),
    Case("envelope-feeder", .number10, "type=document tray=envelope"),
    Case("envelope-feeder", .label50x30, "--type envelope", "tray=envelope percent=100"),
    Case(
      "office-laser", .number10, "--type envelope", exit: .notNow,
      "Nothing made for an envelope is loaded", "A4 (tray-1)", "--force"),
    Case(
      "office-laser", .number10, "--type envelope --force", "paper=iso_a4_210x297mm percent=100",
      warns: ["Nothing made for an envelope is loaded"]),
    Case(
      "office-laser", .number10, "--type envelope --tray tray-1", "paper=iso_a4_210x297mm",
      warns: ["Nothing made for an envelope is loaded"]),
    Case("envelope-feeder", .a4, "--paper dl", exit: .notNow, "dl is not loaded", "(envelope)"),
    // Postcards and discs
    Case(
      "disc-inkjet", .hagaki, "--type postcard",
      "paper=jpn_hagaki_100x148mm tray=rear quality=high scaling=fit ink=color"),
    Case(
      "dye-sub-4x6", .hagaki, "--type postcard",
      "paper=na_index-4x6_4x6in scaling=fit quality=normal",
      because: "support high"),
    Case(
      "disc-inkjet", .photoSquare, "--type disc",
      "paper=disc_standard_40x118mm tray=disc scaling=fill percent=17 quality=high"),
    Case(
      "photo-inkjet", .photoSquare, "--type disc", exit: .usage, "can't print discs",
      "documents, photos and postcards"),
    Case(
      "office-laser", .photoSquare, "--type disc --force", "scaling=fit",
      warns: ["Nothing made for a disc is loaded"]),
    // Large format
    Case("wide-format", .a2, "--type large-format", "paper=iso_a2_420x594mm percent=100 dpi=300"),
    Case(
      "wide-format", .a0, "--type large-format",
      "paper=roll_current_914.4x0mm roll=yes percent=100 size=91440x119900 dpi=300 @finishings=60"),
    Case("wide-format", .a1Landscape, "--type large-format", "roll=yes size=91440x60400"),
    Case("wide-format", .a4, "--type document", "paper=iso_a2_420x594mm percent=100"),
    Case("wide-format", .a2, "--type large-format --quality high --format pwg", "dpi=360"),
    Case(
      "wide-format", .a4, "--type receipt", exit: .usage, "can't print receipts",
      "documents, rolls and large-format"),
    Case(
      "office-laser", .a0, "--type large-format", exit: .usage, "can't print large-format jobs"),
  ]
}
