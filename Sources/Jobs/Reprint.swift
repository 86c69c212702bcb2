package import AirprintContext
internal import ForeignText
package import PrintModel
package import Printers
package import Printing
internal import Submission

/// A job of the journal that is printed again.
package struct Reprint: Sendable {
  /// Its options, with the journal's copies in place of the files.
  package var arguments: PrintArguments
  /// The printers for which it was sent, as names by which they can be found again.
  package var printers: [String]
  /// The printer to which it was sent; nil if it never reached one.
  package var target: PrinterReference?
}

/// Returns the job to print again: the one named as for `NamedJob`, or the last one that is printed.
///
/// Exit 69 for an unknown job, 64 if none was printed or if it waits in the queue, 66 if the journal has no copy of its
/// document.
package func reprint(_ job: String?, _ context: Context) async throws(Failure) -> Reprint {
  let journal = context.journal
  let id: String
  if let job {
    if try journal.job(named: job) == nil, InputFile.exists(job) {
      throw .usage(
        "\(job) is a file; reprint takes a job's ID (see airprint jobs). Print the file with: airprint print "
          + ShellWord.quoted(job))
    }
    switch try await NamedJob(job, orOver: true, context) {
    case .own(let record): id = record.id
    case .atPrinter(let target, let number):
      throw Failure(
        .unknownJob,
        "airprint did not send job \(number) on \(target.name), and has no copy of its document."
      )
    }
  } else {
    guard let last = try await listJobs(at: nil, context).last(where: \.isPrinted)?.job else {
      throw .usage("No job was printed (see airprint jobs).")
    }
    id = last
  }
  guard let entry = try journal.look(id) else { throw .unknownJob(id) }
  var arguments = try PrintArguments(entry)
  arguments.handling.endsWhenSent = false
  arguments.asked = nil
  let record = entry.record
  try record.refuseQueued()
  let target =
    record.uri.isEmpty ? nil : try PrinterReference(of: record, isNamed: true, context)
  return Reprint(arguments: arguments, printers: record.request.printers, target: target)
}
