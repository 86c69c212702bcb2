import AirprintCommands
internal import CStart
import Glibc

/// The program: everything is elsewhere.
@main
struct Main {
  static func main() async {
    guard start_argument_count() > 0 else {
      let words = "airprint: It was started without arguments, not even its own name.\n"
      _ = write(2, words, words.utf8.count)
      exit(70)
    }
    let worker = start_forked_worker()
    exit(await run(arguments, worker: worker > 0 ? (worker, start_forked_worker_socket()) : nil))
  }

  /// The arguments behind the program's name.
  private static var arguments: [String] {
    (1..<max(1, start_argument_count())).compactMap { index in
      start_argument(index).map { String(cString: $0) }
    }
  }
}
