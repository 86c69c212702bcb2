internal import Glibc
internal import PrintModel
internal import System

/// Files that gzip(1) has packed (RFC 1952), which programs keep their text and PDF in: unpacked by gzip, in a process
/// that may write so much and no more.
enum Gzip {
  /// Megabytes.
  private static let most = 256
  /// Of the processor's time, in seconds; 256 MB take two.
  private static let longest = 20

  static func isPacked(_ descriptor: Int32) -> Bool {
    var head = [UInt8](repeating: 0, count: 3)
    return pread(descriptor, &head, 3, 0) == 3 && head == [0x1F, 0x8B, 0x08]
  }

  /// Exit 65 for a file that is damaged, or larger than is good.
  static func unpack(_ source: Int32, to target: Int32) throws(Failure) {
    guard ProgramPath.find("gzip") != nil else {
      throw Failure(
        .document, "The file is compressed with gzip, which is not installed: apt install gzip.")
    }
    var start = ProgramStart(
      [
        "/usr/bin/prlimit", "--core=0", "--fsize=\(most << 20)", "--cpu=\(longest)",
        "--data=\(64 << 20)", "--",
        "gzip", "-dc",
      ],
      environment: ["PATH": ProgramPath.variable, "LANG": "C.UTF-8"])
    // It reads on from where another reader stopped.
    lseek(source, 0, SEEK_SET)
    start.descriptors = [0: .copy(of: source), 1: .copy(of: target), 2: .null]
    let process: pid_t
    do throws(SystemError) {
      process = try start.start()
    } catch {
      throw Failure(.fault, "gzip can't be started: \(error).")
    }
    // 2 is a warning: something follows what was packed.
    switch ExitStatus.wait(for: process) {
    case .exit(0), .exit(2): return
    case .signal(SIGXFSZ), .signal(SIGXCPU):
      throw Failure(
        .document,
        "The file unpacks to more than \(most) MB: unpack it with gunzip, and print it in parts.")
    default: throw Failure(.document, "The file is compressed with gzip, and damaged.")
    }
  }
}
