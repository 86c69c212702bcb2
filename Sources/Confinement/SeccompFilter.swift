internal import CSandbox
internal import Glibc
internal import LateLibraries

/// seccomp: the system calls that are let through, by libseccomp, which knows their numbers on every machine.
///
/// The rest fails with EPERM.
///
/// The list is what the C library, GLib, fontconfig, FreeType, librsvg, libheif and their like use to read
/// files, to have memory and threads, and to tell the time. An argument is looked at where one call does
/// both harmless things and others; what pointers point to can't be looked at, so files are Landlock's.
enum SeccompFilter {
  private static func load() -> Bool {
    do throws(LateLibrary.Missing) {
      try LateLibrary("seccomp").open()
      return true
    } catch {
      return false
    }
  }

  static var isPossible: Bool { load() && sandbox_can_filter() != 0 }

  /// False when there is no libseccomp, or the kernel takes no filter.
  static func raise() -> Bool {
    guard load(), let filter = sandbox_make_filter() else { return false }
    defer { seccomp_release(filter) }
    for name in allowed {
      if let call = number(name) { _ = sandbox_allow_call(filter, call) }
    }
    for rule in conditions {
      guard let call = number(rule.call) else { continue }
      var tests = rule.tests
      _ = sandbox_allow_call_if(filter, call, &tests, UInt32(tests.count))
    }
    for name in hidden {
      if let call = number(name) { _ = sandbox_hide_call(filter, call) }
    }
    return seccomp_load(filter) == 0
  }

  /// nil for a call that this machine doesn't have.
  private static func number(_ name: String) -> Int32? {
    let call = seccomp_syscall_resolve_name(name)
    return call >= 0 ? call : nil
  }

  private static let allowed = [
    // Files, for reading: what is opened for writing is below.
    "read", "readv", "pread64", "preadv", "lseek", "close", "close_range", "stat", "lstat", "fstat",
    "newfstatat", "statx", "statfs", "fstatfs", "access", "faccessat", "faccessat2", "readlink",
    "readlinkat", "getdents64", "getcwd", "fadvise64", "dup", "dup3",
    // Descriptors that are open: the parent's socket and standard error.
    "write", "writev", "poll", "ppoll", "select", "pselect6", "eventfd2", "pipe2",
    // Memory.
    "munmap", "mremap", "madvise", "brk", "mincore",
    // Threads of its own.
    "futex", "set_robust_list", "rseq", "sched_yield", "sched_getaffinity", "set_tid_address",
    "membarrier", "exit", "exit_group",
    // Time and chance.
    "clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "time",
    "getrandom",
    // Its name.
    "getpid", "gettid", "getppid", "getuid", "geteuid", "getgid", "getegid", "uname", "sysinfo",
    "getrlimit", "getrusage", "times",
    // Signals to itself.
    "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "restart_syscall",
  ]

  /// A call that is let through where the bits of each `mask` in an argument have this value.
  private struct Condition {
    var call: String
    var tests: [sandbox_test]

    init(_ call: String, _ argument: UInt32, _ mask: Int32, _ value: Int32) {
      self.init(call, (argument, mask, value))
    }

    init(_ call: String, _ tests: (argument: UInt32, mask: Int32, value: Int32)...) {
      self.call = call
      self.tests = tests.map {
        sandbox_test(
          argument: $0.argument, mask: UInt64(UInt32(bitPattern: $0.mask)),
          value: UInt64(UInt32(bitPattern: $0.value)))
      }
    }

    /// The same where `pointer`, all 64 bits of it, is null.
    init(_ call: String, null pointer: UInt32, _ tests: (UInt32, Int32, Int32)...) {
      self.call = call
      self.tests =
        tests.map {
          sandbox_test(
            argument: $0, mask: UInt64(UInt32(bitPattern: $1)),
            value: UInt64(UInt32(bitPattern: $2)))
        } + [sandbox_test(argument: pointer, mask: .max, value: 0)]
    }
  }

  private static let conditions: [Condition] = {
    // Neither making a file nor cutting one off.
    let writing = O_ACCMODE | O_CREAT | O_TRUNC
    let thread: Int32 = 0x10000  // CLONE_THREAD
    let process = getpid()
    let shared = MAP_SHARED
    // A stack that grows: its limit does not count it (RLIMIT_DATA).
    let sort = shared | MAP_PRIVATE | MAP_GROWSDOWN
    return [
      Condition("open", 1, writing, O_RDONLY), Condition("openat", 2, writing, O_RDONLY),
      // A thread, never a process. Of what draws, librsvg, libheif's decoders and GLib start threads when they meet
      // a document that needs them; how many can't be counted here.
      Condition("clone", 0, thread, thread),
      // abort(3) of its own.
      Condition("tgkill", 0, -1, process),
      // Memory of its own, which its limit counts, and never to be written and executed at one time; or a file
      // that can't be written. Libraries are loaded and executed behind the walls, too, and so can be what any open
      // file holds, the document's among them: that code meets the same walls. Shared memory without a file would
      // become writable by mprotect(2), uncounted.
      Condition("mmap", (3, sort, MAP_PRIVATE), (2, PROT_WRITE, 0)),
      Condition("mmap", (3, sort, MAP_PRIVATE), (2, PROT_EXEC, 0)),
      Condition("mmap", (3, shared | MAP_PRIVATE | MAP_ANONYMOUS, shared), (2, PROT_WRITE, 0)),
      Condition("mprotect", 2, PROT_EXEC, 0),
      // Over the parent's socket only.
      Condition("sendto", 0, -1, STDOUT_FILENO), Condition("recvfrom", 0, -1, STDOUT_FILENO),
      Condition("fcntl", 1, -1, F_GETFD), Condition("fcntl", 1, -1, F_SETFD),
      Condition("fcntl", 1, -1, F_GETFL), Condition("fcntl", 1, -1, F_DUPFD_CLOEXEC),
      // Names of threads and of memory.
      Condition("prctl", 0, -1, PR_SET_NAME), Condition("prctl", 0, -1, 0x5356_4D41),
      // Reading a limit of its own; the third argument points to the new one.
      Condition("prlimit64", null: 2, (0, -1, 0)),
    ]
  }()

  /// Its arguments are behind a pointer; the C library falls back to clone.
  private static let hidden = ["clone3"]
}
