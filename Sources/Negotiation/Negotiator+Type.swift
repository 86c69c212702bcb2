internal import PrintModel

extension Negotiator {
  /// The type that was named, if the printer serves it; else the one that the document suggests, or
  /// the nearest that the printer has.
  mutating func chooseType() throws(Failure) -> JobType {
    guard let asked = request.type else { return guessType() }
    if served.isEmpty || served.contains(asked) || request.force {
      because("type: \(asked.rawValue), as asked for")
      return asked
    }
    throw Failure(
      .usage,
      "\(printer) does not print \(asked.rawValue) jobs, and nothing that serves one is loaded. "
        + "It prints \(served.sorted().map(\.rawValue).inWords()). --force prints all the same.")
  }

  private mutating func guessType() -> JobType {
    let guess = document.guessedType
    let type: JobType =
      if served.isEmpty || served.contains(guess) { guess } else if served.contains(.document) {
        .document
      } else { served.min() ?? .document }
    because(
      "type: \(type.rawValue), "
        + (type == guess
          ? "as the document suggests"
          : "for the printer does not serve \(guess.withArticle)"))
    return type
  }

  /// The printer's kinds, and what its media serve besides; empty when nothing is known.
  private var served: Set<JobType> {
    guard !capabilities.types.isEmpty else { return [] }
    let media = JobType.allCases.filter { type in
      capabilities.ready.contains { TypeRules(type).isServed(by: $0) }
    }
    return capabilities.types.union(capabilities.reportsReady ? media : [])
  }
}
