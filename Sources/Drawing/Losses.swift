internal import Glibc
package import PrintModel

/// What is found missing from a document, without duplicates.
package struct LossNotes {
  private var said: [Loss.Reason: Set<String>] = [:]
  private var new: [Loss] = []

  package init() {}

  /// Maximum number for each reason, enough for a document that is damaged throughout.
  private static let most = 20

  package mutating func add(_ loss: Loss) {
    let count = said[loss.reason]?.count ?? 0
    guard count <= LossNotes.most, said[loss.reason, default: []].insert(loss.message).inserted
    else { return }
    // Each worker counts for itself: the number of those left out is not known.
    new.append(
      count < LossNotes.most
        ? loss
        : Loss(
          loss.reason, page: loss.page,
          "\(loss.message.withoutFullStop), and there is more like this."))
  }

  /// What was not returned yet.
  package mutating func take() -> [Loss] {
    defer { new = [] }
    return new
  }
}

/// The limit on the memory of the process that draws.
package enum MemoryShortage {
  /// Bytes of memory that the process may have of its own; nil: as many as it likes.
  package static var limit: Int? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit) == 0,
      limit.rlim_cur != rlim_t.max
    else { return nil }
    return Int(clamping: limit.rlim_cur)
  }

  /// True if the process has such a limit.
  package static var isPossible: Bool { limit != nil }

  /// The failure, exit 65, of a page that needs more memory than its process may have: an attempt that takes less may
  /// succeed.
  package static func failure(page: Int) -> Failure { failure(of: "Page \(page + 1)") }

  /// - `subject`: the start of a sentence.
  package static func failure(of subject: String) -> Failure {
    Failure(
      .memoryShortage,
      "\(subject) can't be drawn: it takes more memory than page-memory in config.toml allows.",
      about: subject)
  }
}

/// What is said of a picture whose file is damaged, whoever decodes it.
package enum DamagedPicture {
  package static let loss = Loss(
    .damage, "The picture is damaged or cut short: what is missing is left white.")

  /// The failure, exit 65, of a picture that can't be decoded.
  package static func failure(_ why: String?) -> Failure {
    Failure.document("The picture can't be read: \(why ?? "it is damaged or cut short").")
  }
}
