package import AirprintContext
package import PrintModel
internal import Settings
package import Submission
internal import System

/// Adds an opened document to the queue.
///
/// Exit 73 if the journal can't be written, 78 if printers.toml is invalid.
///
/// - `failure`: the reason why it waits, if a printer was tried.
package func queue(
  _ document: OpenDocument, by arguments: PrintArguments, _ context: Context,
  after failure: Failure? = nil
) throws(Failure) -> JobRecord {
  let saved = try context.settings.printers()
  var record = JobRecord(
    name: document.jobName(titled: arguments.title), file: document.file.path,
    printer: arguments.printers.first ?? "", uri: "",
    addresses: [], user: context.user, created: WallClock.seconds)
  record.phase = .queued
  record.isKept = true
  record.isForLater = true
  record.pages = document.info.reflows ? nil : document.info.pages.count
  record.type = document.info.guessedType.rawValue
  record.sureType = document.info.sureType?.rawValue
  record.request = JobRequest(arguments, for: document.file, at: arguments.printers, context)
  if record.printer.isEmpty { record.printer = record.likelyPrinter(in: saved)?.name ?? "" }
  let entry = try context.journal.begin(record, for: document, by: arguments, context)
  if let failure, let proof = NothingPrinted(entry.record) {
    try entry.update { $0.wait(JobOutcome(failure), proof) }
  }
  entry.release()
  context.journal.knock()
  return entry.record
}
