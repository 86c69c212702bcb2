internal import CBench
import FoundationEssentials

/// Fonts that a program sees: those of packages in packaging/packages.txt, whatever else the machine has.
///
/// Tests of where text stands repeat themselves with each set, as these have other widths and heights.
package enum FontSet: CaseIterable, Sendable {
  /// What `Scratch.environment` has.
  case all
  case onlyNoto
  case onlyDejaVu

  /// A path for `FONTCONFIG_FILE`.
  package var file: String { Self.files[self] ?? "" }

  private static let files: [FontSet: String] = {
    let all = String(cString: bench_fonts())
    var files = [FontSet.all: all]
    for (set, without) in [(FontSet.onlyNoto, "/DejaVu"), (.onlyDejaVu, "/Noto")] {
      do {
        let lines = try String(contentsOfFile: all, encoding: .utf8).split(separator: "\n")
        files[set] = try Scratch.shared.write(
          lines.filter { !$0.contains(without) }.joined(separator: "\n"), to: "\(set).conf")
      } catch {
        fatalError("no fonts: \(error)")
      }
    }
    return files
  }()
}
