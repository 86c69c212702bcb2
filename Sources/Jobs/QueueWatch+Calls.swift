internal import AirprintContext
internal import Desktop
internal import ForeignText
internal import PrintModel
internal import Printers
internal import Printing
internal import System

// Actions when a printer becomes available.

extension QueueWatch {
  /// Notifies the user: by the command in the configuration, and on the desktop.
  func remind(_ key: String) {
    readSettingsAgain()
    guard let place = places[key], let configuration = try? context.settings.configuration() else {
      return
    }
    let target = place.targets[0]
    if let command = configuration.onAvailable { run(command, for: target, place.jobs) }
    guard configuration.notifies else { return }
    let count = place.jobs.count
    let names = place.jobs.prefix(5).map(\.name).joined(separator: ", ")
    places[key]?.reminder = Reminder(
      "\(target.name) is available",
      "\(count.counted("job")) waiting: \(names)\(count > 5 ? ", …" : "")",
      context.environment
    ) { [mailbox] in mailbox.post(.wanted(key)) }
  }

  /// Runs `on-available` in the shell, with the jobs in its environment.
  private func run(_ command: String, for target: PrinterReference, _ jobs: [QueuedJob]) {
    let variables = [
      "AIRPRINT_JOBS": jobs.map(\.job).joined(separator: " "),
      "AIRPRINT_PRINTER": target.saved?.name.safeName ?? target.uri,
      "AIRPRINT_PRINTER_URI": target.uri,
    ]
    do throws(SystemError) {
      _ = try ChildProgram(["sh", "-c", command], adding: variables, context.environment) {
        [tell] output, status in
        if !output.isEmpty { tell(.note("on-available: \(output)")) }
        if status != 0 {
          let how = status.map { "exited with \($0)" } ?? "was killed"
          tell(.note("on-available: \(command) \(how)."))
        }
      }
    } catch {
      tell(.note("on-available: sh can't be started: \(error)."))
    }
  }

  /// Prints a destination's jobs, without those that its printer has refused since it became available.
  func print(_ key: String) {
    guard let place = places[key], !place.isPrinting else { return }
    let jobs = place.jobs.map(\.job).filter { !place.given.contains($0) }
    guard !jobs.isEmpty else { return }
    readSettingsAgain()
    places[key]?.isPrinting = true
    places[key]?.reminder = nil
    Task { [context, cancellation, mailbox, tell] in
      do throws(Failure) {
        let reports = try await runQueue(jobs, context, cancellation: cancellation) {
          tell(.note($0))
        }
        for await report in reports {
          if case .finished(let job, let result, isWaiting: true) = report, !result.exitCode.passes
          {
            mailbox.post(.refused(key, job: job.job))
          }
          tell(.printing(report))
        }
      } catch {
        tell(.note(error.message))
      }
      mailbox.post(.printed(key))
    }
  }
}

extension ExitCode {
  /// True if the reason that kept a job from being printed may go away by itself.
  fileprivate var passes: Bool { [.unavailable, .notNow].contains(self) }
}
