internal import ForeignText
internal import PrintModel
internal import PrintOptions

/// A member of a medium that can be requested by its keyword, `--tray` or `--media-type`, with the keywords that the
/// printer lists.
struct MediumMember {
  let option: PrintOption
  /// Name of the member in a sentence.
  let noun: String
  let stated: [String]
  let member: any WritableKeyPath<Paper, String?> & Sendable
  /// Its name in media-col.
  private let name: String
  /// The keywords in the syntax in which the printer lists them: HP's LaserJets list names.
  private let listed: [Attribute.Value]

  var isTray: Bool { name == "media-source" }

  static func tray(of printer: Capabilities) -> MediumMember {
    MediumMember(
      option: .tray, noun: "tray", stated: printer.sources, member: \.source,
      name: "media-source", listed: printer.attributes.values("media-source-supported"))
  }

  static func type(of printer: Capabilities) -> MediumMember {
    MediumMember(
      option: .mediaType, noun: "paper type", stated: printer.mediaTypes, member: \.type,
      name: "media-type", listed: printer.attributes.values("media-type-supported"))
  }

  /// Returns the printer's keyword for what was typed: in any case, without hyphens, with blanks, a tray's number (`2`,
  /// `Tray 2`), or a type's name in PPDs (`plain`).
  ///
  /// A keyword that the printer does not list is returned unchanged.
  func keyword(_ typed: String) -> String {
    if stated.contains(typed) { return typed }
    if let coded = stated.first(where: { $0.isCoded(as: typed) }) { return coded }
    let letters = MediumMember.letters(typed)
    let number = isTray && !letters.isEmpty && letters.allSatisfy(\.isNumber)
    let wanted = number ? "tray" + letters : letters
    return stated.first { MediumMember.letters($0) == wanted }
      ?? stated.first { !isTray && $0 == PrintOption.mediaTypes[wanted] } ?? typed
  }

  /// Returns the end of a sentence about a printer without such a tray or type.
  func lack(of typed: String) -> String {
    let known = stated.isEmpty ? "it lists none" : "available: \(stated.inWords())"
    return "has no \(noun) \"\(typed)\" (\(known))"
  }

  /// Returns the same medium with this keyword, also in the entry that is sent to the printer.
  func set(_ keyword: String, on paper: Paper, isReady: Bool = true) -> Paper {
    var paper = paper
    paper.isReady = paper.isReady && isReady
    paper[keyPath: member] = keyword
    let value = listed.first { $0.string == keyword } ?? .keyword(keyword)
    paper.column = paper.column.replacing(Attribute(name, value))
    return paper
  }

  /// The same medium without this member.
  func unset(on paper: Paper) -> Paper {
    var paper = paper
    paper[keyPath: member] = nil
    paper.column.removeAll { $0.name == name }
    return paper
  }

  private static func letters(_ text: String) -> String {
    text.lowercased().filter { $0.isLetter || $0.isNumber }
  }
}
