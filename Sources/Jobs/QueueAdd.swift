package import AirprintContext
package import PrintModel
package import Printing
internal import Submission
package import System

/// Adds documents to the queue, one job each: copies of all their files and the options are durable on disk when `each`
/// is called with the result.
///
/// No printer is contacted; `failure` is that of an earlier attempt, if there was one. Exit 65 and 66 for
/// documents that can't be printed, 73 if the journal can't be written.
package func addToQueue(
  _ arguments: PrintArguments, after failure: Failure? = nil, _ context: Context,
  cancellation: Cancellation,
  each: @escaping @Sendable (PrintResult) -> Void
) async {
  await onThread {
    for file in arguments.files {
      var result = PrintResult(file: file)
      do throws(Failure) {
        let document = try arguments.open(file, for: nil, context, cancellation)
        let record = try queue(document, by: arguments, context, after: failure)
        result.job = record.id
        result.isLeft = true
        result.printer = record.printer.isEmpty ? nil : record.printer
      } catch {
        result.fail(error)
      }
      each(result)
      if cancellation.isRaised || arguments.stopsOnError && result.exitCode != .success { return }
    }
  }
}
