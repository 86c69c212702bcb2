internal import AirprintContext
internal import ForeignText
internal import IPP
internal import Printers
internal import PrintModel
internal import Submission
internal import System

/// A job that the user named: by the journal's ID, as PRINTER/NUMBER or as `print --lp` printed it.
enum NamedJob {
  /// The journal's job: also one that its printer's number names, unless it has ended.
  case own(JobRecord)
  /// The job that has this number at a printer now; another program sent it, or the journal's has ended.
  case atPrinter(PrinterReference, Int)

  /// Finds the job; exit 69 if there is none, 64 for a text that can't name one.
  init(_ text: String, _ context: Context) async throws(Failure) {
    if let record = try context.journal.job(named: text) {
      self = .own(record)
      return
    }
    let (target, number) = try await jobAtPrinter(text, context)
    let own = try context.journal.unfinished(number, at: target)
    self = own.map { .own($0) } ?? .atPrinter(target, number)
  }
}

/// Resolves PRINTER/NUMBER; exit 69 for anything that is neither that nor a job's ID.
private func jobAtPrinter(_ text: String, _ context: Context) async throws(Failure) -> (
  PrinterReference, Int
) {
  if text.isEmpty { throw Failure(.usage, "The job's ID is empty (see airprint jobs).") }
  guard let slash = text.lastIndex(of: "/"), let job = Int(text[text.index(after: slash)...]),
    let target = try await findPrinter(String(text[..<slash]), for: nil, context)
  else {
    // Like CUPS' `cancel PRINTER`.
    if let printer = try? context.settings.printers().findWhole(text) {
      throw Failure(
        .usage,
        "\(printer.name) is a printer. Name one of its jobs: airprint jobs \(ShellWord.quoted(printer.name))"
      )
    }
    throw .unknownJob(text)
  }
  return (target, job)
}

extension Failure {
  /// The failure for a job that does not exist; `list` is the command that lists those that do.
  static func unknownJob(_ text: String, listedBy list: String = "jobs") -> Failure {
    Failure(.unknownJob, "There is no job \"\(text)\" (see airprint \(list)).", about: text)
  }
}

extension JobRecord {
  /// Returns a context with the user in whose name the job was sent (`print -U`), who alone may change it.
  func sender(in context: Context) -> Context {
    var context = context
    context.user = user
    return context
  }

  /// Throws exit 76 if the job has ended.
  func refuseOver() throws(Failure) {
    guard isOver else { return }
    let end = NothingPrinted(self) == nil ? "it may have printed" : "nothing was printed"
    throw Failure(.refused, "Job \(id) has already ended: \(state ?? end).")
  }
}

/// Connects to the printer of a job that a command changes: it is awake.
///
/// Exits like `PrinterConnection.reach`.
func reach(_ target: PrinterReference, _ context: Context) throws(Failure) -> PrinterConnection {
  try PrinterConnection.reach(
    target, context, patience: PrinterConnection.awakePatience, cancellation: Cancellation())
}

extension PrinterConnection {
  /// Returns what the printer reports of the job that has this number now, which the user named.
  ///
  /// Exit 69 if there is none; a failed exchange exits like `reach`.
  func job(numbered number: Int, _ context: Context) throws(Failure) -> JobStatus {
    let answer = try ask { (line) throws(IPPError) in
      try line.answer(about: number, user: context.user)
    }
    if case .status(let status) = answer { return status }
    throw unknownJob(number)
  }

  /// The failure for a job that the printer does not have.
  func unknownJob(_ number: Int) -> Failure {
    Failure(.unknownJob, "\(name) has no job \(number).", about: "\(name)/\(number)")
  }
}

extension Journal {
  /// Returns the record of a job that was found before; exit 69 if it has been deleted since.
  func existing(_ id: String) throws(Failure) -> JobRecord {
    guard let record = try record(id) else {
      throw Failure(.unknownJob, "Job \(id) no longer exists.", about: id)
    }
    return record
  }

  /// Returns the record of a printer's job that has not ended; nil for a job that another program sent.
  fileprivate func unfinished(
    _ job: Int, at target: PrinterReference
  ) throws(Failure) -> JobRecord? {
    try records().last { $0.jobId == job && $0.isAt(target) && !$0.isOver }
  }
}

/// Returns a printer's name as `lp` would write it in `request id is NAME-7 (1 file(s))`.
///
/// Programs that parse this line expect the ID to be one word, and CUPS names its queues that way.
package func lpName(_ printer: String) -> String {
  let name = printer.unicodeScalars.reduce(into: "") { name, character in
    let isPlain = character.properties.isAlphabetic || character.properties.numericType != nil
    let isFree = isPlain || ".@+".unicodeScalars.contains(character)
    if isFree || !name.hasSuffix("_") { name += isFree ? String(character) : "_" }
  }
  return name.isEmpty ? "printer" : name
}

extension Journal {
  /// Returns the journal's job with this ID, or with this name from `print --lp` (`Office_Laser-12`).
  ///
  /// Of several, the newest, since printers count from 1 again when they are reset. nil if there is none.
  func job(named text: String) throws(Failure) -> JobRecord? {
    if let record = try record(text) { return record }
    guard let dash = text.lastIndex(of: "-"), let number = Int(text[text.index(after: dash)...])
    else { return nil }
    return try records().last {
      $0.jobId == number && lpName($0.printer) == text[..<dash]
    }
  }
}
