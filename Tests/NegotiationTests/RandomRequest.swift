import PrintModel
import PrintOptions
import TestSupport

/// A request at random: options as typed, with settings below them.
struct RandomRequest: CustomStringConvertible {
  private(set) var request = PrintRequest()
  private var words: [String] = []

  var description: String { words.joined(separator: " ") }

  /// Chooses up to six options, most with values that this printer states.
  ///
  /// - Throws: a value that the option does not take.
  init(for printer: Capabilities, _ dice: inout Dice) throws(Failure) {
    if Int.random(in: 0..<3, using: &dice) == 0 {
      request.type = JobType.allCases.randomElement(using: &dice)
      words.append("--type \(request.type?.rawValue ?? "")")
    }
    request.force = Int.random(in: 0..<8, using: &dice) == 0
    request.strict = Int.random(in: 0..<8, using: &dice) == 0
    words += (request.force ? ["--force"] : []) + (request.strict ? ["--strict"] : [])
    var seen: Set<PrintOption> = []
    for _ in 0..<Int.random(in: 0...6, using: &dice) {
      guard let option = PrintOption.allCases.randomElement(using: &dice),
        let value = Self.values(of: option, printer).randomElement(using: &dice),
        option == .option || seen.insert(option).inserted
      else { continue }
      let isSetting =
        Int.random(in: 0..<4, using: &dice) == 0 && PrintOption.settings.contains(option)
      words.append(
        (isSetting ? "set:" : "") + (option == .option ? "-o" : "--\(option.rawValue)")
          + " \(value)")
      try option.apply(value, to: &request, from: isSetting ? "config.toml" : nil)
    }
  }

  /// Values of every option: those that the printer states, and some that it may not.
  private static func values(of option: PrintOption, _ printer: Capabilities) -> [String] {
    func listed(_ name: String) -> [String] { printer.attributes.strings("\(name)-supported") }
    return switch option {
    case .copies: ["1", "2", "17", "99", "9999"]
    case .pages: ["1", "1-2", "2-", "1,3", "2,1"]
    case .pageSet: PrintRequest.PageSet.allCases.map(\.rawValue)
    case .outputOrder: PrintRequest.OutputOrder.allCases.map(\.rawValue)
    case .booklet, .borderless, .numberLines: ["true", "false"]
    case .paper:
      printer.possible.map(\.name) + printer.ready.map(\.name)
        + ["A4", "letter", "4x6in", "100x150mm", "62mm", "62x100mm", "best", "A5,A4", "A3,best"]
    case .tray, .firstPageTray: printer.sources + ["auto", "2"]
    case .mediaType: printer.mediaTypes + ["photographic"]
    case .sides: PrintRequest.SidesOption.allCases.map(\.rawValue)
    case .color: PrintRequest.ColorOption.allCases.map(\.rawValue)
    case .quality: Quality.allCases.map(\.keyword)
    case .resolution: printer.resolutions.map(\.description) + ["300", "600"]
    case .scaling: Scaling.allCases.map(\.rawValue)
    case .orientation: PrintRequest.OrientationOption.allCases.map(\.rawValue)
    case .position: PrintRequest.Position.allCases.map(\.rawValue)
    case .rotate: ["0", "90", "180", "270"]
    case .poster: ["1x1", "2x1", "2x2"]
    case .numberUp: ["1", "2", "4", "9", "3x8", "2x5,2mm,0"]
    case .pageBorder: PageBorder.allCases.map(\.rawValue)
    case .format: PrintRequest.FormatOption.allCases.map(\.rawValue)
    case .cutLength: ["50mm", "120mm", "5m", "max", "auto"]
    case .margins: ["10mm", "1in,20mm", "0"]
    case .header, .footer: ["{title}", "|{page}|{date}"]
    case .overlay, .underlay: ["text:DRAFT", "text:X@page=last"]
    case .font: ["Noto Sans 11"]
    case .align: ["center"]
    case .textColor: ["red"]
    case .darkness: ["0", "30", "50", "100"]
    case .speed: ["100mm", "4in", "1mm"]
    case .labelMode: PrintOption.usualLabelModes + listed("label-mode")
    case .tearOffset, .topOffset: ["2mm", "-1mm", "50mm"]
    case .mediaTracking: PrintOption.usualTrackings + listed("media-tracking")
    case .outputBin: PrintOption.usualOutputBins + listed("output-bin")
    case .title, .user, .account, .accountUser: ["42"]
    case .accountType: PrintOption.usualAccountTypes
    case .preset: printer.presets.map(\.name)
    case .option: jobOptions(printer)
    // Of files and programs, not of the job.
    case .from, .assets, .renderer, .alternate: []
    }
  }

  /// `-o` with what the printer lists for any attribute, and with what it may not.
  private static func jobOptions(_ printer: Capabilities) -> [String] {
    let listed = printer.attributes.all.filter { $0.name.hasSuffix("-supported") }
      .flatMap { attribute in
        attribute.values.prefix(4).compactMap { value -> String? in
          let text: String? =
            switch value {
            case .integer(let number), .enumeration(let number): "\(number)"
            case .boolean(let isSo): "\(isSo)"
            case .range(let span): "\(span.upperBound)"
            case .resolution(let resolution): "\(resolution)"
            default: value.string
            }
          return text.map { "\(attribute.name.dropLast("-supported".count))=\($0)" }
        }
      }
    let members = ["media-col", "finishings-col", "job-sheets-col", "separator-sheets"].flatMap {
      name in
      printer.attributes.strings("\(name)-supported").flatMap { member in
        listed.filter { $0.hasPrefix("\(member)=") }.map { "\(name).\($0)" }
      }
    }
    return listed + members
      + printer.finishings.map { "finishings=\($0)" }
      + [
        "finishings=staple", "finishings=punch,staple", "job-priority=50", "collate=false",
        "job-hold-until=indefinite", "job-hold-until=18:00", "orientation-requested=5",
        "media=A4,tray-2", "number-up=2", "landscape", "raw", "outputorder=reverse",
        "job-account-id=7", "print-color-mode=monochrome", "job-sheets=none", "nonsense=1",
      ]
  }
}
