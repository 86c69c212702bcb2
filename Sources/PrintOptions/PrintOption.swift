// PrintOptions: parses print options as typed, with airprint's names and lp's, into the model's values.

package import PrintModel

/// Every print option with a value, by its long name: the only place that parses these values, whether typed or from a
/// setting (`pick --set`, `[types.T]` and `[printers.NAME]` in the configuration).
package enum PrintOption: String, Sendable, CaseIterable {
  case copies, pages, paper, tray, sides, color, quality, resolution, scaling, orientation, format
  case firstPageTray = "first-page-tray"
  case mediaType = "media-type"
  case borderless, booklet, from
  case pageSet = "page-set"
  case outputOrder = "output-order"
  case numberUp = "number-up"
  case pageBorder = "page-border"
  case position, rotate, poster
  case cutLength = "cut-length"
  case margins, header, footer, overlay, underlay
  case font, align
  case textColor = "text-color"
  case numberLines = "number-lines"
  case assets, renderer, alternate
  case darkness, speed
  case labelMode = "label-mode"
  case tearOffset = "tear-offset"
  case topOffset = "top-offset"
  case mediaTracking = "media-tracking"
  case outputBin = "output-bin"
  case title, user, account
  case accountType = "account-type"
  case accountUser = "account-user"
  case preset, option

  /// Applies the option's value to `request`.
  ///
  /// The failure is a sentence that names the option and its accepted values.
  ///
  /// - `file`: the settings that it is from; nil if it was typed.
  package func apply(
    _ text: String, to request: inout PrintRequest, from file: String? = nil
  ) throws(Failure) {
    let text = isFreeText ? text : String(text.trimmed)
    try read(text, into: &request, from: file)
    // The options that -o stands for are given by themselves.
    let isWish = self != .option && !["auto", "best"].contains(text.lowercased())
    request.give(rawValue, from: file, isWish: isWish)
  }

  /// True if blanks around the value belong to it: a file's name, or words for people.
  private var isFreeText: Bool {
    switch self {
    case .assets, .renderer, .alternate, .overlay, .underlay, .title, .header, .footer, .user,
      .account, .accountUser, .option:
      true
    default: false
    }
  }

  private func read(
    _ text: String, into request: inout PrintRequest, from file: String?
  ) throws(Failure) {
    switch self {
    case .copies:
      let count = Int(text).flatMap { (1...9_999).contains($0) ? $0 : nil }
      request.copies = try found(count, in: text, "takes a number from 1 to 9999")
    case .pages: request.pages = try PageRanges(text)
    case .pageSet: request.pageSet = try one(of: PrintRequest.PageSet.self, text)
    case .outputOrder:
      request.isReversed = try one(of: PrintRequest.OutputOrder.self, text) == .reverse
    case .booklet: request.isBooklet = try boolean(text)
    case .from: request.from = text
    case .paper: request.paper = try text.split(separator: ",").selectors()
    case .tray: request.tray = text
    case .firstPageTray: request.firstPageTray = text.lowercased() == "auto" ? nil : text
    case .mediaType: request.mediaType = text
    case .sides: request.sides = try one(of: PrintRequest.SidesOption.self, text)
    case .color: request.color = try one(of: PrintRequest.ColorOption.self, text)
    case .scaling:
      guard !PrintOption.isPercentage(text) else {
        throw refuse(text, PrintOption.noPercentages)
      }
      request.scaling = try one(of: Scaling.self, text)
    case .orientation: request.orientation = try one(of: PrintRequest.OrientationOption.self, text)
    case .position: request.position = try one(of: PrintRequest.Position.self, text)
    case .rotate:
      request.rotation = try found(
        Int(text.replacingSuffix("°")).flatMap(Rotation.init), in: text,
        "takes 90, 180 or 270 degrees clockwise, or 0")
    case .poster: request.poster = try poster(text)
    case .numberUp: (request.numberUp, request.grid) = try numberUp(text)
    case .pageBorder: request.pageBorder = try one(of: PageBorder.self, text)
    case .format: request.format = try one(of: PrintRequest.FormatOption.self, text)
    case .quality:
      request.quality = try found(
        Quality.allCases.first { $0.keyword == meaning(of: text) }, in: text,
        "takes \(usualWords)")
    case .resolution: request.resolution = try resolution(text)
    case .borderless: request.borderless = try boolean(text)
    case .cutLength: request.cutLength = try cutLength(text)
    case .assets: request.assets = text
    case .margins: request.margins = try margins(text)
    case .header: request.header = try runningText(text)
    case .footer: request.footer = try runningText(text)
    case .font: try font(text, &request.text)
    case .align: request.text.alignment = try one(of: TextStyle.Alignment.self, text)
    case .textColor:
      request.text.color = try found(
        TextStyle.Ink(text), in: text, "takes #rrggbb or \(usualWords)")
    case .numberLines: request.text.numbersLines = try boolean(text)
    case .renderer: request.renderer = text
    case .alternate: request.alternates.append(try PrintRequest.Alternate(text))
    case .overlay, .underlay: try applyStamp(text, to: &request)
    case .title: request.title = text.isEmpty ? text : try name(text)
    case .user: request.user = try name(text)
    case .darkness, .speed, .labelMode, .tearOffset, .topOffset, .mediaTracking, .outputBin,
      .account, .accountType, .accountUser:
      request.attributes[rawValue] = try attribute(text)
    case .preset: request.preset = text
    case .option: try applyJobOption(text, to: &request, from: file)
    }
  }

  /// The usual values; empty if any text will do, or if they are names of paper.
  package var usualValues: [String] {
    switch self {
    case .tray, .firstPageTray: PrintOption.usualTrays
    case .mediaType: PrintOption.usualMediaTypes
    case .labelMode: PrintOption.usualLabelModes
    case .mediaTracking: PrintOption.usualTrackings
    case .outputBin: PrintOption.usualOutputBins
    case .accountType: PrintOption.usualAccountTypes
    case .sides: PrintRequest.SidesOption.allCases.map(\.rawValue)
    case .color: PrintRequest.ColorOption.allCases.map(\.rawValue)
    case .quality: Quality.allCases.map(\.keyword)
    case .scaling: Scaling.allCases.map(\.rawValue)
    case .orientation: PrintRequest.OrientationOption.allCases.map(\.rawValue)
    case .rotate: Rotation.allCases.map { "\($0.rawValue)" }
    case .format: PrintRequest.FormatOption.allCases.map(\.rawValue)
    case .pageBorder: PageBorder.allCases.map(\.rawValue)
    case .position: PrintRequest.Position.allCases.map(\.rawValue)
    case .align: TextStyle.Alignment.allCases.map(\.rawValue)
    case .textColor: TextStyle.Ink.names.keys.sorted()
    case .pageSet: PrintRequest.PageSet.allCases.map(\.rawValue)
    case .outputOrder: PrintRequest.OutputOrder.allCases.map(\.rawValue)
    case .borderless, .booklet, .numberLines: ["true", "false"]
    default: []
    }
  }

  /// Options that can be set for all jobs: not the choice of pages, the document's type, or a replacement file.
  package static let settings = allCases.filter {
    ![.pages, .pageSet, .from, .alternate].contains($0)
  }

  /// Makes a failure that names this option.
  func refuse(_ text: String, _ accepted: String) -> Failure {
    // These have options of their own (`--odd`, `--reverse`), except for lp's names.
    let name =
      switch self {
      case .pageSet: "-o page-set="
      case .outputOrder: "-o outputorder="
      case .option: "-o "
      default: "--\(rawValue) "
      }
    return .usage("\(name)\(text.isEmpty ? "\"\"" : text): \(accepted).")
  }

  /// Returns the value that was read from a text; refuses the text if there is none.
  private func found<Value>(
    _ value: Value?, in text: String, _ accepted: String
  ) throws(Failure) -> Value {
    guard let value else { throw refuse(text, accepted) }
    return value
  }

  private func one<Choice>(of _: Choice.Type, _ text: String) throws(Failure) -> Choice
  where Choice: RawRepresentable<String> & CaseIterable {
    // With gh, ls and grep, --color is about the terminal.
    let isTerminals = self == .color && ["never", "always"].contains(text.lowercased())
    let advice = ", the ink on paper; the terminal's colors are turned off by NO_COLOR=1"
    return try found(
      Choice(rawValue: meaning(of: text)), in: text,
      "takes \(usualWords)\(isTerminals ? advice : "")")
  }

  private var usualWords: String { usualValues.inWords(joinedBy: "or") }

  /// Parses `4`, `3x8` and `3x8,2.5mm,0`.
  private func numberUp(_ text: String) throws(Failure) -> (number: Int, grid: PageGrid?) {
    if let number = Int(text), [1, 2, 4, 6, 9, 16].contains(number) { return (number, nil) }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let gaps = parts.dropFirst().compactMap { PrintOption.length($0.trimmed) }
    guard let sides = PrintOption.columnsAndRows(parts[0], upTo: 50), parts.count <= 3,
      gaps.count == parts.count - 1
    else {
      throw refuse(
        text,
        "takes 1, 2, 4, 6, 9 or 16 pages a side, or columns and rows of labels (3x8), 50 at most, and the space between "
          + "them with its unit (3x8,2.5mm,0)")
    }
    let grid = PageGrid(
      columns: sides.columns, rows: sides.rows, across: gaps.first ?? 0, down: gaps.last ?? 0)
    return grid.cells == 1 ? (1, nil) : (grid.cells, grid)
  }

  /// Parses `2x3`, with numbers from 1 to `most`; nil for anything else.
  private static func columnsAndRows(
    _ text: some StringProtocol, upTo most: Int
  ) -> (columns: Int, rows: Int)? {
    let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
    let numbers = sides.compactMap { Int($0) }.filter { (1...most).contains($0) }
    return sides.count == 2 && numbers.count == 2 ? (numbers[0], numbers[1]) : nil
  }

  private func poster(_ text: String) throws(Failure) -> Poster? {
    let sides = try found(
      PrintOption.columnsAndRows(text, upTo: 20), in: text,
      "takes columns and rows of sheets (2x2, 3x1), 20 at most, or 1x1")
    return sides == (1, 1) ? nil : Poster(columns: sides.columns, rows: sides.rows)
  }

  private func resolution(_ text: String) throws(Failure) -> Resolution {
    let sides = text.lowercased().replacingSuffix("dpi").split(
      separator: "x", omittingEmptySubsequences: false)
    let numbers = sides.compactMap { Int($0) }.filter { (10...9_600).contains($0) }
    guard numbers.count == sides.count, let x = numbers.first, numbers.count <= 2 else {
      throw refuse(text, "takes dots per inch (300, 600dpi or 600x1200dpi)")
    }
    return Resolution(x: x, y: numbers.last ?? x)
  }

  /// Parses `FAMILY [SIZE]`: the last word is the size if it is a number.
  private func font(_ text: String, _ style: inout TextStyle) throws(Failure) {
    var words = text.split(separator: " ")
    if let last = words.last, let size = Double(last.lowercased().replacingSuffix("pt")) {
      guard (3...400).contains(size) else { throw refuse(text, "takes a size of 3 to 400 points") }
      style.size = size
      words.removeLast()
    }
    style.family = words.isEmpty ? nil : words.joined(separator: " ")
    guard style.family != nil || style.size != nil else {
      throw refuse(text, "takes a font, its size or both (\"Noto Sans 11\")")
    }
    guard style.family?.contains(",") != true, (style.family?.utf8.count ?? 0) <= 200 else {
      throw refuse(text, "takes one font")
    }
  }

  /// Checks a name for the printer: at most 255 bytes (RFC 8011 §5.1.3), without control characters.
  func name(_ text: String) throws(Failure) -> String {
    guard !text.isEmpty, text.utf8.count <= 255,
      !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { throw refuse(text, "takes a line of at most 255 bytes") }
    return text
  }

  func boolean(_ text: String) throws(Failure) -> Bool {
    let words = ["true": true, "yes": true, "on": true, "false": false, "no": false, "off": false]
    return try found(words[text.lowercased()], in: text, "takes true or false")
  }

  /// Parses `90`, `90s`, `5m` and `1h` into seconds, for `--timeout` and `timeout`; nil for anything else.
  package static func seconds(_ text: String) -> Int? {
    let units = ["": 1, "s": 1, "m": 60, "min": 60, "h": 3_600]
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unit = text.dropFirst(digits.count).drop { $0 == " " }
    guard let number = Int(digits), let factor = units[String(unit)],
      (1...31_536_000).contains(number)
    else { return nil }
    return number * factor
  }

  private func cutLength(_ text: String) throws(Failure) -> PrintRequest.CutLength {
    switch text.lowercased() {
    case "auto": return .auto
    case "max": return .max
    default:
      guard let length = MediaName.length(text.lowercased()), (500...5_000_000).contains(length)
      else { throw refuse(text, "takes auto, max or a length from 5mm to 5000cm, such as 120mm") }
      return .length(length)
    }
  }
}

extension Sequence where Element == Substring {
  fileprivate func selectors() throws(Failure) -> [MediaSelector] {
    var selectors: [MediaSelector] = []
    for word in self { selectors.append(try MediaSelector(String(word.trimmed))) }
    guard !selectors.isEmpty else {
      throw .usage("--paper: name at least one paper, such as A4 or best.")
    }
    return selectors
  }
}

extension String {
  fileprivate func replacingSuffix(_ suffix: String) -> Substring {
    hasSuffix(suffix) ? dropLast(suffix.count) : self[...]
  }
}

extension PrintRequest.Alternate {
  /// Parses `PAPER=FILE`.
  ///
  /// The failure lists accepted values.
  init(_ text: String) throws(Failure) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty else {
      throw PrintOption.alternate.refuse(text, "takes PAPER=FILE (A4=poster.pdf)")
    }
    let paper = try MediaSelector(String(parts[0]))
    guard paper != .best else {
      throw PrintOption.alternate.refuse(text, "takes a paper by its size, not best")
    }
    self.init(paper: paper, file: String(parts[1]))
  }
}

/// An error in the value of an option, as a fragment of a sentence.
package struct OptionProblem: Error {
  package var description: String
}
