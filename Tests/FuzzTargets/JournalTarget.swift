import FoundationEssentials
import PrintModel
import Submission

extension FuzzTarget {
  /// job.json, as the journal reads it.
  static let journal = FuzzTarget("journal") { bytes in
    let folder = Workplace.shared.folder("jobs")
    let journal = Journal(folder: folder)
    _ = Workplace.shared.folder("jobs/bcdfg")
    Workplace.shared.write(bytes, to: "jobs/bcdfg/job.json")
    guard let entry = try? journal.look("bcdfg") else { return }
    let copies = [entry.document] + entry.record.attachments.map { entry.copy(of: $0.path) }
    for path in copies.compactMap({ $0 }) {
      promise(path.hasPrefix("\(folder)/bcdfg/") && !path.contains("/../"), "a copy at \(path)")
    }
    _ = entry.record.outcome
    guard let data = try? JSONEncoder().encode(entry.record) else {
      // JSON can't represent infinity.
      return promise(!entry.record.created.isFinite, "\(entry.record) can't be written")
    }
    do {
      let again = try JSONDecoder().decode(JobRecord.self, from: data)
      promise(again == entry.record, "\(entry.record) became \(again)")
    } catch {
      promise(false, "what was written can't be read: \(error)")
    }
  }
}
