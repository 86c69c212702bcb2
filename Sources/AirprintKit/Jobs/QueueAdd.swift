internal import PrintModel
internal import Settings
internal import Submission
package import System

/// Puts documents into the queue, one job each: copies of all their files and what was asked for, safe on
/// disk when `each` is given the result. No printer is asked. Exit 65 and 66 for documents that can't be
/// printed, 73 when the journal can't be written.
package func addToQueue(
  _ wish: PrintArguments, _ context: Context, cancellation: Cancellation,
  each: @escaping @Sendable (PrintResult) -> Void
) async {
  await onThread {
    for file in wish.files {
      var result = PrintResult(file: file, reasons: [], exitCode: .success)
      do throws(Failure) {
        let configuration = try context.settings.configuration()
        let document = try OpenDocument(
          file, context, handling: try wish.handling(on: nil, configuration, context),
          cancellation: cancellation)
        let record = try queue(document, by: wish, context)
        result.job = record.id
        result.printer = record.printer.isEmpty ? nil : record.printer
      } catch {
        result.exitCode = error.code
        result.message = error.message
      }
      each(result)
      if cancellation.isRaised || wish.stopsOnError && result.exitCode != .success { return }
    }
  }
}

/// Puts one document that was opened into the queue.
func queue(
  _ document: OpenDocument, by wish: PrintArguments, _ context: Context
) throws(Failure) -> JobRecord {
  let saved = try context.settings.printers()
  let likely = wish.type.flatMap(saved.printer(for:)) ?? saved.defaultPrinter
  var record = JobRecord(
    name: wish.title.map(JobName.clean)
      ?? document.jobName(host: hostName, time: WallClock.now),
    file: document.file.path, printer: wish.printers.first ?? likely?.name ?? "", uri: "",
    addresses: [], user: context.user, created: WallClock.seconds)
  record.phase = .queued
  record.isKept = true
  record.isForLater = true
  record.pages = document.info.reflows ? nil : document.info.pages.count
  record.type = document.info.guessedType.rawValue
  record.request = JobRequest(wish, for: document, at: wish.printers, context)
  let entry = try context.begin(record, for: document, by: wish)
  entry.release()
  context.journal.knock()
  return entry.record
}
