internal import Glibc
internal import PrintModel
internal import System

/// A running program, watched until it ends or exceeds a limit.
struct SupervisedProgram {
  var start: ProgramStart
  /// Its name in messages.
  var name: String
  var timeLimit: Duration
  /// Processor time for the program and its children; nil: no limit.
  var processorLimit: Duration?
  /// Bytes; nil: no limit.
  var memoryLimit: Int?
  /// Its processes and what they use, once it runs.
  var family = ProcessFamily()
  /// Lets children outlive the program, unless it was stopped.
  var keepsOthers = false

  /// Runs the program.
  ///
  /// Throws exit 65 at a limit, 130 or 143 when the user stopped it; then none of its processes is left.
  func run(_ cancellation: Cancellation) throws(Failure) -> ExitStatus {
    let process: pid_t
    do throws(SystemError) {
      process = try start.start()
    } catch {
      throw Failure(.document, "\(name) can't be started: \(error).")
    }
    var family = family
    family.root = process
    let deadline = ContinuousClock.now + timeLimit
    var nextLook = ContinuousClock.now + .milliseconds(50)
    var pause: UInt32 = 1_000
    while true {
      if let status = ExitStatus.poll(process) {
        // Kill what it left behind rather than wait for its output.
        if !keepsOthers { kill(-process, SIGKILL) }
        if family.mark != nil { family.endOthers() }
        // Ctrl-C, or a SIGTERM to all of a service, may end the program, or one that it waits for, before airprint sees
        // the signal.
        if [SIGINT, SIGTERM, SIGHUP].contains(status.code - 128) {
          _ = cancellation.sleep(.milliseconds(500))
        }
        if status != .exit(0), let signal = cancellation.signal {
          throw .interrupted(by: signal)
        }
        return status
      }
      do throws(Failure) {
        try check(family, deadline, &nextLook, cancellation)
      } catch {
        family.end()
        throw error
      }
      usleep(pause)
      pause = min(pause * 2, 20_000)
    }
  }

  private func check(
    _ family: ProcessFamily, _ deadline: ContinuousClock.Instant,
    _ nextLook: inout ContinuousClock.Instant, _ cancellation: Cancellation
  ) throws(Failure) {
    if let signal = cancellation.signal {
      throw .interrupted(by: signal)
    }
    let now = ContinuousClock.now
    if now >= deadline {
      let seconds = timeLimit.components.seconds
      throw Failure(.document, "\(name) took longer than \(seconds) s and was stopped.")
    }
    guard now >= nextLook else { return }
    nextLook = now + .milliseconds(100)
    let members = family.members
    if let processorLimit, family.processorTime(of: members) > processorLimit {
      throw Failure(
        .document,
        "\(name) took more than \(processorLimit.components.seconds) s of processor time, which "
          + "page-time in config.toml allows, and was stopped.")
    }
    if let memoryLimit, family.memory(of: members) > memoryLimit {
      throw Failure(
        .document, "\(name) took more than \(memoryLimit >> 20) MB of memory and was stopped.")
    }
  }
}
