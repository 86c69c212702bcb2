// Confinement: what a process gives up before it reads the first byte of a document. This is the only module that uses
// Landlock and libseccomp. It depends on neither documents nor printers.

internal import CSandbox
internal import Glibc

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
