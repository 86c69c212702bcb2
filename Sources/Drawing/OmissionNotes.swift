/// Sentences about missing content, without duplicates.
package struct OmissionNotes {
  private var said: Set<String> = []
  private var new: [String] = []

  package init() {}

  /// Maximum number of sentences, enough for a document that is damaged throughout.
  private static let most = 20

  package mutating func add(_ sentence: String) {
    guard said.count < OmissionNotes.most, said.insert(sentence).inserted else { return }
    new.append(sentence)
  }

  /// Sentences not returned yet.
  package mutating func take() -> [String] {
    defer { new = [] }
    return new
  }
}
