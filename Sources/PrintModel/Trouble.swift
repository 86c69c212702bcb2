/// Something that delays a job.
package struct Trouble: Sendable, Hashable {
  /// A sentence without a full stop.
  package var words: String
  /// How it ends, if the words don't say it: the end of the sentence.
  package var advice: String?
  /// Who ends it.
  package var need: Need

  package enum Need: Sendable { case time, somebody, paper }

  package init(_ words: String, advice: String? = nil, _ need: Need = .time) {
    self.words = words
    self.advice = advice
    self.need = need
  }

  /// The whole sentence, without a full stop.
  package var text: String { words + (advice.map { ": \($0)" } ?? "") }
}
