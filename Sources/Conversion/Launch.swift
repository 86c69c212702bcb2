internal import Glibc
internal import PrintModel
internal import System

/// Starting a program: posix_spawn with every descriptor said, in a group of its own, and with the
/// signals as they were before airprint touched them.
struct Launch {
  var arguments: [String]
  var environment: [String: String]
  var input: Int32
  var output: Int32
  var errors: Int32

  /// The new process, or nil with `errno`.
  func start() -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // Above the three, so that none is overwritten before it is copied.
    let sources = [input, output, errors].map { fcntl($0, F_DUPFD_CLOEXEC, 3) }
    defer { for source in sources where source >= 0 { close(source) } }
    guard sources.allSatisfy({ $0 >= 0 }) else { return nil }
    for (target, source) in sources.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, source, Int32(target))
    }
    // Whoever started airprint may have left others open.
    closeDescriptors(from: 3, in: &actions)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] =
      environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (words + variables).forEach { free($0) } }
    var process: pid_t = 0
    let status = posix_spawn(
      &process, arguments[0], &actions, &attributes, &words, &variables)
    errno = status
    return status == 0 ? process : nil
  }

  /// Whether a program that says nothing and takes no time ends with 0.
  static func succeeds(_ arguments: [String]) -> Bool {
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    guard null >= 0 else { return false }
    defer { close(null) }
    let launch = Launch(
      arguments: arguments, environment: [:], input: null, output: null, errors: null)
    guard let process = launch.start() else { return false }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    return status == 0
  }
}

extension ProgramPath {
  /// Whether a program that reads nothing and takes no time ends with 0; what it says goes nowhere.
  package static func succeeds(_ arguments: [String]) -> Bool { Launch.succeeds(arguments) }
}
