/// A document on its way to the printer: what rendering produces and submission consumes, piece by
/// piece, so that the first page leaves while the second is drawn.
package protocol DocumentStream: AnyObject {
  /// The next piece, never empty; nil at the end. It may wait for a page to be drawn. The failure is the
  /// document's (65), and nothing follows it.
  func next() throws(Failure) -> [UInt8]?

  /// Sheet sides given out whole so far, and in all; equal for a document that is passed through.
  var progress: StreamProgress { get }

  /// Content left out or drawn in another way since this was last asked, as sentences.
  func takeNotes() -> [String]
}

extension DocumentStream {
  package func takeNotes() -> [String] { [] }
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
