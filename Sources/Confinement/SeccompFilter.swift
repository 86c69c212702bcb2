internal import CSandbox
internal import Glibc
internal import LateLibraries

/// seccomp: the allowed system calls, filtered by libseccomp, which has their numbers for every architecture.
///
/// All others fail with EPERM.
///
/// The list is what the C library, GLib, fontconfig, FreeType, librsvg, libheif and similar libraries use to read
/// files, allocate memory, run threads, and read the clock. Arguments are checked for calls that can do both harmless
/// and harmful things. A filter can't inspect memory behind pointers, so file paths are left to Landlock.
package enum SeccompFilter {
  /// The soname of the missing file if libseccomp can't be loaded; nil if it is loaded now.
  package static var missingLibrary: String? {
    do throws(LateLibrary.Missing) {
      try LateLibrary("seccomp").open()
      return nil
    } catch {
      return error.culprit
    }
  }

  /// Installs the filter; returns false when libseccomp is missing or the kernel accepts no filter.
  static func raise() -> Bool {
    guard missingLibrary == nil, let filter = seccomp_init(sandbox_forbid) else { return false }
    defer { seccomp_release(filter) }
    for rule in allowed.map({ Condition($0) }) + conditions { rule.add(to: filter, sandbox_allow) }
    for name in hidden { Condition(name).add(to: filter, sandbox_hide) }
    return seccomp_load(filter) == 0
  }

  /// Writes a filter for programs that are not ours, in the form that bwrap(1) reads; returns false when libseccomp is
  /// missing or the kernel accepts no filter.
  ///
  /// It allows everything but what `forbidden` lists: a converter may be any program.
  package static func write(to descriptor: Int32) -> Bool {
    guard missingLibrary == nil, sandbox_can_filter() != 0,
      let filter = seccomp_init(sandbox_allow)
    else { return false }
    defer { seccomp_release(filter) }
    for rule in forbidden { rule.add(to: filter, sandbox_forbid) }
    for rule in ignored { rule.add(to: filter, sandbox_ignore) }
    for name in hidden + ["memfd_create", "memfd_secret", "io_uring_setup"] {
      Condition(name).add(to: filter, sandbox_hide)
    }
    return seccomp_export_bpf(filter, descriptor) == 0 && lseek(descriptor, 0, SEEK_SET) == 0
  }

  private static let allowed = [
    // Reading files; conditions on how they are opened are below.
    "read", "readv", "pread64", "preadv", "lseek", "close", "close_range", "stat", "lstat", "fstat",
    "newfstatat", "statx", "statfs", "fstatfs", "access", "faccessat", "faccessat2", "readlink",
    "readlinkat", "getdents64", "getcwd", "fadvise64", "dup", "dup3",
    // Descriptors that are already open: the parent's socket and standard error.
    "write", "writev", "poll", "ppoll", "select", "pselect6", "eventfd2", "pipe2",
    // Memory.
    "munmap", "mremap", "madvise", "brk", "mincore",
    // Its own threads.
    "futex", "set_robust_list", "rseq", "sched_yield", "sched_getaffinity", "set_tid_address",
    "membarrier", "exit", "exit_group",
    // Time and random numbers.
    "clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "time",
    "getrandom",
    // Its own identity and usage.
    "getpid", "gettid", "getppid", "getuid", "geteuid", "getgid", "getegid", "uname", "sysinfo",
    "getrlimit", "getrusage", "times",
    // Signals to itself.
    "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "restart_syscall",
  ]

  /// A call, if for each test, of at most six different arguments, the bits under `mask` equal `value`, and `pointer`,
  /// all 64 bits of it, is null.
  private struct Condition {
    var call: String
    var tests: [scmp_arg_cmp]

    init(
      _ call: String, _ tests: (argument: UInt32, mask: Int32, value: Int32)...,
      null pointer: UInt32? = nil
    ) {
      self.call = call
      self.tests =
        tests.map {
          Self.test(
            $0.argument, UInt64(UInt32(bitPattern: $0.mask)),
            UInt64(UInt32(bitPattern: $0.value)))
        } + (pointer.map { [Self.test($0, .max, 0)] } ?? [])
    }

    private static func test(_ argument: UInt32, _ mask: UInt64, _ value: UInt64) -> scmp_arg_cmp {
      scmp_arg_cmp(arg: argument, op: SCMP_CMP_MASKED_EQ, datum_a: mask, datum_b: value)
    }

    func add(to filter: scmp_filter_ctx, _ action: UInt32) {
      let number = seccomp_syscall_resolve_name(call)
      // Some architectures don't have the call.
      guard number >= 0 else { return }
      _ = seccomp_rule_add_array(filter, action, number, UInt32(tests.count), tests)
    }
  }

  private static let conditions: [Condition] = {
    // Neither creates nor truncates a file.
    let writing = O_ACCMODE | O_CREAT | O_TRUNC
    let thread: Int32 = 0x10000  // CLONE_THREAD
    let process = getpid()
    let shared = MAP_SHARED
    // A growing stack is not counted by RLIMIT_DATA.
    let sort = shared | MAP_PRIVATE | MAP_GROWSDOWN
    return [
      Condition("open", (1, writing, O_RDONLY)), Condition("openat", (2, writing, O_RDONLY)),
      // Threads, never processes. librsvg, libheif's decoders and GLib start threads when a document needs them; a
      // filter can't count them.
      Condition("clone", (0, thread, thread)),
      // abort(3) in this process.
      Condition("tgkill", (0, -1, process)),
      // Private memory, which RLIMIT_DATA counts, never writable and executable at once; or a file mapped read-only.
      // Libraries are also loaded and executed inside the sandbox, and so could be the contents of any open file,
      // including the document: such code is under the same restrictions. Shared anonymous memory is not allowed:
      // mprotect(2) could make it writable, uncounted.
      Condition("mmap", (3, sort, MAP_PRIVATE), (2, PROT_WRITE, 0)),
      Condition("mmap", (3, sort, MAP_PRIVATE), (2, PROT_EXEC, 0)),
      Condition("mmap", (3, shared | MAP_PRIVATE | MAP_ANONYMOUS, shared), (2, PROT_WRITE, 0)),
      Condition("mprotect", (2, PROT_EXEC, 0)),
      // Only on the parent's socket.
      Condition("sendto", (0, -1, STDOUT_FILENO)), Condition("recvfrom", (0, -1, STDOUT_FILENO)),
      Condition("fcntl", (1, -1, F_GETFD)), Condition("fcntl", (1, -1, F_SETFD)),
      Condition("fcntl", (1, -1, F_GETFL)), Condition("fcntl", (1, -1, F_DUPFD_CLOEXEC)),
      // Naming threads and memory.
      Condition("prctl", (0, -1, PR_SET_NAME)), Condition("prctl", (0, -1, 0x5356_4D41)),
      // Reading its own limits: the third argument would point to a new one.
      Condition("prlimit64", (0, -1, 0), null: 2),
    ]
  }()

  /// Calls that are reported as missing in the kernel: programs then use others.
  ///
  /// The arguments of clone3 are behind a pointer.
  private static let hidden = ["clone3"]

  /// Larger buffers for sockets, which no process' memory contains.
  private static let ignored = [SO_SNDBUF, SO_RCVBUF].map {
    Condition("setsockopt", (1, -1, SOL_SOCKET), (2, -1, $0))
  }

  /// What no converter needs: the keys of the session and the user (keyrings(7)), which no namespace hides; memory that
  /// belongs to no process and no folder; sockets of a kind that has other limits; and namespaces, in which it could mount
  /// more of it.
  private static let forbidden: [Condition] = {
    let newUser: Int32 = 0x1000_0000  // CLONE_NEWUSER
    let anonymous = MAP_SHARED | MAP_ANONYMOUS
    let families = (0..<64).filter { ![AF_UNIX, AF_INET, AF_INET6, AF_NETLINK].contains($0) }
    return [
      "keyctl", "add_key", "request_key", "shmget", "msgget", "semget", "mq_open", "userfaultfd",
      "unshare", "setns",
    ].map { Condition($0) } + [
      Condition("clone", (0, newUser, newUser)), Condition("mmap", (3, anonymous, anonymous)),
    ] + families.map { Condition("socket", (0, -1, $0)) }
  }()
}
