package import PrintModel

/// What is found missing from a document, without duplicates.
package struct LossNotes {
  private var said: Set<String> = []
  private var new: [Loss] = []

  package init() {}

  /// Maximum number, enough for a document that is damaged throughout.
  private static let most = 20

  package mutating func add(_ loss: Loss) {
    guard said.count < LossNotes.most, said.insert(loss.message).inserted else { return }
    new.append(loss)
  }

  /// What was not returned yet.
  package mutating func take() -> [Loss] {
    defer { new = [] }
    return new
  }
}
