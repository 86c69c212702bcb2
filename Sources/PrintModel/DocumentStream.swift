/// A document on its way to the printer, which rendering produces and submission consumes piece by piece, so that the
/// first page is sent while the second is drawn.
package protocol DocumentStream: AnyObject {
  /// Returns the next piece, never empty; nil at the end.
  ///
  /// It may wait for a page to be drawn. Failures are the document's (65), and nothing follows them.
  func next() throws(Failure) -> [UInt8]?

  /// Number of sheet sides returned completely so far, and in total; equal for a document that is sent unchanged.
  var progress: StreamProgress { get }

  /// Returns what was left out or drawn differently since the last call.
  func takeLosses() -> [Loss]
}

extension DocumentStream {
  package func takeLosses() -> [Loss] { [] }
}

/// Progress of a document on its way.
package struct StreamProgress: Sendable, Equatable {
  package var sides: Int
  package var allSides: Int

  package init(sides: Int, allSides: Int) {
    self.sides = sides
    self.allSides = allSides
  }
}
