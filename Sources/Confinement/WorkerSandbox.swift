// Confinement: what a process gives up before it reads the first byte of a document. The only module that
// sees Landlock and libseccomp. It knows nothing of documents and printers.

internal import CSandbox
internal import Glibc

/// The walls around a process that reads what strangers send.
///
/// Inside there is no network and no other process, nothing is executed, nothing is written but to
/// descriptors that are open, and files are read only where libraries keep fonts and data. A forbidden
/// call fails with EPERM or EACCES and does not end the process: libraries try harmless things in
/// passing (a cache, a bus, the name of the user), and a document gets nothing by trying.
package struct WorkerSandbox: Sendable {
  /// Files and folders that may be read beside those of the libraries.
  package var reads: [String] = []
  /// Bytes of memory that is the process' own (RLIMIT_DATA): its heap, and its threads' stacks.
  package var memory: Int
  /// Descriptors that are open at one time.
  package var descriptors = 256

  package init(memory: Int) { self.memory = memory }

  /// Things that this machine can't keep out.
  package enum Gap: String, Sendable, Codable, CaseIterable {
    /// There is no Landlock (Linux 5.13), or it is switched off.
    case files
    /// There is no libseccomp, or the kernel takes no filter.
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

  /// Puts the walls up around this process, which must have one thread yet.
  ///
  /// There is no way back.
  ///
  /// Returns the restrictions that could not be put up; the others hold anyway.
  package func enter() -> [Gap] {
    #if SANITIZED
      // `make test-asan`, `make test-tsan`: their run time has terabytes of addresses, and looks around.
      return []
    #else
      return raise()
    #endif
  }

  private func raise() -> [Gap] {
    _ = sandbox_give_up_privileges()
    setLimits()
    sandbox_catch_crashes()
    // A bus and the services on it are out of reach, so they are not looked for.
    setenv("GIO_USE_VFS", "local", 1)
    setenv("GIO_USE_VOLUME_MONITOR", "unix", 1)
    var gaps: [Gap] = []
    if !LandlockRules(reads: LibraryFiles.all + reads).raise() { gaps.append(.files) }
    if !SeccompFilter.raise() { gaps.append(.calls) }
    return gaps
  }

  /// Walls that `enter` could not put up here, found without entering.
  package static var gaps: [Gap] {
    var gaps: [Gap] = []
    if !LandlockRules.isPossible { gaps.append(.files) }
    if !SeccompFilter.isPossible { gaps.append(.calls) }
    return gaps
  }

  /// Exit status of a confined process that could get no memory and crashed for it.
  package static let outOfMemory = Int32(sandbox_out_of_memory)

  /// Address space is not limited: most of what is mapped is the document and libraries, which
  /// others share.
  ///
  /// Nor is the number of processes, which the kernel counts for a user and not for a process; no
  /// call that makes one is let through.
  private func setLimits() {
    let limits = [
      (sandbox_memory, memory), (sandbox_stack, 8 << 20), (sandbox_descriptors, descriptors),
      (sandbox_file_size, 0), (sandbox_core, 0), (sandbox_locked, 0), (sandbox_messages, 0),
    ]
    for (limit, most) in limits { _ = sandbox_limit(Int32(limit), rlim_t(most)) }
  }
}
