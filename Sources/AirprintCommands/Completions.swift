internal import AirprintKit
internal import ArgumentParser
internal import PrintModel
internal import Settings

/// What Tab offers. Words that depend on this machine are asked of this program when the person presses
/// it; the others are part of the script.
extension CompletionKind {
  /// The saved printers' names.
  static var savedPrinters: CompletionKind {
    .custom { _, _, _ in
      // A book that can't be read says so to whoever runs a command, not to whoever presses Tab.
      let book = try? PrinterBook(Context.current.places)
      return (book?.printers ?? []).map(\.name).compactMap {
        candidate($0, for: CompletionShell.requesting?.rawValue)
      }
    }
  }

  /// The journal's jobs.
  static var jobs: CompletionKind {
    .custom { _, _, _ in knownJobs(Context.current) }
  }

  /// The jobs that wait in the queue.
  static var queuedJobs: CompletionKind {
    .custom { _, _, _ in ((try? await AirprintKit.queuedJobs(Context.current)) ?? []).map(\.job) }
  }

  /// What `--paper` takes, also behind a comma.
  static var papers: CompletionKind {
    .custom { _, _, typed in
      paperNames(completing: typed).compactMap {
        candidate($0, for: CompletionShell.requesting?.rawValue)
      }
    }
  }

  static var jobTypes: CompletionKind { .words(JobType.self) }

  /// The raw values of an enumeration.
  static func words<Words>(_: Words.Type) -> CompletionKind
  where Words: RawRepresentable<String> & CaseIterable {
    .list(Words.allCases.map(\.rawValue))
  }
}

/// A word as the shell's script must get it to offer it as it is; nil for one that no shell can offer.
///
/// A printer chose its name itself. ArgumentParser hands bash the words as `compgen -W`, which runs what
/// stands in `$(…)` or backquotes; zsh would show what follows a colon as a description.
package func candidate(_ word: String, for shell: String?) -> String? {
  guard word.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
    return nil
  }
  switch shell {
  case "bash": return word.escaping { $0.isASCII && !$0.isLetter && !$0.isNumber }
  case "zsh": return word.escaping { $0 == "\\" || $0 == ":" }
  default: return word
  }
}

/// The names that go on where a list like `A4,let` stops: what people say, in the case that they began
/// in, and the PWG names once something is typed.
package func paperNames(completing typed: String) -> [String] {
  let start = typed.lastIndex(of: ",").map(typed.index(after:)) ?? typed.startIndex
  let part = typed[start...]
  let words = StandardMedia.all.map(\.word).map {
    part.first?.isLowercase == true ? $0.lowercased() : $0
  }
  let names = part.isEmpty ? [] : StandardMedia.all.map(\.name)
  return (words + ["best"] + names).filter { $0.hasPrefix(part) }.map { typed[..<start] + $0 }
}

extension StandardMedia {
  /// What people call it, in one word.
  fileprivate var word: String { title.contains(" ") ? aliases.first ?? name : title }
}

extension String {
  fileprivate func escaping(_ isSpecial: (Character) -> Bool) -> String {
    reduce(into: "") { $0 += isSpecial($1) ? "\\\($1)" : String($1) }
  }
}
