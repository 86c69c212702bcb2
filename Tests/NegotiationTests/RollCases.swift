import Negotiation
import PrintModel

// Rolls: their cuts, and the content that is scaled to them. Labels and photos: the content that fills them.

extension Case {
  static let rolls: [Case] = [
    // Cut where the content ends: 150 mm and the margin below
    Case(
      "receipt-80", .receipt80, "--type receipt",
      "roll=yes percent=100 size=8000x15400 each=yes cuts=2540-200000 scaling=auto-fit ink=gray "
        + "@media-col.media-size.y-dimension=15400 @media-col.media-tracking=continuous @finishings=60"
    ),
    Case("receipt-80", .receipt72, "--type receipt", "percent=100 size=8000x10800"),
    // PrintScaling None does not cut a wide page off at the roll's edge
    Case("receipt-80", .label50x30Unscaled, "--type roll", "percent=100 scaling=auto-fit"),
    Case(
      "receipt-80", .a4Unscaled, "--type receipt", "scaling=auto-fit",
      warns: ["page is 209.9 mm wide, wider than the"]),
    Case(
      "receipt-80", .receiptPages, "--type receipt", "size=8000x12500 pages=1,2,3 @finishings=60"),
    Case("receipt-80", .receiptShort, "--type receipt", "size=8000x2540"),
    // A cutter that is stated as a trim, without when it cuts
    Case("receipt-lprint", .receipt80, "--type receipt", "roll=yes dpi=203 @finishings=11"),
    Case("receipt-lprint", .receiptPages, "--type receipt", "pages=1,2,3 @finishings=-"),
    Case(
      "receipt-80", .receiptLong, "--type receipt", "size=8000x200000",
      warns: ["cuts at most 2000 mm, and the rest is lost"]),
    Case("receipt-80", .textOnRoll, "--type receipt", "percent=100 size=8000x5400"),
    Case(
      "receipt-80", .receipt80, "type=receipt", because: "the printer doesn't print documents"),
    // Wider than the roll: scaled to its printable width
    Case(
      "receipt-80", .a4, "--type receipt", "percent=34 roll=yes",
      warns: [" mm wide, wider than the 80 mm roll prints: it is scaled to 34 %"]),
    Case(
      "receipt-58", .receipt80, "--type receipt", "percent=60",
      warns: ["wider than the 58 mm roll"]),
    // roll_current_58x0mm: no media-col-ready, the range from media-size-supported
    Case(
      "receipt-58", .receipt72, "--type receipt",
      "paper=roll_current_58x0mm ready=yes cuts=2500-300000 margins=0/0/500/500 "
        + "format=pwg-raster percent=67 size=5800x6700 @media-col.media-size.x-dimension=5800",
      warns: ["scaled to 67 %"]),
    // --cut-length
    Case("receipt-80", .receipt80, "--type receipt --cut-length max", "size=8000x200000 each=no"),
    Case(
      "receipt-80", .receipt80, "--type receipt --cut-length 160mm",
      "size=8000x16000 each=no cuts=16000-16000"),
    Case(
      "receipt-80", .receipt80, "--type receipt --cut-length 120mm", "size=8000x12000 each=no",
      warns: [
        "cut at 120 mm, as requested, and the rest is lost. --cut-length auto keeps all of it"
      ]),
    Case(
      "receipt-80", .receipt80, settings: "--type receipt --cut-length 120mm", "size=8000x12000",
      warns: ["cut at 120 mm, from config.toml, and the rest is lost"]),
    Case(
      "receipt-80", .receipt80, "--type receipt --cut-length 120mm --strict", exit: .usage,
      "With --strict: ", "the rest is lost"),
    Case(
      "receipt-80", .receipt80, "--type receipt --cut-length 10mm", "size=8000x2540",
      because: "(25.4 mm to 2000 mm); using", warns: ["--cut-length: ", "the rest is lost"]),
    Case(
      "receipt-80", .receipt80, "--type receipt --cut-length 10mm --strict", exit: .usage,
      "--cut-length", "25.4 mm to 2000 mm"),
    Case(
      "receipt-80", .receipt80, "--cut-length long", exit: .usage, "--cut-length long",
      "auto, max or a length"),
    Case("receipt-80", .receipt80, "--cut-length 0mm", exit: .usage, "--cut-length 0mm"),
    Case(
      "office-laser", .a4, "--cut-length 100mm", "size=21000x29700",
      warns: ["--cut-length: A4 is not a roll"]),
    // `roll` fills the width, with a picture as well
    Case(
      "receipt-80", .a4, "--type roll", "percent=34 scaling=fit ink=gray",
      warns: ["scaled to 34 %"]),
    Case("receipt-80", .label50x30, "--type roll", "percent=144 scaling=fit"),
    Case("receipt-80", .receipt80, "--type receipt --scaling none", "percent=100"),
    Case("receipt-80", .label50x30, "--type receipt", "percent=100"),
    Case("receipt-80", .label50x30, "--type receipt --scaling fill", "percent=144"),
    Case("receipt-80", .a4, "--paper 80mm", "roll=yes type=receipt", warns: ["scaled to"]),
    Case("receipt-80", .a4, "--paper 58mm", exit: .usage, "not support 58 mm paper", "80 mm roll"),
    Case("receipt-80", .label62x40, "--paper 80x100mm", "size=8000x10000"),
    // A length of the paper is the user's limit, and --cut-length is more than a part of --paper
    Case(
      "receipt-80", .receipt80, "--type receipt --paper 80x100mm", "size=8000x10000",
      warns: ["mm long; the paper is cut at 100 mm, as requested, and the rest is lost"]),
    Case(
      "receipt-80", .receipt80, settings: "--paper 80x100mm", "size=8000x10000",
      warns: ["the paper is cut at 100 mm, from config.toml, and the rest is lost"]),
    Case(
      "receipt-80", .receipt80, "--paper 80x100mm --cut-length 160mm", "size=8000x16000 each=no"),
    Case(
      "receipt-80", .receipt80, settings: "--paper 80x100mm --cut-length 160mm", "size=8000x16000"),
    // Options that make no sense on a roll
    Case(
      "receipt-80", .threePages, "--type receipt --number-up 4", "up=1",
      warns: ["--number-up: has no effect on a roll", "scaled to"]),
    Case(
      "receipt-80", .receiptPages, "--type receipt --booklet true", exit: .usage,
      "--booklet: a roll has no sheets to fold."),
    Case(
      "receipt-80", .receiptPages, settings: "--booklet true", "up=1",
      because: "booklet: left out, a roll has no sheets to fold (from config.toml)"),
    Case(
      "receipt-80", .receipt80, "--orientation landscape", "turned=yes percent=24",
      warns: ["297 mm wide, wider than the 80 mm roll prints: it is scaled to 24 %"]),
    Case("receipt-80", .receipt80, "--orientation portrait", "turned=no percent=100"),
    Case(
      "receipt-80", .textOnRoll, "--type receipt --orientation landscape", "turned=no",
      warns: ["--orientation: auto, lines of text run across a roll"]),
    // A receipt's lines run across the roll, however short it is
    Case(
      "receipt-58", .label100x62, "--type receipt", "turned=no percent=48",
      warns: ["it is scaled to 48 %"]),
    Case(
      "receipt-80", .receiptPages, "--sides long", "sides=one-sided", warns: ["--sides: one-sided"]),
    Case(
      "receipt-80", .receiptPages, settings: "--sides long", "sides=one-sided",
      because: "sides: one-sided"),
  ]

  static let labels: [Case] = [
    Case(
      "label-gap", .label4x6, "--type label",
      "paper=na_index-4x6_4x6in media=labels percent=100 scaling=auto roll=no dpi=203 "
        + "@media-col.media-tracking=gap"),
    Case("label-gap", .label50x30, "--type label", "percent=100 top=no"),
    Case("label-gap", .label50x30, "--type label --position top", "percent=100 top=yes"),
    Case(
      "label-gap", .a4, "--type label", "percent=48 scaling=auto lost=0",
      warns: ["larger than 4x6: it is scaled to 48 %"]),
    Case(
      "label-gap", .a4, "--type label --strict", exit: .usage, "With --strict:", "scaled to 48 %"),
    Case(
      "label-gap", .a4, "--type label --scaling none", "percent=100",
      warns: ["larger than 4x6: at 100 % it loses 75 %"]),
    Case(
      "label-gap", .a4, "--type label --scaling fit", "percent=48 scaling=fit",
      warns: ["it is scaled to 48 %"]),
    Case("label-gap", .label6x4, "--type label", "percent=100 turned=yes lost=0"),
    Case(
      "label-gap", .label4x6, "--type label --orientation landscape", "percent=67 turned=yes",
      warns: ["it is scaled to 67 %"]),
    Case("label-gap", .labelPixels, "--type label", "exact=yes", because: "pixel for pixel"),
    Case("label-gap", .labelPixelsTurned, "--type label", "exact=yes turned=yes"),
    Case(
      "label-gap", .labelPixelsShort, "--type label", "exact=no percent=47 lost=0"),
    Case("label-gap", .labelPixels, "--type label --scaling fit", "exact=no"),
    // No part of a label is beyond the edge
    Case(
      "label-gap", .label103x153, "--type label", "percent=99 lost=0",
      warns: ["larger than 4x6: it is scaled to 99 %"]),
    Case(
      "label-gap", .label50x30, "--paper 50x30mm", exit: .notNow, "50x30mm is not loaded", "4x6"),
    Case("label-gap", .label50x30, "--paper 50x30mm --force", "size=5000x3000 ready=no"),
    Case(
      "label-gap", .threePages, "--type label --sides short", "sides=one-sided",
      warns: ["--sides: one-sided"]),
    Case("label-gap", .label4x6, "-o print-darkness=50", "@print-darkness=50"),
    // Without a setting of its own, a percentage is one of the range; else it is relative to that setting.
    Case("label-gap", .label4x6, "--darkness 75", "@print-darkness=50"),
    Case(
      "label-lprint", .label4x6, "--darkness 80%", "@print-darkness=30",
      because: "darkness: 80 %, as requested"),
    Case("label-lprint", .label4x6, "--darkness 0", "@print-darkness=-50"),
    Case(
      "label-lprint", .label4x6, "",
      "@print-darkness=- @print-speed=- @media-col.media-tracking=gap"),
    Case(
      "label-lprint", .label4x6, "--speed 2in", "@print-speed=5080", because: "speed: 50.8 mm/s"),
    Case(
      "label-lprint", .label4x6, "--speed 1m", exit: .usage, "--speed 1m: takes a length"),
    Case(
      "label-lprint", .label4x6, "--speed 400mm", exit: .usage,
      "--speed: Example Label 4L supports only 25.4 mm/s to 304.8 mm/s."),
    Case(
      "label-lprint", .label4x6, "--top-offset -1.5mm --media-tracking mark",
      "@media-col.media-top-offset=-150 @media-col.media-tracking=mark"),
    Case(
      "label-lprint", .label4x6, "--media-tracking web", exit: .usage,
      "supports only continuous, gap and mark."),
    // PAPPL has modes and the tear offset as settings of the printer.
    Case(
      "label-lprint", .label4x6, "--label-mode peel-off", exit: .usage,
      "--label-mode: Example Label 4L has it as a setting of its own"),
    Case(
      "label-gap", .label4x6, settings: "--tear-offset 2mm --speed 100mm", "@print-speed=-",
      because: "tear-offset: left out, Example Label 4G has no such setting (from config.toml)",
      "speed: left out"),
    Case(
      "label-gap", .label4x6, "-o print-darkness=500", exit: .usage, "-o print-darkness=500",
      "-100 to 100"),
    // Continuous: cut at the content, with the printer's own name for the roll
    Case(
      "label-continuous", .label62x40, "--type label",
      "paper=roll_dk-22205_62x0mm percent=100 scaling=auto size=6200x4000 cuts=1270-100000 "
        + "@media-col.media-size-name=- @media-col.media-type=labels-continuous @finishings=60"),
    Case("label-continuous", .label50x30, "--type label", "percent=100 size=6200x3600"),
    Case("label-continuous", .label50x30, "--type label --paper 62x100mm", "size=6200x10000"),
    // A page wider than the roll is turned along it
    Case(
      "label-continuous", .label90x29, "--type label", "percent=100 turned=yes size=6200x9600",
      because: "turned along the roll"),
    Case("label-continuous", .label90x29, "percent=100 turned=yes"),
    Case(
      "label-continuous", .banner, "--type label", "turned=no lost=0", warns: ["it is scaled to"]),
    Case(
      "label-continuous", .label100x62, "--type label", "percent=100 turned=yes size=6200x10000"),
    Case(
      "label-continuous", .label90x29, "--type label --orientation portrait",
      "percent=66 turned=no size=6200x2500", warns: ["it is scaled to 66 %"]),
    Case(
      "label-continuous", .label50x30, "--type label --orientation landscape",
      "percent=100 turned=yes size=6200x5600"),
    Case("label-continuous", .labelPixelsAlong, "--type label", "exact=yes turned=yes"),
    Case(
      "label-continuous", .label64x29, "--type label", "percent=98 turned=no lost=0",
      warns: ["63.5 mm wide, wider than the 62 mm roll prints: it is scaled to 98 %"]),
    // A page as wide as the roll is cut at its own length, even if its end is white
    Case("label-continuous", .label62x29, "--type label", "percent=100 size=6200x2900"),
    Case(
      "label-continuous", .label4x6, "type=label scaling=auto lost=0",
      because: "doesn't print documents", "narrower than the document's page",
      warns: ["wider than the 62 mm roll prints: it is scaled to 5"]),
  ]

  static let photos: [Case] = [
    // The borderless medium first, filled, best quality and resolution
    Case(
      "photo-inkjet", .png, "--type photo",
      "paper=na_index-4x6_4x6in tray=photo margins=0/0/0/0 scaling=fill quality=high dpi=720 ink=color "
        + "turned=yes lost=0 @print-content-optimize=photo @print-rendering-intent=perceptual",
      because: "nothing is cut off", "also loaded: A4"),
    Case(
      "photo-inkjet", .photo4by3, "type=photo paper=na_index-4x6_4x6in lost=11",
      because: "11 % of the picture is cut off",
      warns: ["11 % of the picture is cut off on 4x6. --scaling fit keeps all of it"]),
    Case("photo-inkjet", .photo4by3, "--strict", exit: .usage, "11 % of the picture"),
    // More than a sixth is never cropped by default
    Case(
      "photo-inkjet", .photoSquare, "scaling=fit lost=0 margins=0/0/0/0",
      because: "would cut off 33 % of the picture"),
    Case("photo-inkjet", .photoPanorama, "type=photo scaling=fit lost=0"),
    Case(
      "photo-inkjet", .photoSquare, "--scaling fill", "scaling=fill lost=33",
      warns: ["33 % of the picture is cut off"]),
    Case("photo-inkjet", .photo4by3, "--scaling auto", "scaling=fill lost=11", warns: ["11 %"]),
    Case("photo-inkjet", .photoSquare, "--scaling auto", "scaling=fit lost=0"),
    // Pictures that don't come from a camera are documents: on plain paper, not cropped
    Case("photo-inkjet", .screenshot, "type=document paper=iso_a4_210x297mm scaling=auto lost=0"),
    Case("photo-inkjet", .scan, "type=document paper=iso_a4_210x297mm lost=0"),
    Case(
      "photo-inkjet", .photoSmall, "type=document paper=iso_a4_210x297mm", warns: ["72 dpi"]),
    Case("photo-inkjet", .photo4by3, "--scaling fit", "lost=0 scaling=fit margins=0/0/0/0"),
    Case("photo-inkjet", .photo, "--no-borderless", "margins=300/1270/300/300 scaling=fit lost=0"),
    Case("photo-inkjet", .photo, "--paper A4", "paper=iso_a4_210x297mm scaling=fit"),
    Case(
      "photo-inkjet", .photo, "--paper A4 --borderless", "margins=300/1270/300/300",
      because: "can't print A4 borderless", warns: ["can't print A4 borderless"]
    ),
    Case("photo-inkjet", .photo, "--paper A4 --borderless --strict", exit: .usage, "--borderless"),
    Case(
      "photo-inkjet", .a4, settings: "--borderless", "paper=iso_a4_210x297mm",
      because: "can't print A4 borderless"),
    Case(
      "dye-sub-4x6", .photo, "--no-borderless", "margins=0/0/0/0",
      because: "only borderless", warns: ["--no-borderless"]),
    Case(
      "dye-sub-4x6", .a4, "type=photo paper=na_index-4x6_4x6in scaling=auto lost=0 ink=color",
      warns: ["larger than 4x6: it is scaled to 48 %"]),
    // Gray made from all inks
    Case(
      "photo-inkjet", .photo, "--color gray",
      "ink=gray mode=process-monochrome @print-color-mode=process-monochrome raster=gray"),
    Case("dye-sub-4x6", .photo, "--color gray", "ink=gray raster=color @print-color-mode=-"),
    // A low resolution
    Case(
      "photo-inkjet", .photoSmall, "--type photo", "quality=high", warns: ["100 dpi on 4x6"]),
    Case(
      "photo-inkjet", .photoSmall, "--type document --paper A4 --scaling fit", "percent=133",
      warns: ["54 dpi"]),
    // A printer that does not print photos
    Case(
      "office-laser", .photo, "--type photo", exit: .usage, "can't print photos",
      "documents and envelopes", "--force"),
    Case(
      "office-laser", .photo, "--type photo --force",
      "paper=iso_a4_210x297mm scaling=fit quality=high", warns: ["No photo paper is loaded"]),
    Case("disc-inkjet", .photo, "--type photo", "paper=jpn_hagaki_100x148mm scaling=fit"),
  ]
}
