internal import PrintModel

extension Negotiator {
  /// Chooses the requested type if the printer serves it; else the one that the document suggests, or the nearest that
  /// the printer has.
  mutating func chooseType() throws(Failure) -> JobType {
    guard let asked = request.type else { return guessType() }
    let served = served(isGuess: false)
    // A printer that lists no media does not print discs; without a printer anything is drawn.
    let isOpen = served.isEmpty && (asked != .disc || capabilities.attributes.all.isEmpty)
    if isOpen || served.contains(asked) || request.force {
      because("type: \(asked.rawValue), as requested")
      return asked
    }
    if asked == .label, request.grid != nil, served.contains(.document) {
      because("type: document, for a sheet of labels")
      return .document
    }
    throw Failure(
      .notSupported,
      "\(printer) can't print \(asked.plural.lowercased())"
        + (served.isEmpty
          ? "" : " (it prints \(served.sorted().map { $0.plural.lowercased() }.inWords()))")
        + ".",
      hints: [
        "Name another printer with -d, pick one (airprint pick --type \(asked.rawValue)), or use "
          + "--force to print anyway."
      ])
  }

  private mutating func guessType() -> JobType {
    let guess = document.guessedType
    let served = served(isGuess: true)
    let type: JobType =
      if served.isEmpty || served.contains(guess) { guess } else if served.contains(.document) {
        .document
      } else {
        nearestToDocument(of: served)
      }
    because(
      "type: \(type.rawValue), "
        + (type != guess
          ? "the printer doesn't print \(guess.plural.lowercased())"
          : guess == .document ? "as usual" : "as it looks like one"))
    isSwapped = type != guess
    return type
  }

  /// Returns the type for a document that the printer doesn't print as what it is.
  ///
  /// The printer's stated purpose takes precedence over the loaded paper. Rolls of photo paper are for photos.
  private func nearestToDocument(of served: Set<JobType>) -> JobType {
    let rolls = capabilities.ready.filter(\.isRoll)
    let isOfPhotoRolls = !rolls.isEmpty && rolls.allSatisfy(\.isPhotographic)
    let types = Negotiator.likeDocuments.filter {
      !isOfPhotoRolls || ![.roll, .largeFormat].contains($0)
    }
    let stated = capabilities.typesAreStated ? capabilities.types : served
    let nearest =
      types.first(where: stated.contains) ?? types.first(where: served.contains)
      ?? served.min() ?? .document
    return nearest == .label && stated.contains(.receipt) && isForReceipts ? .receipt : nearest
  }

  /// True if a receipt roll holds more of the document than labels do.
  ///
  /// Lines of text are as wide as the roll.
  private var isForReceipts: Bool {
    func kept(_ type: JobType) -> Double {
      let papers = capabilities.ready.filter { type.rank($0) == 0 }
      return papers.map { min(1, PageFit.scale(document.pages[0].size.media, on: $0)) }.max() ?? 0
    }
    let onRoll = kept(.receipt)
    return onRoll > 0 && (document.reflows || onRoll > kept(.label))
  }

  /// Types in order of their similarity to a document.
  private static let likeDocuments: [JobType] = [
    .label, .receipt, .largeFormat, .roll, .photo, .postcard, .envelope, .disc,
  ]

  /// Returns the printer's types, and those that its media serve; empty if nothing is known.
  private func served(isGuess: Bool) -> Set<JobType> {
    guard !capabilities.types.isEmpty else { return [] }
    // Sheets of a photo's size are labels if the printer prints nothing else.
    let isForLabels = capabilities.types == [.label]
    let media = JobType.allCases.filter { type in
      capabilities.ready.contains {
        type.isServed(by: $0, isGuess: isGuess)
          && !(isForLabels && [.photo, .postcard].contains(type) && !$0.isPhotographic)
      }
    }
    return capabilities.types.union(capabilities.reportsReady ? media : [])
  }
}
