import PrintModel
import Layout

/// A ticket with the keys of the table.
struct Facts: CustomStringConvertible {
  private let ticket: Ticket
  private let document: DocumentInfo

  init(_ ticket: Ticket, _ document: DocumentInfo) {
    self.ticket = ticket
    self.document = document
  }

  private static let names = [
    "type", "paper", "size", "tray", "media", "margins", "roll", "cuts", "ready", "format", "whole",
    "dpi", "ink", "raster", "mode", "quality", "sides", "back", "scaling", "percent", "turned",
    "clockwise", "copies", "repeats", "pages", "up", "top", "each",
  ]

  var description: String {
    Facts.names.map { "\($0)=\(self[$0])" }.joined(separator: " ")
  }

  /// Returns a fact by its key; `@NAME` is a job attribute, `@media-col.MEMBER` a member of it; "-" if there is none;
  /// `asked.NAME` if it must not be ignored with --strict.
  subscript(name: String) -> String {
    if name.hasPrefix("asked.") { return yes(ticket.asked.contains(String(name.dropFirst(6)))) }
    if name.hasPrefix("@") { return attribute(String(name.dropFirst())) }
    return paper(name) ?? drawing(name) ?? rest(name)
  }

  private func paper(_ name: String) -> String? {
    let paper = ticket.paper
    let margins = paper.margins
    return switch name {
    case "paper": paper.name
    case "size": "\(paper.size.width.count)x\(paper.size.length.count)"
    case "first": ticket.firstPaper?.source ?? "-"
    case "tray": paper.source ?? "-"
    case "media": paper.type ?? "-"
    case "margins":
      [margins.top, margins.bottom, margins.left, margins.right].map { "\($0.count)" }
        .joined(separator: "/")
    case "roll": yes(paper.isRoll)
    case "cuts": paper.cuts.map { "\($0.lowerBound.count)-\($0.upperBound.count)" } ?? "-"
    case "ready": yes(paper.isReady)
    default: nil
    }
  }

  private func drawing(_ name: String) -> String? {
    let page = document.pages[ticket.pages[0]].size
    let layout = SheetLayout(ticket)
    return switch name {
    case "scaling": ticket.scaling.rawValue
    case "percent": "\(Int((layout.scale(of: page) * 100).rounded()))"
    case "rotation": "\(layout.rotation(of: page).rawValue)"
    case "turned": yes(layout.isTurned(page))
    case "lost": "\(Int((layout.lost(of: page) * 100).rounded()))"
    case "clockwise": yes(ticket.turnsClockwise)
    case "exact": yes(ticket.exactScale != nil)
    case "up": "\(ticket.numberUp)"
    case "top": yes(ticket.isAtTop)
    case "each": yes(ticket.cutsAtContent)
    default: nil
    }
  }

  private func rest(_ name: String) -> String {
    switch name {
    case "type": ticket.type.rawValue
    case "format": ticket.format.split(separator: "/").last.map(String.init) ?? ""
    case "whole": yes(ticket.isPassedThrough)
    case "dpi": "\(ticket.resolution.description.dropLast(3))"
    case "ink": "\(ticket.color)"
    case "raster": "\(ticket.rasterColor)"
    case "mode": ticket.colorKeyword
    case "quality": ticket.quality.keyword
    case "sides": ticket.sides.rawValue
    case "back": ticket.sheetBack.rawValue
    case "copies": "\(ticket.copies)"
    case "repeats": "\(ticket.repeats)"
    case "pages": ticket.pages.map { "\($0 + 1)" }.joined(separator: ",")
    default: "no such fact"
    }
  }

  private func attribute(_ path: String) -> String {
    var attributes = AttributeSet(ticket.attributes)
    var names = path.split(separator: ".").map(String.init)
    while names.count > 1 {
      guard let inner = attributes.collections(names.removeFirst()).first else { return "-" }
      attributes = inner
    }
    let values = attributes.values(names[0]).map(text)
    return values.isEmpty ? "-" : values.joined(separator: ",")
  }

  private func text(_ value: Attribute.Value) -> String {
    switch value {
    case .integer(let number), .enumeration(let number): "\(number)"
    case .string(_, let text): text
    case .range(let span): "\(span.lowerBound)-\(span.upperBound)"
    case .boolean(let flag): "\(flag)"
    case .resolution(let resolution): resolution.description
    case .collection(let members): members.map(\.name).sorted().joined(separator: "+")
    default: "?"
    }
  }

  private func yes(_ flag: Bool) -> String { flag ? "yes" : "no" }
}
