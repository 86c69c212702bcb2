import Glibc
import Synchronization

/// A shell that splits command lines into words, line by line.
///
/// It finds no programs; the commands that it would run become words of the answer.
final class ShellPeer: Sendable {
  let name: String
  private let descriptor: Mutex<Int32>

  static let bash = ShellPeer(
    "bash",
    ["--norc", "--noprofile", "-c", "command_not_found_handle() { printf 'ran\\0'; }; \(loop)"])
  static let all = [
    bash,
    ShellPeer("zsh", ["-f", "-c", "command_not_found_handler() { printf 'ran\\0'; }; \(loop)"]),
    ShellPeer(
      "fish",
      [
        "--no-config", "-c",
        "function fish_command_not_found; printf 'ran\\0'; end; "
          + "while read -l line; eval $line; printf '\\x01\\0'; end",
      ]),
  ].compactMap(\.self)

  private static let loop = "while IFS= read -r line; do eval \"$line\"; printf '\\x01\\0'; done"

  /// Returns nil if the shell is not installed.
  private init?(_ name: String, _ arguments: [String]) {
    var ends: [Int32] = [-1, -1]
    guard
      let path = ShellPeer.path(of: name),
      socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0
    else { return nil }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    let line: [String] = [path] + arguments
    let settings: [String] = ["PATH=/nonexistent", "HOME=/nonexistent", "LC_ALL=C.UTF-8"]
    var words: [UnsafeMutablePointer<CChar>?] = line.map { (word: String) in strdup(word) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] =
      settings.map { (word: String) in strdup(word) } + [nil]
    defer { for text in words + variables { free(text) } }
    var pid: pid_t = 0
    guard posix_spawn(&pid, path, &actions, nil, &words, &variables) == 0 else { return nil }
    close(ends[1])
    self.name = name
    descriptor = Mutex(ends[0])
  }

  private static func path(of name: String) -> String? {
    let paths: [String] = ["/usr/bin/\(name)", "/bin/\(name)"]
    return paths.first { (path: String) in access(path, X_OK) == 0 }
  }

  /// Returns the words that a command would get for `text`.
  func words(of text: String) -> [String] {
    descriptor.withLock { descriptor in
      let line = Array("printf '%s\\0' \(text)\n".utf8)
      guard send(descriptor, line, line.count, Int32(MSG_NOSIGNAL)) == line.count else { return [] }
      var answer: [UInt8] = []
      // No name contains these bytes: control characters are encoded.
      let end: [UInt8] = [1, 0]
      var piece = [UInt8](repeating: 0, count: 4096)
      while !(answer == end || answer.suffix(3) == [0] + end) {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let ready = poll(&waiting, 1, 20_000)
        // EINTR comes from libFuzzer's alarm.
        if ready < 0 && errno == EINTR { continue }
        guard ready > 0 else { return ["no answer"] }
        let count = read(descriptor, &piece, piece.count)
        guard count > 0 else { return ["the shell ended"] }
        answer += piece[..<count]
      }
      return answer.dropLast(end.count).split(separator: 0, omittingEmptySubsequences: false)
        .dropLast()
        .map { String(decoding: $0, as: UTF8.self) }
    }
  }
}
