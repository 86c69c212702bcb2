internal import PrintModel

extension PrintRequest.Alternate {
  /// Parses `PAPER=FILE`.
  ///
  /// The failure lists accepted values.
  init(_ text: String) throws(Failure) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty else {
      throw PrintOption.alternate.refuse(text, "takes PAPER=FILE (A4=poster.pdf)")
    }
    let paper = try MediaSelector(String(parts[0]))
    guard paper != .best else {
      throw PrintOption.alternate.refuse(text, "takes a paper by its size, not best")
    }
    self.init(paper: paper, file: String(parts[1]))
  }
}
