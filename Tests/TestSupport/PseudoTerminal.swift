import Glibc
import Synchronization

/// A terminal for one program, with methods to type into it, resize it and read it.
package final class PseudoTerminal: Sendable {
  let master: Int32
  private let path: String
  private let isHungUp = Mutex(false)

  package init(columns: Int = 80, rows: Int = 24) throws {
    // Does what posix_openpt() and related functions do; Swift's Glibc hides them.
    let (setLock, getNumber) = (UInt(0x4004_5431), UInt(0x8004_5430))  // TIOCSPTLCK, TIOCGPTN
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var unlocked: Int32 = 0
    var number: Int32 = 0
    guard master >= 0, ioctl(master, setLock, &unlocked) == 0,
      ioctl(master, getNumber, &number) == 0
    else { throw Missing("a terminal") }
    path = "/dev/pts/\(number)"
    resize(columns: columns, rows: rows)
  }

  deinit { hangUp() }

  /// Closes this object's descriptor of the terminal; the window closes with the last one.
  func hangUp() {
    isHungUp.withLock {
      if !$0 { close(master) }
      $0 = true
    }
  }

  /// Changes the size; programs in the terminal get SIGWINCH.
  package func resize(columns: Int, rows: Int) {
    var size = winsize(
      ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  /// The local flags of termios, such as echo and line mode.
  var settings: tcflag_t {
    var settings = termios()
    tcgetattr(master, &settings)
    return settings.c_lflag
  }

  func type(_ keys: String) { writeAll(Array(keys.utf8), to: master) }

  /// Makes the terminal all three standard streams.
  ///
  /// The leader of a new session gets the first terminal that it opens as its controlling terminal.
  func actions(_ actions: inout posix_spawn_file_actions_t) {
    posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
  }

  /// Makes the terminal standard error only.
  func errorActions(_ actions: inout posix_spawn_file_actions_t, isControlling: Bool) {
    let flags = O_RDWR | (isControlling ? 0 : O_NOCTTY)
    posix_spawn_file_actions_addopen(&actions, 2, path, flags, 0)
  }
}
