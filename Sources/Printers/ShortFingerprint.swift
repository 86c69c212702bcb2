package import PrintModel

extension Fingerprint {
  /// A short form, `AB:CD:…:12:34`, enough for a user to tell two apart.
  package var short: String {
    let parts = text.split(separator: ":")
    return (parts.prefix(2) + ["…"] + parts.suffix(2)).joined(separator: ":")
  }
}

extension String {
  /// The text with every fingerprint in its short form.
  package var withShortFingerprints: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.split(separator: " ", omittingEmptySubsequences: false).map { word in
        // A word that is too short is skipped without parsing.
        word.utf8.count < 90 ? String(word) : Fingerprint(String(word))?.short ?? String(word)
      }.joined(separator: " ")
    }.joined(separator: "\n")
  }
}
