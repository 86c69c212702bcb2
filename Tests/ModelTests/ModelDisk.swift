import FoundationEssentials
import Glibc
import TestSupport

/// A job's record on its disk, which may be full: what a process that dies leaves of it, and what is left if the machine
/// loses its power at that moment.
final class ModelDisk {
  private let folder: String
  private var path: String { "\(folder)/job.json" }
  private let printer: ModelPrinter
  /// What has reached the disk of the record, and of the file that will replace it.
  private var record: [UInt8]
  private var draft: [UInt8] = []
  /// What the process that has died left.
  private(set) var left: [UInt8]?

  /// - `folder`: the job's; its record is on disk.
  init(_ folder: String, of printer: ModelPrinter) {
    (self.folder, self.printer) = (folder, printer)
    record = Self.contents("\(folder)/job.json")
  }

  private static func contents(_ path: String) -> [UInt8] {
    FileManager.default.contents(atPath: path).map { Array($0) } ?? []
  }

  /// What happens to a step of `AtomicFile`: an error, or 0.
  func step(_ step: DiskWatch.Step) -> Int32 {
    guard !printer.isCrashed else { return 0 }
    switch step {
    case .synchronize("\(path).new"):
      guard printer.choose(2) == 0 else {
        printer.tell("the disk is full")
        return ENOSPC
      }
      draft = Self.contents("\(path).new")
    case .name(path):
      if draft.isEmpty || draft != Self.contents("\(path).new") {
        printer.violate("a record has its name before it is on disk")
      }
    case .synchronize(path): record = Self.contents(path)
    case .synchronize(folder): record = Self.contents(path)
    default: break
    }
    return 0
  }

  /// The process dies; perhaps because the machine loses its power.
  func crash() {
    let now = Self.contents(path)
    left = now
    if record != now, printer.choose(2) == 1 {
      printer.tell("the machine has lost its power")
      left = record
    }
  }
}
