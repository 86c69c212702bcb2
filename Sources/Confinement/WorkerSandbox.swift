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

  /// Restrictions that this machine can't enforce.
  package enum Gap: String, Sendable, Codable, CaseIterable {
    /// Landlock is missing (before Linux 5.13) or switched off.
    case files
    /// libseccomp is missing, or the kernel accepts no filter.
    case calls

    /// The consequence, as the end of a sentence.
    package var words: String {
      switch self {
      case .files: "the kernel has no Landlock: workers that draw can read your files"
      case .calls:
        "no system call filter: workers that draw are confined by limits and Landlock alone"
      }
    }
  }

  /// Confines this process, which must have only one thread so far.
  ///
  /// This can't be undone.
  ///
  /// Returns the restrictions that could not be applied; the others hold anyway.
  package func enter() -> [Gap] {
    #if SANITIZED
      // `make test-asan`, `make test-tsan`: their runtime maps terabytes of addresses, and inspects the system.
      return []
    #else
      return raise()
    #endif
  }

  private func raise() -> [Gap] {
    _ = sandbox_give_up_privileges()
    setLimits()
    sandbox_catch_crashes()
    // Buses and services are out of reach, so libraries should not look for them.
    setenv("GIO_USE_VFS", "local", 1)
    setenv("GIO_USE_VOLUME_MONITOR", "unix", 1)
    var gaps: [Gap] = []
    if !LandlockRules(system: LibraryFiles.all, reads: reads).raise() { gaps.append(.files) }
    if !SeccompFilter.raise() { gaps.append(.calls) }
    return gaps
  }

  /// Restrictions that `enter` could not apply here, determined without entering.
  package static var gaps: [Gap] {
    var gaps: [Gap] = []
    if !LandlockRules.isPossible { gaps.append(.files) }
    if !SeccompFilter.isPossible { gaps.append(.calls) }
    return gaps
  }

  /// The soname of the library without which system calls can't be filtered; nil if it is installed.
  package static var missingLibrary: String? { SeccompFilter.missingLibrary }

  /// Exit status of a confined process that crashed because it ran out of memory.
  package static let outOfMemory = Int32(sandbox_out_of_memory)

  /// Sets resource limits.
  ///
  /// Address space is not limited: most of what is mapped is the document and libraries, which are shared with others.
  /// Neither is the number of processes, which the kernel counts per user and not per process; no call that creates one
  /// is allowed.
  private func setLimits() {
    let limits = [
      (sandbox_memory, memory), (sandbox_stack, 8 << 20), (sandbox_descriptors, descriptors),
      (sandbox_file_size, 0), (sandbox_core, 0), (sandbox_locked, 0), (sandbox_messages, 0),
    ]
    for (limit, most) in limits { _ = sandbox_limit(Int32(limit), rlim_t(most)) }
  }
}
