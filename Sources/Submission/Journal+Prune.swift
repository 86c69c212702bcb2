internal import FoundationEssentials
internal import Glibc
internal import PrintModel
internal import System

extension Journal {
  /// Removes old or excess jobs that have ended, or that were sent and are not followed, and folders that were never
  /// completed.
  ///
  /// A job in doubt (74) is kept for the full age: its user has to look at the paper. Errors are ignored.
  package func prune() {
    guard access(folder, F_OK) == 0 else { return }
    prune(at: JournalTime.now(in: folder))
  }

  /// Prunes at a time given by `JournalTime`.
  ///
  /// The age of a job starts when this function first finds it ended.
  func prune(at time: Double) {
    guard let records = try? records() else { return }
    // Nobody waited for the end of a job of --no-wait.
    var over = records.filter { $0.isOver || $0.phase == .sent && !isHeld($0.id) }
    let ages = Dictionary(uniqueKeysWithValues: over.map { ($0.id, age($0.id, at: time)) })
    let old = Set(ages.filter { $0.value > limits.age }.keys)
    for id in old { discard(id) }
    // A job that may remain at a printer is looked for until then.
    over.removeAll { old.contains($0.id) || !$0.orphans.isEmpty }
    // Newest first by the time when they were found ended: a wrong clock dates a new job years back.
    let known = over.filter { $0.exitCode != ExitCode.inDoubt.rawValue }.reversed().enumerated()
      .sorted { (ages[$0.element.id] ?? 0, $0.offset) < (ages[$1.element.id] ?? 0, $1.offset) }
      .map(\.element)
    var bytes = 0
    for (index, record) in known.enumerated() {
      bytes += size(record.id)
      if index >= limits.count || bytes > limits.bytes && index > 0 { discard(record.id) }
    }
    let names = Set(records.map(\.id))
    for id in ids where !names.contains(id) {
      let record = "\(folder)/\(id)/\(JournalEntry.recordName)"
      // Jobs of another version are removed by that version.
      if access(record, F_OK) == 0 { continue }
      // A file that was set aside is kept for inspection.
      let isCorrupt = access("\(record).corrupt", F_OK) == 0
      if isCorrupt ? age(id, at: time) > limits.age : isAbandoned(id) { discard(id) }
    }
  }

  /// True if there are so many folders that pruning is worthwhile.
  package var isCrowded: Bool { ids.count > limits.count * 5 / 4 }

  private func discard(_ id: String) {
    let place = "\(folder)/\(id)"
    guard let lock = FileLock(folder: place), lock.isStill(place) else { return }
    unlink("\(place)/\(JournalEntry.recordName)")
    try? FileManager.default.removeItem(atPath: place)
  }

  private func size(_ id: String) -> Int {
    let place = "\(folder)/\(id)"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
    return names.reduce(0) { $0 + Int(FileStatus(link: "\(place)/\($1)")?.st_size ?? 0) }
  }

  /// Returns the seconds since a job was first found ended, a time that is kept in its folder.
  private func age(_ id: String, at time: Double) -> Double {
    let path = "\(folder)/\(id)/.over"
    let noted = FileManager.default.contents(atPath: path)
      .flatMap { Double(String(decoding: $0, as: UTF8.self)) }
    if let noted, noted <= time { return time - noted }
    _ = AtomicFile.write(Array("\(time)".utf8), to: path)
    return 0
  }

  /// Returns true if a folder without a record has not been used for an hour.
  ///
  /// The process that creates a folder holds its lock.
  private func isAbandoned(_ id: String) -> Bool {
    guard let status = FileStatus(link: "\(folder)/\(id)") else { return false }
    return WallClock.seconds - Double(status.st_mtim.tv_sec) > 3600
  }
}
