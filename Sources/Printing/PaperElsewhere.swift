internal import AirprintContext
internal import ForeignText
internal import Negotiation
internal import PrintModel
internal import Printers
internal import Settings

extension PrintRun {
  /// `Photo Booth had it loaded when it last answered: -d "Photo Booth"`, where paper that was asked for is not
  /// loaded at this printer; nil where no other saved printer's last answer has it.
  func paperHint(for document: OpenDocument, at session: PrinterConnection) throws(Failure)
    -> String?
  {
    let type = arguments.type ?? document.info.guessedType
    let request = try arguments.request(
      type: type, on: session.target, context.settings.configuration())
    guard request.paper.contains(where: { $0 != .best }) else { return nil }
    for saved in try context.settings.printers().printers.sorted(by: { $0.name < $1.name }).prefix(
      50)
    where saved.uri != session.target.uri && saved.name != session.target.name {
      let isLoaded = loadedPapers(of: saved, for: type, context).contains { paper in
        request.paper.contains { $0 != .best && ($0.matches(paper) || $0.isSamePhoto(as: paper)) }
      }
      guard isLoaded else { continue }
      return
        "\(saved.name) had it loaded when it last answered: -d \(ShellWord.quoted(saved.name.safeName))"
    }
    return nil
  }
}
