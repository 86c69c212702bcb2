package import PrintModel

extension Fingerprint {
  /// `AB:CD:…:12:34`, enough for a user to tell two apart.
  package var short: String {
    let parts = text.split(separator: ":")
    return (parts.prefix(2) + ["…"] + parts.suffix(2)).joined(separator: ":")
  }
}

extension String {
  /// The same with every fingerprint in its short form.
  package var withShortFingerprints: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.split(separator: " ", omittingEmptySubsequences: false).map { word in
        // One that begins with another letter is ruled out at no cost.
        word.utf8.count < 90 ? String(word) : Fingerprint(String(word))?.short ?? String(word)
      }.joined(separator: " ")
    }.joined(separator: "\n")
  }
}
