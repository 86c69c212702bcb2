import Capability
import PrintModel
import Testing

/// A printer on one line, by the contents of its trays:
/// `main: A4 stationery; photo: 4x6 photographic-glossy borderless`.
///
/// The word `default` makes a medium the printer's default, `name=value` adds a member to its media-col, and a part
/// without a colon sets an attribute of the printer: `printer-kind=photo`, `empty=main`. Margins are 4.2 mm, except
/// for `borderless`, and for `unmeasured`, where the printer reports none.
struct Trays {
  private var ready: [[Attribute]] = []
  private var usual: [Attribute]?
  private var stated: [Attribute] = []
  private var members: Set<String> = [
    "media-size", "media-top-margin", "media-bottom-margin", "media-left-margin",
    "media-right-margin", "media-source", "media-type",
  ]

  init(_ text: String) throws {
    for part in text.split(separator: ";") {
      let words = part.split(separator: " ").map(String.init)
      if words[0].hasSuffix(":") {
        try load(String(words[0].dropLast()), words.dropFirst())
      } else {
        let (name, value) = try Trays.pair(words[0])
        guard name != "empty" else {
          let tray = "type=sheetFeedAutoRemovableTray;maxcapacity=250;level=0;name=\(value);"
          stated.append(Attribute("printer-input-tray", .octets(Array(tray.utf8))))
          continue
        }
        let values = value.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let ends = value.split(separator: "-").compactMap { Int($0) }
        if ends.count == 2, !value.contains(",") {
          stated.append(Attribute(name, .range(ends[0]...ends[1])))
          continue
        }
        let numbers = values.compactMap { Int($0) }
        if numbers.count == values.count {
          stated.append(Attribute(name, numbers.map { .integer($0) }))
          continue
        }
        let resolutions = values.compactMap { $0.hasSuffix("dpi") ? Int($0.dropLast(3)) : nil }
        stated.append(
          resolutions.isEmpty
            ? Attribute(name, keywords: values)
            : Attribute(name, resolutions.map { .resolution(Resolution($0)) }))
      }
    }
  }

  private static func pair(_ word: String) throws -> (String, String) {
    let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
    try #require(parts.count == 2, "\(word)")
    return (parts[0], parts[1])
  }

  private mutating func load(_ source: String, _ words: ArraySlice<String>) throws {
    let word = try #require(words.first)
    let named = StandardMedia.named(word)?.size ?? MediaName.dimensions(word)
    let size = try #require(named, "\(word)")
    let margin = words.contains("borderless") ? 0 : 423
    var column = [
      Attribute(
        "media-size",
        .collection([
          Attribute("x-dimension", .integer(size.width.count)),
          Attribute("y-dimension", .integer(size.length.count)),
        ])),
      Attribute("media-source", .keyword(source)),
    ]
    if !words.contains("unmeasured") {
      column += ["top", "bottom", "left", "right"].map {
        Attribute("media-\($0)-margin", .integer(margin))
      }
    }
    let flags = ["borderless", "unmeasured", "default"]
    for word in words.dropFirst() where !flags.contains(word) {
      guard word.contains("=") else {
        column.append(Attribute("media-type", .keyword(word)))
        continue
      }
      let (name, value) = try Trays.pair(word)
      members.insert(name)
      column.append(Attribute(name, Int(value).map { .integer($0) } ?? .keyword(value)))
    }
    if words.contains("default") { usual = column }
    ready.append(column)
  }

  var printer: Capabilities {
    let sources = ready.compactMap { AttributeSet($0).string("media-source") }
    var all = [
      Attribute("printer-make-and-model", .text("Example")),
      Attribute("document-format-supported", keywords: [DocumentFormat.urf]),
      Attribute("printer-kind", keywords: ["document", "envelope", "photo"]),
      Attribute("color-supported", .boolean(true)),
      Attribute("urf-supported", keywords: ["V1.4", "W8", "SRGB24", "RS300-600", "DM1"]),
      Attribute("media-col-supported", keywords: members.sorted()),
      Attribute("media-source-supported", keywords: ["auto"] + sources),
      Attribute("media-supported", keywords: ["iso_a4_210x297mm"]),
      Attribute(
        "media-type-supported",
        keywords: ready.compactMap { AttributeSet($0).string("media-type") }),
      Attribute("media-col-ready", ready.map { .collection($0) }),
    ]
    if let usual { all.append(Attribute("media-col-default", .collection(usual))) }
    return Capabilities(
      reading: AttributeSet(stated + all.filter { one in !stated.contains { $0.name == one.name } })
    )
  }
}

extension Case {
  /// A4 and a small sheet of photo paper, which is the printer's default.
  private static let photoFirst =
    "main: 4x6 photographic-glossy default; main: 4x6 photographic-glossy borderless; "
    + "rear: A4 stationery"
  private static let colored =
    "tray-1: A4 stationery media-color=yellow; tray-2: A4 stationery media-color=white default"
  static let small = "tray-1: A5 stationery; tray-2: A4 stationery default"
  private static let twoTrays =
    "media-source-supported=tray-1,tray-2; tray-1: A4 stationery; tray-2: A4 stationery"
  private static let printed =
    "tray-1: A4 stationery media-pre-printed=letter-head; "
    + "tray-2: A4 stationery media-pre-printed=blank"
  private static let coated =
    "tray-1: A4 stationery media-front-coating=high-gloss; "
    + "tray-2: A4 stationery media-front-coating=none"
  private static let heavy =
    "tray-1: A4 stationery media-weight-metric=250; "
    + "tray-2: A4 stationery media-weight-metric=80"
  private static let hagakiFirst =
    "rear: 100x148mm com.canon.ij-hagaki; rear: 100x148mm com.canon.ij-hagaki borderless; "
    + "main: B5 stationery"
  private static let dyeSub = "printer-kind=photo; main: 4x6 photographic-glossy borderless"

  static let loads: [Case] = [
    // Content without a size goes on plain paper, whatever the default
    Case(photoFirst, .text, "paper=iso_a4_210x297mm tray=rear", because: "the usual sheet"),
    Case(photoFirst, .screenshot, "type=document paper=iso_a4_210x297mm"),
    Case(photoFirst, .photo, "type=photo paper=na_index-4x6_4x6in scaling=fill"),
    Case(
      photoFirst, .label4x6, "type=document paper=iso_a4_210x297mm percent=100",
      warns: ["4x6 (main), photo paper, has the page's size: --type photo prints on it"]),
    Case(photoFirst, .label4x6, "--type photo", "type=photo paper=na_index-4x6_4x6in"),
    Case(
      "by-pass-tray: 110x220mm envelope default; tray-1: A4 stationery", .text, "tray=tray-1"),
    Case("tray-1: A4 labels default; tray-2: A4 stationery", .text, "tray=tray-2"),
    Case(
      "by-pass-tray: 110x220mm envelope default", .text, "tray=by-pass-tray",
      because: "the best for text", warns: ["Nothing made for a document is loaded"]),
    Case(
      "by-pass-tray: 110x220mm envelope default", .text, "--type document", exit: .notNow,
      "Nothing made for a document is loaded"),
    Case(
      "main: 4x6 photographic-glossy default; rear: A4 photographic-glossy", .text,
      "paper=iso_a4_210x297mm", warns: ["Only photo paper is loaded"]),
    Case(
      "main: 4x6 photographic-glossy default", .text, "paper=na_index-4x6_4x6in",
      warns: ["Only photo paper is loaded"]),
    // Documents when only photo paper is loaded
    Case(
      dyeSub, .text, "type=photo", warns: ["Only photo paper is loaded in the printer; 4x6 (main)"]),
    Case(dyeSub, .screenshot, "type=photo"),
    Case(dyeSub, .label4x6, "type=photo", warns: ["Only photo paper is loaded"]),
    Case(dyeSub, .label4x6, "--type photo", "type=photo"),
    Case(dyeSub, .photo, "type=photo"),
    // A page is not reduced to a card just because that is plain paper
    Case(
      "by-pass-tray: 4x6 stationery; tray-1: A4 photographic-glossy", .a4,
      "paper=iso_a4_210x297mm percent=100",
      warns: [
        "No plain paper that holds the page is loaded in the printer; A4 (tray-1), photo paper"
      ]),
    Case(
      "by-pass-tray: 4x6 stationery; tray-1: A4 photographic-glossy", .photo,
      "type=photo paper=iso_a4_210x297mm"),
    Case("tray-1: Letter stationery; tray-2: A4 photographic-glossy", .a4, "tray=tray-1"),
    Case("tray-1: A4 stationery; tray-2: A3 stationery-letterhead", .a4, "tray=tray-1"),
    // A small plain sheet does not count as photo paper
    Case(small, .photo, "type=photo paper=iso_a4_210x297mm"),
    Case("tray-1: A6 stationery; tray-2: A4 stationery default", .photo, "tray=tray-2"),
    Case("tray-1: 4x6; tray-2: A4 stationery default", .photo, "tray=tray-1"),
    // Colored, printed, coated and heavy stock
    Case(colored, .a4, "tray=tray-2 @media-col.media-color=white @media-col.media-source=tray-2"),
    Case(colored, .text, "tray=tray-2"),
    Case(
      "tray-1: A4 stationery media-color=blue default", .a4, "tray=tray-1",
      warns: ["No plain paper is loaded in the printer; A4 (tray-1), blue, is used"]),
    Case(printed, .a4, "tray=tray-2"),
    Case(coated, .a4, "tray=tray-2"),
    Case(heavy, .a4, "tray=tray-2"),
    Case(
      "tray-1: A4 stationery media-weight-metric=80; tray-2: A4 stationery media-weight-metric=80",
      .a4, "tray=auto @media-col.media-source=auto"),
    Case(
      "tray-1: A4 stationery-letterhead; tray-2: Letter stationery default", .a4,
      "paper=na_letter_8.5x11in percent=91"),
    Case(
      "tray-1: 320x450mm stationery; tray-2: A3 stationery; tray-3: A4 cardstock", .a4,
      "paper=iso_a3_297x420mm percent=100"),
    Case(
      "tray-1: A5 stationery; tray-2: A4 stationery-letterhead", .a4, "tray=tray-2 percent=100",
      warns: ["A4 (tray-2), stationery-letterhead, is used"]),
    Case(
      "tray-1: A5 stationery; tray-2: A4 stationery-letterhead", .a4, "--tray tray-2", "tray=tray-2"
    ),
    // Neither the default nor A4 or Letter: the sheet nearest to them, not the first
    Case(hagakiFirst, .text, "paper=jis_b5_182x257mm tray=main"),
    Case(hagakiFirst, .screenshot, "type=document tray=main"),
    Case(hagakiFirst, .photo, "--type document", "tray=main"),
    Case("rear: 100x148mm; main: A5 stationery", .text, "tray=main"),
    Case("by-pass-tray: 4x6 stationery; tray-1: A3 stationery", .text, "tray=tray-1"),
    Case("by-pass-tray: 320x450mm stationery; tray-1: A3 stationery", .screenshot, "tray=tray-1"),
    Case("by-pass-tray: 215.9x1200mm stationery; tray-1: Legal stationery", .text, "tray=tray-1"),
    Case(
      "mp-tray: 210x1200mm stationery; tray-1: A4 cardstock; tray-2: A3 stationery", .photo,
      "tray=tray-2"),
    // Plain paper rather than unknown or prepunched paper
    Case("tray-1: A4 self-adhesive; tray-2: A4 stationery", .a4, "tray=tray-2"),
    Case("tray-1: A4 com.lexmark.vellum; tray-2: A4 stationery", .a4, "tray=tray-2"),
    Case("tray-1: A4 com.ricoh.recycled; tray-2: A4 stationery", .text, "tray=tray-2"),
    Case("tray-1: A4 stationery-prepunched default; tray-2: A4 stationery", .a4, "tray=tray-2"),
    Case("tray-1: A4 stationery-prepunched; tray-2: A3 stationery", .a4, "tray=tray-1"),
    Case("tray-1: A4 com.ricoh.recycled default; tray-2: A4 stationery", .a4, "tray=tray-1"),
    // Labels without margins do not count as photo sheets
    Case(
      "printer-kind=unknown; media-supported=na_index-4x6_4x6in; "
        + "main-roll: 57x32mm labels borderless; main: 4x6 labels borderless", .photo,
      "type=label paper=na_index-4x6_4x6in"),
    // Postcards
    Case(
      "printer-kind=document,postcard; main: A4 stationery; side: Letter photographic-glossy", .a4,
      "--type postcard", exit: .notNow, "Nothing made for a postcard is loaded"),
    Case(
      "printer-kind=document,postcard; main: A4 stationery; photo: 5x7 photographic-glossy",
      .hagaki,
      "--type postcard", "tray=photo"),
    Case(
      "printer-kind=label,postcard; main-roll: 4x6 labels", .a4, "--type postcard", exit: .notNow,
      "Nothing made for a postcard is loaded"),
    // An empty tray
    Case(twoTrays, .a4, "tray=tray-1"),
    Case("empty=tray-1; \(twoTrays)", .a4, "tray=tray-2"),
    // Fed long edge first
    Case(
      "tray-1: 297x210mm stationery; tray-2: A3 stationery", .a4, "tray=tray-1 percent=100",
      because: "A4 (tray-1)"),
    // A media-col without sizes
    Case(
      "media-col-supported=media-source,media-type; tray-1: A4 stationery", .a4,
      "@media=iso_a4_210x297mm @media-col=-"),
    Case(
      "media-col-supported=media-source,media-type; tray-1: A4 stationery", .a4, "--tray tray-1",
      "@media=- @media-col.media-source=tray-1"),
    Case(
      "media-col-supported=media-source,media-size-name; tray-1: A4 stationery", .a4,
      "@media=- @media-col.media-size-name=iso_a4_210x297mm @media-col.media-source=tray-1 "
        + "@media-col.media-size=-"),
    // A JPEG holds one page
    Case(
      "document-format-supported=image/jpeg; main: A4 stationery", .threePages, "",
      exit: .refused, "--pages 1 (-P 1)"),
    // What a document asks for is no reason to refuse it
    Case(
      "document-format-supported=image/jpeg; main: A4 stationery", .a4TwoCopies,
      "format=jpeg copies=1"),
  ]
}

extension Attribute {
  fileprivate init(_ name: String, keywords: [String]) {
    self.init(name, keywords.map { .keyword($0) })
  }
}
