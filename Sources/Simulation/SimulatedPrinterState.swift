internal import FoundationEssentials
internal import PrintModel
internal import Synchronization

/// A simulated printer as listed by `simulate list`.
package struct SimulatedPrinterState: Codable, Sendable {
  package var profile: String
  package var port: Int
  /// The paper in each tray: `main=A4`.
  package var paper: [String]
  /// IPP's reasons for which it is stopped, and its warnings.
  package var reasons: [String]
}

extension SimulatedPrinter {
  /// The printer's state, as JSON.
  package var stateAsJSON: String {
    let report = state.withLock { state in
      SimulatedPrinterState(
        profile: profile.name, port: identity.port,
        paper: state.trays.map { "\($0.source)=\($0.loaded?.typed ?? "none")" },
        reasons: state.reasons.filter { $0 != "none" })
    }
    let data = (try? JSONEncoder().encode(report)) ?? Data()
    return String(decoding: data, as: UTF8.self)
  }
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
    var words: [String] = []
    for word in papers.map(\.typed) where !words.contains(word) { words.append(word) }
    return words + ["none"]
  }
}

extension SimulatedPrinterState {
  /// Reads the output of `stateAsJSON`; nil for that of another version.
  package init?(json: String) {
    guard
      let state = try? JSONDecoder().decode(SimulatedPrinterState.self, from: Data(json.utf8))
    else { return nil }
    self = state
  }
}
