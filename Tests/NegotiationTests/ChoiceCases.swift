import Negotiation
import PrintModel

// Choices other than paper and length: format, color, quality, sides, copies, pages, and meaningless requests.

extension Case {
  static let formats: [Case] = [
    Case("office-laser", .a4, "format=urf whole=no back=rotated dpi=600 @print-scaling=none"),
    Case("office-laser", .threePages, "--format pwg", "format=pwg-raster back=flipped"),
    Case("office-laser", .a4, "--format pdf", "format=pdf whole=yes @print-scaling=auto"),
    Case("office-laser", .a4, "--format pdf --number-up 4", "format=pdf whole=no up=4"),
    // Marks in the printer's margins
    Case(
      "office-laser", .a4Footer, "scaling=auto-fit percent=96",
      because: "at the bottom of page 1 would be in the printer's margin"),
    Case(
      "office-laser", .a4FooterUnscaled, "scaling=none percent=100",
      because: "scaling: none, 100 %; as the document asks",
      warns: ["at the bottom is lost. --scaling fit shrinks the page"]),
    Case(
      "office-laser", .letterUnscaled, "--paper A4", "scaling=none percent=100",
      warns: ["at 100 % it loses 3 %", "is lost"]),
    Case("office-laser", .letterUnscaled, "--paper A4 --scaling auto", "scaling=auto percent=93"),
    Case(
      "office-laser", .letterUnscaled, settings: "--scaling fit --paper A4",
      "scaling=fit percent=93"),
    Case(
      "office-laser", .a4Footer, "--scaling none", "percent=100",
      warns: ["at the bottom is lost. --scaling fit shrinks the page"]),
    Case(
      "office-laser", .a4Footer, "--scaling none --strict", exit: .usage, "at the bottom is lost"),
    Case("office-laser", .a4Footer, "--number-up 4", "up=4"),
    Case("office-laser", .a4, "--format pdf --position top", "whole=no top=yes"),
    Case("simulated-laser", .a4, "--format pdf --scaling fit", "format=pdf whole=no"),
    Case("label-gap", .label4x6, "--format pdf", exit: .usage, "--format pdf", "image/urf"),
    Case("pdf-only", .letter, "format=pdf whole=yes", because: "prefers it"),
    Case("pdf-only", .threePages, "--pages 2", "format=pdf whole=no pages=2"),
    Case("pdf-only", .photo, "format=pdf whole=no", because: "no raster"),
    Case("queue", .threePages, "--pages 2-3", "whole=yes @page-ranges=2-3 pages=2,3"),
    // PWG Raster is supported, but the printer reports nothing else about it
    Case(
      "untyped-raster", .threePages, "format=pwg-raster whole=no raster=color dpi=600",
      because: "trying sRGB"),
    // PostScript if there is nothing else
    Case(
      "postscript-only", .a4, "format=postscript whole=no raster=color ink=gray",
      because: "neither raster nor PDF"),
    Case(
      "postscript-only", .threePages, "--copies 2 --type document",
      "format=postscript copies=2 repeats=2 pages=1,2,3"),
    Case("postscript-only", .a4, "--format pdf", exit: .usage, "does not support it"),
    Case("office-laser", .a4, "--format ps", exit: .usage, "--format ps", "does not support it"),
    // JPEG unchanged, if the printer supports it
    Case("photo-inkjet", .photo, "format=jpeg whole=yes @print-scaling=fill"),
    Case("photo-inkjet", .photoProgressive, "format=urf whole=no"),
    Case("photo-inkjet", .photoCMYK, "format=urf"),
    Case("photo-inkjet", .photoProfiled, "format=urf"),
    Case("photo-inkjet", .photoTurned, "format=urf"),
    Case("photo-inkjet", .photoHuge, "format=urf"),
    Case("photo-inkjet", .photoWide, "format=urf"),
    // It does not report how it scales pictures
    Case("simulated-laser", .photo, "whole=no"),
    Case(
      "simulated-laser", .photoUndrawable, "format=jpeg whole=yes @print-scaling=-",
      because: "reads the picture", warns: ["may choose its size"]),
    Case("simulated-laser", .photoUndrawable, "--scaling fit", "whole=no"),
    Case(
      "simulated-laser", .photoUndrawableProfiled, "format=jpeg whole=yes", warns: ["and colors"]),
    Case("photo-inkjet", .photoUndrawableProfiled, "whole=no"),
    Case("photo-inkjet", .photo, "--orientation portrait", "format=urf turned=no"),
    // Posters
    Case(
      "office-laser", .a4, "--poster 2x2", "format=urf scaling=fit percent=187 sides=one-sided",
      because: "poster: 2x2 sheets of A4 for each page, 4 in all, which overlap by 10 mm"),
    Case(
      "office-laser", .threePages, "--poster 1x2 --pages 1-2",
      "turned=yes sides=one-sided percent=132",
      because: "4 in all", "sides: one-sided, a poster has one side"),
    Case("pdf-only", .letter, "--poster 2x1", "format=pdf whole=no turned=no"),
    Case(
      "office-laser", .a0, "--poster 2x2 --scaling none --paper A4", "percent=100",
      warns: ["larger than the poster: at 100 % it loses"]),
    Case(
      "office-laser", .a4, "--poster 2x2 --number-up 2", exit: .usage, "--poster and --number-up"),
    Case(
      "office-laser", .a4, "--poster 2x2 --booklet true", exit: .usage, "--poster and --booklet"),
    Case("office-laser", .a4, "--poster 2x2 --header x", exit: .usage, "--poster and --header"),
    Case(
      "office-laser", .threePages, "--booklet true --number-up 4", exit: .usage,
      "--booklet and --number-up: a booklet has two pages on each side."),
    Case(
      "office-laser", .threePages, "--poster 2x2 --sides long", exit: .usage,
      "a poster has one side"),
    Case("receipt-80", .receipt80, "--poster 2x2", exit: .usage, "--poster: a roll has no sheets"),
    Case(
      "receipt-80", .receipt80, settings: "--poster 2x2", "roll=yes",
      because: "poster: left out, a roll has no sheets"),
    // Turned here, whether or not the printer lists orientation-requested
    Case(
      "photo-inkjet", .photo, "--rotate 180",
      "format=urf turned=yes rotation=90 @orientation-requested=-",
      because: "rotate: 180° clockwise, as requested"),
    Case("office-laser", .a4, "--format pdf --rotate 180", "format=pdf whole=no rotation=180"),
    Case("pdf-only", .letter, "--rotate 90", "format=pdf whole=no rotation=90 percent=73"),
    Case("queue", .threePages, "-o orientation-requested=6", "whole=no rotation=180"),
    Case("dye-sub-4x6", .photo, "format=urf whole=no", because: "drawn here"),
    Case("dye-sub-4x6", .photo, "--format jpeg", "format=jpeg whole=no"),
    Case("office-laser", .threePages, "--format jpeg", exit: .usage, "--format jpeg", "one page"),
    // Two-sided URF needs a DM token, PWG Raster does not
    Case("wide-format", .a4, "--format pwg", "format=pwg-raster raster=color"),
    Case("no-ready", .threePages, "--sides long", "format=pwg-raster back=manual-tumble"),
    Case("no-value", .threePages, "format=urf sides=one-sided"),
    Case(
      "no-value", .threePages, "--sides short",
      "format=pwg-raster back=rotated sides=two-sided-short-edge"),
    Case("disc-inkjet", .threePages, "format=urf back=flipped sides=two-sided-long-edge"),
  ]

  static let frames: [Case] = [
    // Anything drawn on pages prevents pass-through; a PDF is then rewritten as PDF
    Case(
      "pdf-only", .letter, "--header x", "format=pdf whole=no",
      because: "prefers it; rewritten, because header is drawn"),
    Case(
      "queue", .threePages, "--margins 20mm", "format=pdf whole=no pages=1,2,3 @page-ranges=-",
      because: "20 mm from every edge"),
    Case(
      "office-laser", .a4, "--format pdf --footer x", "format=pdf whole=no @print-scaling=none",
      because: "rewritten, because footer"),
    Case(
      "photo-inkjet", .photo, "--margins 5mm", "format=urf whole=no",
      because: "for margins the picture can't be sent unchanged",
      warns: ["4 % of the picture is cut off"]),
    Case("office-laser", .a4, "--header x", "format=urf", because: "format: image/urf, drawn here"),
    Case(
      "pdf-only", .letter, "--overlay a.png@page=first", "format=pdf whole=no percent=100",
      because: "overlay: a.png on the first page"),
    Case(
      "photo-inkjet", .photo, "--overlay text:PAID,opacity=0.3", "format=urf whole=no",
      because: "for overlay the picture can't be sent unchanged"),
    Case("office-laser", .a4, "--overlay text:DRAFT", "whole=no"),
    Case(
      "office-laser", .png, "--underlay paper.pdf", "whole=no",
      warns: ["hides what is below it"]),
    Case(
      "office-laser", .a4, "--overlay a.pdf@rect=600,0,10,10", "whole=no",
      warns: ["outside of the page, which has 595 x 842 points"]),
    Case(
      "office-laser", .threePages, "--overlay a.pdf@page=4-", "whole=no",
      warns: ["it is on pages 4-, the document has no such page"]),
    Case(
      "office-laser", .threePages, "--overlay a.pdf@page=3 --pages 1-2", "whole=no",
      warns: ["it is on page 3, none of those printed"]),
    // A page of fixed size is scaled into the remaining area
    Case("simulated-laser", .a4, "--margins 50mm", "percent=52", warns: ["scaled to 52 %"]),
    Case("simulated-laser", .a5, "--margins 10mm", "percent=100"),
    Case("simulated-laser", .a4Landscape, "--margins 10mm,50mm", "turned=yes percent=66"),
    Case(
      "simulated-laser", .a4, "--margins 1mm", "percent=96",
      because: "the printer's own margins are top 4.2 mm"),
    Case(
      "simulated-laser", .a4, "--scaling none --header x", "percent=100",
      warns: ["header is drawn over it"]),
    Case("simulated-laser", .a5, "--scaling none --header x", "percent=100"),
    // Labels are only scaled as far as a header requires
    Case(
      "label-gap", .label4x6, "--header x", "scaling=auto percent=97",
      warns: ["it is scaled to 97 %"]),
    // No room
    Case(
      "office-laser", .a4, "--margins 110mm", exit: .usage, "--margins: no room for a page"),
    Case(
      "office-laser", .text, "--margins 0,110mm --header x", exit: .usage,
      "--margins and --header: no room"),
    Case(
      "office-laser", .a4, settings: "--margins 110mm", "percent=100",
      because: "the setting is ignored"),
  ]

  static let inks: [Case] = [
    Case("office-laser", .a4, "mode=auto ink=color @print-color-mode=auto raster=color"),
    Case(
      "office-laser", .a4, "--color gray", "mode=monochrome ink=gray raster=gray",
      because: "color: gray, as requested"),
    Case("office-laser", .a4, "--color color", "mode=color @print-color-mode=color"),
    Case("wide-format", .a4, "mode=color ink=color"),
    Case(
      "simulated-laser", .a4, "ink=gray mode=monochrome @print-color-mode=monochrome @output-mode=-"
    ),
    Case(
      "simulated-laser", .a4, "--color color", "ink=gray",
      warns: ["--color: ", "can't print in color"]),
    Case(
      "simulated-laser", .a4, "--color color --strict", exit: .usage, "can't print in color.",
      "can't print in color"),
    Case(
      "simulated-laser", .a4, settings: "--color color", "ink=gray", because: "can't print in color"
    ),
    Case("pdf-only", .letter, "@output-mode=monochrome @print-color-mode=-"),
    Case("database-only", .a4, "--color gray", "ink=gray raster=color"),
    // Quality and resolution
    Case("office-laser", .a4, "quality=normal dpi=600 @print-quality=4"),
    Case("office-laser", .a4, "--quality draft", "quality=draft dpi=300 @print-quality=3"),
    Case("office-laser", .a4, "--quality high", "quality=high dpi=600"),
    Case("envelope-feeder", .a4, "--quality high", "quality=normal", warns: ["support high"]),
    Case("label-gap", .label4x6, "--quality high", "quality=normal", warns: ["using normal"]),
    Case("office-laser", .a4, "--resolution 300", "dpi=300 @printer-resolution=300dpi"),
    Case("office-laser", .a4, "--resolution 1200", "dpi=600", warns: ["using 600dpi"]),
    Case(
      "office-laser", .a4, "--resolution 1200 --strict", exit: .usage, "--resolution",
      "300dpi and 600dpi"),
    Case("photo-inkjet", .a4, "dpi=720"),
    Case("no-value", .a4, "--type document", "dpi=300 @printer-resolution=300dpi @print-quality=-"),
  ]

  static let sidesAndPages: [Case] = [
    Case("office-laser", .threePages, "sides=two-sided-long-edge @sides=two-sided-long-edge"),
    Case("office-laser", .a4, "sides=one-sided", because: "there is one page"),
    Case("office-laser", .threePages, "--pages 2", "sides=one-sided pages=2"),
    Case("office-laser", .threePages, "--sides one", "sides=one-sided @sides=one-sided"),
    Case("office-laser", .threePages, "--sides short", "sides=two-sided-short-edge back=rotated"),
    Case(
      "office-laser", .threePagesWithWishes, "sides=two-sided-long-edge copies=2",
      because: "sides: two-sided, long edge, from the document",
      "copies: 2, made by the printer, from the document"),
    Case(
      "office-laser", .threePagesWithWishes, "--sides one --copies 1", "sides=one-sided copies=1"),
    Case(
      "office-laser", .threePagesWithWishes, settings: "--sides short --copies 3",
      "sides=two-sided-short-edge copies=3"),
    Case("wide-format", .threePagesWithWishes, "--strict", "sides=one-sided copies=2"),
    Case(
      "office-laser", .threePages, "--output-bin face-up", "@output-bin=face-up",
      because: "output-bin: face-up, as requested"),
    Case(
      "office-laser", .threePages, "--output-bin mailbox-1", exit: .usage,
      "supports only face-down and face-up."),
    Case("photo-inkjet", .threePages, "sides=one-sided", because: "the printer's default"),
    Case(
      "wide-format", .threePages, "--sides long", "sides=one-sided",
      warns: ["does not print two-sided"]),
    Case("wide-format", .threePages, "--sides long --strict", exit: .usage, "--sides", "one-sided"),
    Case("office-laser", .png, "--sides long", exit: .usage, "--sides", "a picture has one side"),
    Case(
      "office-laser", .png, settings: "--sides long", "sides=one-sided",
      because: "sides: one-sided, a picture has one side"),
    Case(
      "office-laser", .threePages, settings: "--sides long --page-set odd",
      "sides=one-sided pages=1,3", because: "sides: one-sided, as with --odd and --even"),
    Case(
      "office-laser", .threePages, "--sides long --page-set odd",
      "sides=two-sided-long-edge pages=1,3"),
    Case(
      "office-laser", .threePages, "--sides long --page-set odd --booklet true", "sides=one-sided",
      warns: ["--sides: one-sided, as with --odd and --even."]),
    Case(
      "office-laser", .tenPages, settings: "--sides long --number-up 3x8", "sides=one-sided up=24",
      because: "sides: one-sided, as for labels"),
    Case("office-laser", .tenPages, "--number-up 2x4 --sides short", "sides=two-sided-short-edge"),
    Case(
      "envelope-feeder", .threePages, "--tray envelope", "sides=one-sided",
      because: "can't be printed on both", warns: ["it is scaled to 46 %"]),
    Case(
      "envelope-feeder", .threePages, "--tray envelope --strict", exit: .usage, "scaled to 46 %"),
    // Copies: drawn by us on raster, made by the printer for a pass-through file
    Case(
      "office-laser", .threePages, "--copies 3",
      "copies=3 repeats=1 @copies=3 "
        + "@multiple-document-handling=separate-documents-collated-copies",
      because: "made by the printer"),
    // PWG Raster's copies are known to fail, and without CP the printer makes none
    Case("office-laser", .threePages, "--copies 3 --format pwg", "repeats=3 @copies=-"),
    Case("photo-inkjet", .threePages, "--copies 3", "repeats=3 @copies=-"),
    Case(
      "office-laser", .threePages, "--copies 3 --format pdf",
      "copies=3 repeats=1 @copies=3 "
        + "@multiple-document-handling=separate-documents-collated-copies"),
    Case("pdf-only", .threePages, "--copies 10", "whole=no repeats=10 @copies=-"),
    Case("office-laser", .a4, "--copies 0", exit: .usage, "--copies 0", "1 to 9999"),
    Case("office-laser", .a4, "--copies 10000", exit: .usage, "--copies 10000", "1 to 9999"),
    Case("office-laser", .a4, "--copies -1", exit: .usage, "--copies -1"),
    // Pages
    Case("office-laser", .tenPages, "--pages 8-", "pages=8,9,10"),
    Case("office-laser", .tenPages, "--pages 9-12,1", "pages=1,9,10"),
    Case("office-laser", .tenPages, "--pages 9-3", exit: .usage, "--pages 9-3", "ranges rise"),
    Case("office-laser", .tenPages, "--pages 11-", exit: .usage, "--pages 11-", "only 10 pages"),
    Case("office-laser", .tenPages, "--pages 0", exit: .usage, "--pages 0", "count from 1"),
    Case("office-laser", .tenPages, "--pages 1,,2", exit: .usage, "--pages 1,,2"),
    Case("office-laser", .tenPages, "--pages 2-7 --number-up 6", "up=6 pages=2,3,4,5,6,7"),
    Case("office-laser", .tenPages, "--number-up 16", "up=16"),
    Case(
      "office-laser", .tenPages, "--number-up 3", exit: .usage, "--number-up 3",
      "1, 2, 4, 6, 9 or 16"),
    Case(
      "office-laser", .tenPages, "--number-up 3x8,2.5mm,0", "up=24 sides=one-sided",
      because: "number-up: 3x8, 24 pages on each side"),
    Case("office-laser", .tenPages, "--number-up 1x1", "up=1"),
    Case("office-laser", .tenPages, "--number-up 3x8,2.5", exit: .usage, "with its unit"),
    Case("office-laser", .tenPages, "--number-up 3x8,1mm,1mm,1mm", exit: .usage, "3x8,2.5mm,0"),
    Case("office-laser", .tenPages, "--number-up 0x8", exit: .usage, "--number-up 0x8"),
    Case("office-laser", .tenPages, "--number-up 3x51", exit: .usage, "50 at most"),
    Case(
      "office-laser", .tenPages, "--number-up 3x8,60mm", exit: .usage, "--number-up: no room"),
    Case("office-laser", .tenPages, "--number-up 3x8 --type label", "type=document up=24"),
    // Scaling and orientation
    Case("simulated-laser", .a3, "scaling=auto percent=68"),
    Case("simulated-laser", .a3, "--scaling auto-fit", "percent=68"),
    // On two sides, the larger of the top and bottom margins applies to both
    Case("photo-inkjet", .threePages, "--scaling fit", "percent=95 margins=300/1270/300/300"),
    Case(
      "photo-inkjet", .threePages, "--scaling fit --sides long",
      "percent=91 margins=1270/1270/300/300"),
    Case("simulated-laser", .a5, "--scaling auto-fit", "percent=100"),
    Case("simulated-laser", .a5, "--scaling fit", "percent=136"),
    Case("simulated-laser", .a5, "--scaling fill", "percent=142 lost=0"),
    Case(
      "simulated-laser", .letter, "--scaling fill", "percent=106 lost=8",
      because: "8 % of the page is cut", warns: ["8 % of the page is cut off"]),
    Case(
      "simulated-laser", .a3, "--scaling none", "percent=100",
      warns: ["larger than A4: at 100 % it loses 50 %"]),
    Case("simulated-laser", .a4Landscape, "turned=yes clockwise=no"),
    Case("simulated-laser", .a4Landscape, "--orientation portrait", "turned=no percent=68"),
    Case("simulated-laser", .a4, "--orientation landscape", "turned=yes percent=68"),
    Case("envelope-feeder", .a4Landscape, "turned=yes clockwise=yes"),
    // Any job attribute
    Case("office-laser", .a4, "-o output-bin=face-up", "@output-bin=face-up"),
    Case(
      "office-laser", .a4, "-o output-bin=mailbox", exit: .usage, "--output-bin: ",
      "face-down and face-up"),
    Case(
      "office-laser", .a4, "-o finishings=20,21", "@finishings=20,21",
      because: "finishing: staple-top-left and staple-bottom-left, as requested"),
    Case(
      "office-laser", .a4, "-o finishings=99", exit: .usage, "-o finishings=99",
      "staple-top-left or staple-bottom-left"),
    Case(
      "office-laser", .a4, "-o no-such=1", exit: .usage, "-o no-such=1",
      "does not support this job attribute"),
    // A printer reports its number of priority levels, and accepts 1 to 100 (RFC 8011 §5.2.1)
    Case("queue", .a4, "-o job-priority=80", "@job-priority=80"),
    Case("queue", .a4, "-o job-priority=101", exit: .usage, "--priority 101", "1 to 100"),
    // Their -supported is true or false, not a list of values
    Case("office-laser", .a4, "-o job-pages-per-set=3", "@job-pages-per-set=3"),
    Case("office-laser", .a4, "-o job-pages-per-set=0", exit: .usage, "only 1 to 2147483647"),
    Case("office-laser", .a4, "-o job-recipient-name=Jane", "@job-recipient-name=Jane"),
    Case("queue", .a4, "-o job-pages-per-set=3", exit: .usage, "does not support"),
    Case("office-laser", .a4, "-o sides=one-sided", "sides=one-sided"),
    Case("office-laser", .a4, "-o sides=three-sided", exit: .usage, "--sides three-sided"),
    Case("office-laser", .a4, "-o broken", exit: .usage, "NAME=VALUE"),
    // Types
    Case(
      "dye-sub-4x6", .a4, "--type document", exit: .usage, "can't print documents",
      "photos and postcards"),
    Case("office-laser", .photo, "type=document", because: "doesn't print photos"),
  ]
}
