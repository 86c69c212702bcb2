internal import PrintModel
internal import Synchronization

extension SimulatedPrinter {
  /// The paper in each tray, as `simulate load` accepts it: `main=A4`.
  package var loadedPaper: [String] {
    state.withLock { $0.trays.map { "\($0.source)=\($0.loaded?.typed ?? "none")" } }
  }

  /// IPP's reasons for which it is stopped, and its warnings.
  package var stateReasons: [String] { state.withLock { $0.reasons.filter { $0 != "none" } } }
}

extension Paper {
  /// Its name as `simulate load` accepts it.
  fileprivate var typed: String {
    if isRoll { return title.replacing(" roll", with: "").replacing(" ", with: "") }
    guard title.contains(" ") else { return title }
    return StandardMedia.all.first { $0.title == title }?.aliases.first ?? title
  }
}

extension Profile.Tray {
  /// The papers that it can hold, as `simulate load` accepts them, and `none`.
  package var loadable: [String] {
    papers.map(\.typed).uniqued() + ["none"]
  }
}
