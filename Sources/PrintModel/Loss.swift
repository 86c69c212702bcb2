/// Something that would be missing from the paper, or hard to read on it: an entry of `losses` in JSON.
///
/// Whatever finds one hands it on; `--strict` refuses a job that has any.
package struct Loss: Sendable, Equatable, Encodable {
  /// The kind, as a word that programs can read; the words are an API, as those of `FailureReason` are.
  package enum Reason: String, Sendable, Encodable, CaseIterable {
    /// Content beyond the cut of a roll.
    case beyondCut = "beyond-cut"
    /// A part of the page beyond the paper's edge.
    case beyondPaper = "beyond-paper"
    /// Marks where the printer can't print on this paper and these sides.
    case margin = "unprintable-margin"
    /// Content scaled so far down that it gets hard to read.
    case tooSmall = "too-small"
    /// A stamp of which a part, or nothing, is on the page.
    case stamp = "stamp-left-out"
    /// Text that is longer than its place.
    case textCut = "text-cut-off"
    /// A page that can't be drawn.
    case page = "page-left-out"
    /// Damaged data, of which a part is missing or wrong.
    case damage = "damaged"
    /// A picture, a style sheet or another file that can't be loaded.
    case file = "file-missing"
    /// What a converter says that it left out.
    case converter = "converter-left-out"
    /// A font that is not included, or not installed.
    case font = "font-missing"
    /// Characters that no font has.
    case character = "character-missing"
    /// Text in an encoding that is a guess.
    case encoding = "encoding-guessed"
    /// A form or files inside of the document, of which only a cover is printed.
    case cover = "only-cover"
    /// A form field with a value.
    case field = "field-left-out"
    case annotation = "annotation-left-out"
    /// A layer that is printed though the document says otherwise, or the reverse.
    case layer = "layer-differs"
    /// Content of a kind that can't be drawn.
    case content = "not-supported"
    /// Drawn with fewer pixels than the printer or the picture has.
    case coarse = "resolution-reduced"
    /// A line of a receipt that is printed as text, and may be meant otherwise.
    case line = "printed-as-text"
    /// Nothing is missing, but a converter ran without a sandbox.
    case sandbox = "no-sandbox"

    /// The failure that it is with `--strict`: of the document, or of the paper, of which another printer may have
    /// more.
    package var failure: FailureReason {
      switch self {
      case .beyondCut, .beyondPaper, .margin, .tooSmall, .stamp: .notSupported
      default: .document
      }
    }
  }

  /// An edge of the page as its reader holds it; on a roll, the bottom is the cut.
  package enum Edge: String, Sendable, Encodable { case top, bottom, left, right }

  package var reason: Reason
  /// The first page that it concerns, from 1; nil for all pages or an unknown one.
  @Null package var page: Int?
  @Null package var edge: Edge?
  /// What is lost at that edge.
  @Null package var millimeters: Double?
  /// A sentence or two for people: what is lost, and what avoids it.
  package var message: String

  package init(
    _ reason: Reason, page: Int? = nil, edge: Edge? = nil, beyond: Hundredths? = nil,
    _ message: String
  ) {
    self.reason = reason
    _page = Null(wrappedValue: page)
    _edge = Null(wrappedValue: edge)
    _millimeters = Null(wrappedValue: beyond.map { Double($0.count) / 100 })
    self.message = message
  }

  /// The same, about a part of the document or a file that is drawn on it: its sentence begins with that.
  package func of(_ part: String) -> Loss {
    var loss = self
    (loss.page, loss.message) = (nil, "\(part): \(message)")
    return loss
  }

  /// The failure that it is with `--strict`.
  package var asFailure: Failure { .strict(message, reason.failure) }
}

extension Failure {
  /// The failure that something is with `--strict`, which would otherwise only be reported in this sentence.
  package static func strict(_ sentence: String, _ reason: FailureReason = .notSupported)
    -> Failure
  {
    Failure(reason, "With --strict: \(sentence)")
  }
}

extension DocumentInfo {
  /// Returns what would be missing because of the document itself, if these of its pages (indices from 0) are printed.
  package func losses(on pages: some Sequence<Int>) -> [Loss] {
    let left = pages.compactMap { index in
      self.pages[index].problem.map {
        Loss(.page, page: index + 1, "\($0.withoutFullStop); it is left out.")
      }
    }
    let more = left.count - 10
    return losses + left.prefix(10)
      + (more > 0 ? [Loss(.page, "\(more) more pages can't be drawn, and are left out.")] : [])
  }
}

/// What a job tells its user before and while it prints, in order; nothing twice.
///
/// Whatever tells it (`print`, `--dry-run`, `render`, `preview`, JSON, the journal) reads it here.
package struct Ledger: Sendable, Equatable {
  package enum Entry: Sendable, Equatable {
    /// A sentence about something that is not as requested, or that the user might not expect.
    case note(String)
    case loss(Loss)

    package var message: String {
      switch self {
      case .note(let sentence): sentence
      case .loss(let loss): loss.message
      }
    }
  }

  package private(set) var entries: [Entry] = []

  package init() {}

  package mutating func add(_ entry: Entry) {
    if !entries.contains(entry) { entries.append(entry) }
  }

  /// Adds losses; throws the first with `strict`.
  package mutating func add(_ losses: [Loss], strict: Bool) throws(Failure) {
    if strict, let first = losses.first { throw first.asFailure }
    for loss in losses { add(.loss(loss)) }
  }

  /// All entries as sentences.
  package var warnings: [String] { entries.map(\.message) }

  package var losses: [Loss] {
    entries.compactMap { if case .loss(let loss) = $0 { loss } else { nil } }
  }

  /// Returns its entries, and is empty from then on.
  package mutating func take() -> Ledger {
    defer { self = Ledger() }
    return self
  }
}
