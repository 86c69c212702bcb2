internal import AirprintContext
internal import Desktop
internal import Discovery
internal import ForeignText
internal import Logging
internal import Printers
internal import Printing
internal import PrintModel
internal import Submission
internal import System

// Printers that jobs wait for, and their availability.

extension QueueWatch {
  func receive(_ message: Message) {
    switch message {
    case .seen(let event): see(event)
    case .browsingEnded(let wasCanceled):
      browsing = nil
      browseAgain = nil
      guard !destinations.isEmpty || unplaced > 0 else { return }
      // Avahi may be about to start.
      if wasCanceled { browse() } else { browseAgain = .now + browsePause }
      if !wasCanceled { browsePause = min(browsePause * 2, .seconds(60)) }
    case .answered(let key, let isThere): answered(key, isThere)
    case .needed(let key, let words):
      guard destinations[key]?.need != words else { return }
      destinations[key]?.need = words
      // A run tells it, too, and records it.
      if prints { print(key) } else { tell(.note(words)) }
    case .wanted(let key): print(key)
    case .refused(let key, let job): destinations[key]?.given.insert(job)
    case .printed(let key):
      destinations[key]?.isPrinting = false
      readQueue()
    }
  }

  /// Reads which jobs wait, and for which printers.
  ///
  /// A printer that no job waits for is forgotten, with everything known about it.
  func readQueue() {
    readSettingsAgain()
    let records: [JobRecord]
    let store: PrinterStore
    do throws(Failure) {
      records = try context.journal.records { [tell] in tell(.note($0.message)) }.filter(
        \.isInQueue)
      store = try context.settings.printers()
    } catch {
      return tell(.note(error.message))
    }
    var found: [String: (targets: [PrinterReference], jobs: [QueuedJob])] = [:]
    unplaced = 0
    asksNetwork = false
    for record in records {
      let targets = targets(of: record, store).map {
        $0.of(record, isNamed: context.passwordFile != nil)
      }
      if targets.isEmpty { unplaced += 1 }
      guard !targets.isEmpty else { continue }
      let key = targets.map(\.uri).joined(separator: " ")
      let job = QueuedJob(record, store, isHeld: false)
      found[key, default: (targets, [])].jobs.append(job)
    }
    for (key, place) in destinations where found[key] == nil && !place.isPrinting {
      let stillWait = place.jobs.contains { job in records.contains { $0.id == job.job } }
      // DNS-SD no longer announces it.
      if place.probe.isThere == true, stillWait { tellGone(place) }
      destinations[key] = nil
    }
    for (key, (targets, jobs)) in found {
      let known = Set(destinations[key]?.jobs.map(\.job) ?? [])
      if destinations[key] == nil {
        destinations[key] = Destination(
          targets: targets, jobs: [], probe: AvailabilityProbe(now: .now))
      }
      destinations[key]?.jobs = jobs
      // A new job is printed as soon as possible; there is no second notification for it.
      if prints, jobs.contains(where: { !known.contains($0.job) }) {
        destinations[key]?.probe.hurry(now: .now)
      }
    }
    if destinations.isEmpty && unplaced == 0 {
      browsing?.cancel()
      browseAgain = nil
      present = [:]
    } else if browseAgain == nil {
      browse()
    }
  }

  /// Returns a job's current destination as `findPrinters` does, but on the network only among discovered printers.
  private func targets(of record: JobRecord, _ store: PrinterStore) -> [PrinterReference] {
    record.places(in: store).compactMap { place in
      if PrinterReference.isURI(place.uri) { return place }
      asksNetwork = true
      let word = place.uri
      return present.values.first { $0.isCalled(word) }.map { PrinterReference($0, word: word) }
    }
  }

  func browse() {
    guard browsing == nil else { return }
    seen = []
    searchAnewAt = .now + QueueWatch.searchLength
    browsing = Task { [mailbox, context] in
      // A long timeout, because a search that settles too soon would treat slow printers as gone.
      if let scope = try? SearchScope(context),
        let events = try? await discover(in: scope, timeout: .seconds(60), watching: true)
      {
        for await event in events { mailbox.post(.seen(event)) }
      }
      mailbox.post(.browsingEnded(wasCanceled: Task.isCancelled))
    }
  }

  /// Length of one search while a job waits for a printer that is not found on the network.
  ///
  /// An announcement may get lost (multicast over a WLAN, a full socket), and Avahi asks at growing intervals, up to
  /// once an hour (RFC 6762 §5.2). A new search asks immediately.
  static let searchLength = Duration.seconds(120)

  /// Ends the search; the next one starts when it has ended.
  func searchAnew() {
    searchAnewAt = .now + QueueWatch.searchLength
    guard unplaced > 0 else { return }
    watchLog.debug("looking again for printers that jobs wait for")
    browsing?.cancel()
  }

  private func see(_ event: DiscoveryEvent) {
    browsePause = .seconds(5)
    switch event {
    case .settled:
      // These printers were found by the previous search.
      for (service, printer) in present where !seen.contains(service) {
        present[service] = nil
        heard(of: printer)
      }
    case .appeared(let new):
      seen.insert(new.service)
      guard present.updateValue(new, forKey: new.service) != new else { return }
      heard(of: new)
    case .changed(let new, let former):
      present[former.service] = nil
      present[new.service] = new
      seen.insert(new.service)
      heard(of: new)
    case .vanished(let old):
      present[old.service] = nil
      heard(of: old)
    }
  }

  private func heard(of printer: DiscoveredPrinter) {
    watchLog.debug("DNS-SD reports a change of \(printer.name)")
    // After a short delay, so that a record that keeps changing triggers at most ten reads of the queue a second.
    if asksNetwork { readAt = readAt ?? .now + .milliseconds(100) }
    for (key, place) in destinations where place.targets.contains(where: { $0.isMaybe(printer) }) {
      destinations[key]?.probe.hurry(now: .now)
    }
  }

  /// Returns true if DNS-SD announces one of a destination's printers.
  private func isVisible(_ targets: [PrinterReference]) -> Bool {
    present.values.contains { printer in targets.contains { $0.isMaybe(printer) } }
  }

  func hurryAll() {
    watchLog.debug("the network has changed")
    for key in destinations.keys { destinations[key]?.probe.hurry(now: .now) }
    if browsing == nil, browseAgain != nil { browseAgain = .now }
  }

  /// Checks if one of a destination's printers answers.
  func ask(_ key: String) {
    guard let targets = destinations[key]?.targets else { return }
    destinations[key]?.probe.ask()
    let timeout = AvailabilityProbe.timeout(isVisible: isVisible(targets))
    detachThread { [context, cancellation, mailbox] in
      let isThere = targets.contains { target in
        do throws(Failure) {
          let connection = try PrinterConnection.reach(
            target, context, timeout: timeout, cancellation: cancellation)
          if let missing = try connection.missingLogin(context) { throw missing }
          return true
        } catch {
          watchLog.debug("\(error.message)")
          if error.code == .notAllowed { mailbox.post(.needed(key, error.message)) }
          return false
        }
      }
      mailbox.post(.answered(key, isThere: isThere))
    }
  }

  private func answered(_ key: String, _ isThere: Bool) {
    let isVisible = isVisible(destinations[key]?.targets ?? [])
    guard
      let change = destinations[key]?.probe.answered(isThere, isVisible: isVisible, now: .now),
      let place = destinations[key]
    else { return }
    let (name, uri) = (place.targets[0].name, place.targets[0].uri)
    watchLog.debug("\(name) is \(isThere ? "" : "not ")there")
    switch change {
    case .appeared:
      // Another process may have printed them in the meantime.
      readQueue()
      guard let place = destinations[key] else { return }
      destinations[key]?.need = nil
      destinations[key]?.given = []
      tell(.available(printer: name, uri: uri, place.jobs))
      if prints { print(key) } else { remind(key) }
    case .vanished:
      destinations[key]?.reminder = nil
      tellGone(place)
    case .none:
      if isThere, prints { print(key) }
    }
  }

  private func tellGone(_ place: Destination) {
    tell(.gone(printer: place.targets[0].name, uri: place.targets[0].uri))
  }
}

extension PrinterReference {
  /// Returns true if news about that printer may be news about this one.
  fileprivate func isMaybe(_ printer: DiscoveredPrinter) -> Bool {
    if let uuid = saved?.uuid, uuid == printer.uuid { return true }
    return printer.announces(saved?.service) || printer.endpoints.contains { $0.uri == uri }
      || printer.names.contains(name)
  }
}

// Actions when a printer becomes available.

extension QueueWatch {
  /// Notifies the user: by the command in the configuration, and on the desktop.
  func remind(_ key: String) {
    readSettingsAgain()
    guard let place = destinations[key], let configuration = try? context.settings.configuration()
    else {
      return
    }
    let target = place.targets[0]
    if let command = configuration.onAvailable { run(command, for: target, place.jobs) }
    guard configuration.notifies else { return }
    let count = place.jobs.count
    let names = place.jobs.prefix(5).map(\.name).joined(separator: ", ")
    destinations[key]?.reminder = Reminder(
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
    guard let place = destinations[key], !place.isPrinting else { return }
    let jobs = place.jobs.map(\.job).filter { !place.given.contains($0) }
    guard !jobs.isEmpty else { return }
    readSettingsAgain()
    destinations[key]?.isPrinting = true
    destinations[key]?.reminder = nil
    Task { [context, cancellation, mailbox, tell] in
      do throws(Failure) {
        let reports = try await runQueue(
          jobs, isNamed: context.passwordFile != nil, context, cancellation: cancellation
        ) { tell(.note($0)) }
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
