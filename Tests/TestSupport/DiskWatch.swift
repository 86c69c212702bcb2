internal import CBench
import Glibc

/// What this thread asks of its disk, in its order, while something is done: which of it has reached the disk, and what
/// happens if that fails.
package final class DiskWatch {
  /// A step before it is done.
  package enum Step: Equatable {
    /// fsync(2) of a file, or of a folder.
    case synchronize(String)
    /// A file gets this name.
    case name(String)
  }

  /// Called before each step; it fails with the error that is returned, unless that is 0.
  private let answer: (Step) -> Int32

  private init(_ answer: @escaping (Step) -> Int32) { self.answer = answer }

  /// Does something; `answer` is called before each step that this thread does meanwhile, and returns the error with
  /// which that fails, or 0.
  package static func watch<Result>(
    _ answer: @escaping (Step) -> Int32, _ body: () throws -> Result
  ) rethrows -> Result {
    let watch = DiskWatch(answer)
    bench_watch_disk(
      { context, descriptor, path in
        guard let context else { return 0 }
        let watch = Unmanaged<DiskWatch>.fromOpaque(context).takeUnretainedValue()
        let step: Step =
          if let path { .name(String(cString: path)) } else {
            .synchronize(DiskWatch.path(of: descriptor))
          }
        let error = watch.answer(step)
        if error != 0 { errno = error }
        return error == 0 ? 0 : 1
      }, Unmanaged.passUnretained(watch).toOpaque())
    defer { bench_watch_disk(nil, nil) }
    return try withExtendedLifetime(watch) { try body() }
  }

  private static func path(of descriptor: Int32) -> String {
    var target = [UInt8](repeating: 0, count: 4096)
    let count = target.withUnsafeMutableBytes { room in
      room.baseAddress.map { readlink("/proc/self/fd/\(descriptor)", $0, room.count) } ?? 0
    }
    return String(decoding: target[..<max(0, count)], as: UTF8.self)
  }
}
