internal import IPP
internal import PrintModel
internal import Submission
internal import Threading

/// Goes through the jobs that are not over and that nobody works on, and finds out what became of them
/// (`JournalEntry.settle`): after a crash, a power cut, or `--no-wait`. A job that somebody relies on and
/// that can't have printed is taken up again, in a process of its own.
///
/// `note` is told what a person should know, `unreadable` why a record can't be read. It takes a few seconds for a printer that does not answer,
/// once for all of its jobs.
func settleJobs(
  _ context: Context, note: (String) -> Void, unreadable: (Failure) -> Void
) throws(Failure) {
  let journal = context.journal
  var silent: Set<String> = []
  for record in try journal.records(unreadable: unreadable)
  where !record.isOver && record.phase != .queued {
    guard !silent.contains(record.uri), !journal.isHeld(record.id),
      let entry = try journal.claim(record.id)
    else { continue }
    switch try entry.settle(security: try context.security(at: record.uri)) {
    case .over:
      if let message = entry.record.message, entry.record.exitCode != 0 {
        note("\(entry.record.name) (job \(record.id)): \(message)")
      }
    case .unprinted where entry.record.phase == .queued: break  // it waits, for queue run
    case .unprinted:
      try startJob(entry, context)
      note("\(entry.record.name) (job \(record.id)) is printed now; nothing of it had been sent.")
    case .underWay(nil): silent.insert(record.uri)
    case .underWay: break
    }
  }
  for place in try Housekeeping.places(in: journal) where !silent.contains(place.uri) {
    guard let uri = PrinterURI(place.uri),
      let line = try? Connection(
        to: uri, at: place.addresses, security: try context.security(at: place.uri),
        patience: .seconds(3), interruption: Interruption())
    else { continue }
    var keeper = Housekeeping(journal, at: place.uri, user: place.user)
    keeper.sweep(over: line)
  }
  journal.prune()
}
