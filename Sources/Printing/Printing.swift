package import AirprintContext
internal import Glibc
internal import PrintModel
package import Printers
package import Submission
package import System

/// Prints files, one job each, one after the other; the next one is sent while the printer prints the one before
/// (`PrintAhead`).
///
/// Events are reported as they happen; the last one of each file is `.finished`, in the order of the files. Every file is
/// tried, regardless of the results of the others, unless `stopsOnError`: then nothing is printed if one is missing.
///
/// `targets` are tried in order: the next one if a printer is unreachable, stopped or out of paper, as long as nothing
/// of the document has been sent.
package func startPrinting(
  _ arguments: PrintArguments, at targets: [PrinterReference], _ context: Context,
  cancellation: Cancellation
) -> AsyncStream<PrintEvent> {
  let (reports, continuation) = AsyncStream<PrintEvent>.makeStream()
  let missing = arguments.stopsOnError ? missingFiles(of: arguments, context) : []
  guard missing.isEmpty else {
    for result in missing {
      if !arguments.isDryRun {
        announce(result, as: nil, isAskedFor: arguments.handling.notifies, context)
      }
      continuation.yield(.finished(result))
    }
    continuation.finish()
    return reports
  }
  PrintAhead.start(
    arguments, at: targets, context, cancellation, report: { continuation.yield($0) },
    whenOver: { continuation.finish() })
  return reports
}

/// Returns the results of files that do not exist, unless there is a problem with the settings, which is reported first.
private func missingFiles(of arguments: PrintArguments, _ context: Context) -> [PrintResult] {
  guard (try? context.settings.configuration()) != nil else { return [] }
  return arguments.files.filter { !InputFile.exists($0) }.map { file in
    PrintResult(file: arguments.names[file] ?? file, InputFile.unreadable(ENOENT, file))
  }
}

extension PrintRun {
  /// Prints one file; a failure is in the result.
  ///
  /// `entry` is its job if the journal already has that.
  package func printFile(_ file: String, as entry: JournalEntry? = nil) -> PrintResult {
    ending(of: file, as: entry).result
  }

  /// Handles the end of a file: the queue if its printer is off, a notification, and a new connection for the next file
  /// after a failure.
  func finish(_ ending: Ending) -> PrintResult {
    let result = later(ending)
    if !arguments.isDryRun, !result.isQueued {
      announce(result, as: arguments.title, isAskedFor: arguments.handling.notifies, context)
    }
    if result.exitCode != .success { forgetSessions() }
    return result
  }

  /// Queues a file whose printer did not answer, if the configuration requests that (`later-when-offline`); other
  /// results are returned unchanged.
  private func later(_ ending: Ending) -> PrintResult {
    let result = ending.result
    guard result.exitCode == .unavailable, result.job == nil, !arguments.isDryRun,
      arguments.pin == nil, let document = ending.document,
      (try? context.settings.configuration())?.printsLaterWhenOffline == true
    else { return result }
    var queued = result
    queued.isQueued = true
    do throws(Failure) {
      queued.job = try queue(
        document, by: arguments, context,
        after: Failure(result.failure ?? .unavailable, result.message ?? "")
      ).id
      (queued.exitCode, queued.isLeft) = (.success, true)
    } catch {
      queued.fail(Failure(error.reason, "\(result.message ?? "") \(error.message)"))
    }
    return queued
  }
}
