// Confinement: what a process gives up before it reads the first byte of a document. This is the only module that uses
// Landlock and libseccomp. It depends on neither documents nor printers.

internal import CSandbox
internal import Glibc
internal import LateLibraries
internal import System

/// The sandbox of a process that reads untrusted documents.
///
/// Inside, there is no network and no other process, nothing can be executed, only descriptors that are already open
/// can be written, and files can be read only where libraries keep fonts and data. A forbidden call fails with EPERM or
/// EACCES and does not end the process: libraries try harmless things in passing (a cache, a bus, the user's name), and
/// a document gains nothing by trying.
package struct WorkerSandbox: Sendable {
  /// Files and folders that may be read in addition to those of the libraries, by paths without links.
  package var reads: [String] = []
  /// Bytes of memory that belongs to the process alone (RLIMIT_DATA): its heap, and its threads' stacks.
  package var memory: Int
  /// Maximum number of open descriptors.
  package var descriptors = 256

  package init(memory: Int) { self.memory = memory }

  /// Restrictions that don't hold on this machine, by their names for users.
  package enum Gap: String, Sendable, Codable, CaseIterable {
    /// Landlock is missing (before Linux 5.13), switched off, or used up: 16 sandboxes may be inside each other.
    case files = "Landlock"
    /// libseccomp is missing, or the kernel accepts no filter.
    case calls = "seccomp"
    /// A container may forbid what lowers limits,
    case limits
    /// or what gives up capabilities.
    case privileges

    /// The consequence, as the end of a sentence.
    package var words: String {
      switch self {
      case .files: "Landlock does not work: workers that draw can read your files"
      case .calls:
        "no system call filter: workers that draw are confined by limits and Landlock alone, and "
          + "converters can read the session's keys"
      case .limits: "limits can't be set: workers that draw can use any amount of memory"
      case .privileges: "capabilities can't be given up: workers that draw keep them"
      }
    }

    /// What holds without the gap.
    package var promise: String {
      switch self {
      case .files: "workers that draw can read fonts and libraries, and no other files"
      case .calls: "workers that draw have no network and can start no programs"
      case .limits: "workers that draw use no more memory than page-memory"
      case .privileges: "workers that draw have no capabilities"
      }
    }
  }

  /// Does what can be done before `enter`.
  package static func prepare() { _ = SeccompFilter.filter }

  /// Confines this process, which must have only one thread so far.
  ///
  /// This can't be undone.
  ///
  /// Returns the restrictions that could not be applied, or don't hold when it tries what they forbid; the others hold
  /// anyway.
  package func enter() -> [Gap] {
    #if SANITIZED
      // `make test-asan`, `make test-tsan`: their runtime maps terabytes of addresses, and inspects the system.
      return []
    #else
      return raise()
    #endif
  }

  private func raise() -> [Gap] {
    var gaps: [Gap] = []
    if sandbox_give_up_privileges() != 0 { gaps.append(.privileges) }
    if !setLimits() { gaps.append(.limits) }
    sandbox_catch_crashes()
    // Buses and services are out of reach, so libraries should not look for them.
    setenv("GIO_USE_VFS", "local", 1)
    setenv("GIO_USE_VOLUME_MONITOR", "unix", 1)
    let rules = LandlockRules(system: LibraryFiles.all, reads: reads)
    // A file that every process can read, and no sandbox allows.
    if !rules.raise() || isOpen(open("/proc/self/status", O_RDONLY | O_CLOEXEC)) {
      gaps.append(.files)
    }
    let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
    if !SeccompFilter.raise() || isOpen(socket(AF_UNIX, kind, 0)) { gaps.append(.calls) }
    return gaps
  }

  /// True if an attempt to open something succeeded; closes it.
  private func isOpen(_ descriptor: Int32) -> Bool {
    if descriptor >= 0 { close(descriptor) }
    return descriptor >= 0
  }

  /// The exit status of a process that only enters: a bit for each gap.
  package static func exitStatus(for gaps: [Gap]) -> Int32 {
    zip(Gap.allCases, 0...).reduce(0) { $0 | (gaps.contains($1.0) ? 1 << $1.1 : 0) }
  }

  /// The gaps of such a process; all of them if it could not even enter (nil).
  package static func gaps(in status: Int32?) -> [Gap] {
    guard let status else { return Gap.allCases }
    return zip(Gap.allCases, 0...).filter { status >> $0.1 & 1 == 1 }.map(\.0)
  }

  /// Exit status of a confined process that crashed because it ran out of memory.
  package static let outOfMemory = Int32(sandbox_out_of_memory)

  /// Sets resource limits; returns false if one can't be set.
  ///
  /// Address space is not limited: most of what is mapped is the document and libraries, which are shared with others.
  /// Neither is the number of processes, which the kernel counts per user and not per process; no call that creates one
  /// is allowed.
  private func setLimits() -> Bool {
    let limits: [(resource: __rlimit_resource, most: Int)] = [
      (RLIMIT_DATA, memory), (RLIMIT_STACK, 8 << 20), (RLIMIT_NOFILE, descriptors),
      (RLIMIT_FSIZE, 0), (RLIMIT_CORE, 0), (__RLIMIT_MEMLOCK, 0), (__RLIMIT_MSGQUEUE, 0),
    ]
    return limits.map { sandbox_limit(Int32($0.resource.rawValue), rlim_t($0.most)) }
      .allSatisfy { $0 == 0 }
  }
}

/// Landlock: restricts access to files by path.
///
/// It also forbids TCP (ABI 4), and signals and abstract sockets to processes outside (ABI 6).
struct LandlockRules {
  /// Files and folders of the system that may be read, folders with everything below them.
  var system: [String]
  /// The same of the document: whoever may write its folder could put a link in the place of a file that was found
  /// there, so a path with a link in it allows nothing.
  var reads: [String]

  private static let readFile: UInt64 = 1 << 2
  private static let readFolder: UInt64 = 1 << 3

  /// Enforces the rules on this process; returns false, and enforces none, when the kernel can't.
  func raise() -> Bool {
    let version = sandbox_landlock_version()
    guard version > 0 else { return false }
    // Every access right that this kernel supports, including execution. The kernel refuses rights that it doesn't
    // support.
    let kinds = [13, 14, 15, 15, 16][min(version, 5) - 1]
    var rules = sandbox_ruleset(
      files: (1 << kinds) - 1, network: version >= 4 ? 0b11 : 0, scopes: version >= 6 ? 0b11 : 0)
    let ruleset = sandbox_make_ruleset(&rules)
    guard ruleset >= 0 else { return false }
    defer { close(ruleset) }
    let place: Int32 = 0o10000000  // O_PATH, hidden behind _GNU_SOURCE
    // Without fonts and libraries, nothing can be drawn.
    let isPossible = system.allSatisfy { allow(open($0, place | O_CLOEXEC), in: ruleset) }
    for path in reads { _ = allow(sandbox_open_unlinked(path), in: ruleset) }
    return isPossible && sandbox_restrict_files(ruleset) == 0
  }

  /// Allows reading an opened path, and closes it; a file that doesn't exist needs no rule.
  private func allow(_ descriptor: Int32, in ruleset: Int32) -> Bool {
    guard descriptor >= 0 else { return true }
    defer { close(descriptor) }
    guard let status = FileStatus(descriptor: descriptor) else { return true }
    let isFolder = status.kind == S_IFDIR
    return sandbox_allow_beneath(
      ruleset,
      isFolder ? LandlockRules.readFile | LandlockRules.readFolder : LandlockRules.readFile,
      descriptor) == 0
  }
}

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
    guard let filter else { return false }
    return seccomp_load(filter) == 0
  }

  /// The filter for this process; nil when libseccomp is missing.
  nonisolated(unsafe) fileprivate static let filter: scmp_filter_ctx? = {
    guard missingLibrary == nil, let filter = seccomp_init(sandbox_forbid) else { return nil }
    for rule in allowed.map({ Condition($0) }) + conditions { rule.add(to: filter, sandbox_allow) }
    for name in hidden { Condition(name).add(to: filter, sandbox_hide) }
    return filter
  }()

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
