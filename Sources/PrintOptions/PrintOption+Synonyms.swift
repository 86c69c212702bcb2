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
        "gray": [
          "grey", "grayscale", "greyscale", "bw", "mono", "monochrome", "black", "no", "off",
          "false",
        ],
        "color": ["colour", "yes", "on", "true"],
      ],
      .sides: [
        "long": [
          "both", "two", "2", "two-sided", "double", "double-sided", "duplex",
          "two-sided-long-edge", "long-edge",
        ],
        "short": ["two-sided-short-edge", "short-edge", "tumble"],
        "one": ["1", "one-sided", "single", "single-sided", "simplex"],
      ],
      .quality: [
        "high": ["best"], "normal": ["standard"], "draft": ["fast", "low", "eco", "economy"],
      ],
      .position: ["center": ["centre"]],
      .align: ["center": ["centre"]],
    ]
    return words.mapValues { values in
      Dictionary(uniqueKeysWithValues: values.flatMap { value, words in words.map { ($0, value) } })
    }
  }()
}
