extension PrintOption {
  /// Returns the value for a synonym: British spelling, and the names that other programs use.
  ///
  /// A word that is not a synonym is returned in lower case.
  func meaning(of text: String) -> String {
    let word = text.lowercased()
    return Self.synonyms[self]?[word] ?? word
  }

  private static let synonyms: [PrintOption: [String: String]] = {
    let words: [PrintOption: [String: [String]]] = [
      .color: [
        "gray": ["grey", "grayscale", "greyscale", "bw", "mono", "monochrome", "black"],
        "color": ["colour"],
      ],
      .sides: [
        "long": ["both", "two", "2", "two-sided", "duplex", "two-sided-long-edge", "long-edge"],
        "short": ["two-sided-short-edge", "short-edge", "tumble"],
        "one": ["1", "one-sided", "single", "simplex"],
      ],
      .quality: ["high": ["best"], "normal": ["standard"], "draft": ["fast", "low"]],
      .position: ["center": ["centre"]],
      .align: ["center": ["centre"]],
    ]
    return words.mapValues { values in
      Dictionary(uniqueKeysWithValues: values.flatMap { value, words in words.map { ($0, value) } })
    }
  }()
}
