// AirprintContext: the environment of one command, which is passed to every use case: the user, the paths of files, and
// the path of this program for starting it again.

internal import FoundationEssentials
internal import Glibc
package import PrintModel
package import Submission
package import System

/// The environment of a command as one value: environment variables, folders, the user, and the path of this program.
package struct Context: Sendable {
  package var environment: [String: String]
  package var directories: Directories
  /// The files in those folders, each read once.
  package var settings: SettingsFiles
  package var region: Region
  /// requesting-user-name.
  package var user: String
  /// Path of this executable, for starting it again as a render worker.
  package let executable = "/proc/self/exe"
  /// True if standard error is a terminal.
  package var isInteractive: Bool
  /// `--password-file`.
  package var passwordFile: String?
  /// Asks the user at the terminal for the credentials of the printer with this name; nil: the user must not be asked.
  package var askForCredentials: (@Sendable (_ printer: String) throws(Failure) -> Credentials?)?
  /// Set while contacting printers that the user has not chosen, such as in discovery.
  ///
  /// Certificates are verified and not stored; no password and no ticket is sent.
  package var isLookingAround = false
  /// Called with messages that concern the user regardless of the command: a certificate that is now trusted.
  package var note: @Sendable (String) -> Void = { _ in }

  package init(environment: [String: String]) {
    self.environment = environment
    directories = Directories(environment: environment)
    settings = SettingsFiles(directories)
    region = Region(environment: environment)
    user = Context.userName(environment)
    isInteractive = isatty(2) == 1
  }

  /// Folder for temporary files, as for mktemp(1).
  package var temporary: String {
    environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
  }

  /// The journal of this user's jobs.
  package var journal: Journal {
    var journal = Journal(folder: "\(directories.state)/jobs")
    journal.refusal = directories.refusal
    return journal
  }

  /// A context for a printer that the user has not chosen: nothing about it is stored, and it receives no password.
  package var lookingAround: Context {
    var context = self
    context.isLookingAround = true
    return context
  }

  /// A file with a secret, and what names it.
  package typealias SecretSource = (file: String, source: String)

  /// The file with the credentials that were given to this run for the printer that it names, and what gave it:
  /// `--password-file`, `$AIRPRINT_PASSWORD_FILE`, or the credential `airprint-password` of a systemd service
  /// (systemd.exec(5), LoadCredential=).
  package var givenCredentials: SecretSource? {
    if let passwordFile { return (passwordFile, "--password-file") }
    if let file = environment["AIRPRINT_PASSWORD_FILE"], !file.isEmpty {
      return (file, "AIRPRINT_PASSWORD_FILE")
    }
    guard let folder = environment["CREDENTIALS_DIRECTORY"], folder.hasPrefix("/"),
      case let file = "\(folder)/airprint-password", access(file, F_OK) == 0
    else { return nil }
    return (file, "systemd's credential")
  }

  /// Returns the context with the locale of a job's request, which determines its region: by `LC_ALL`, `LC_PAPER` and
  /// `LANG`.
  package func inLocale(_ locale: [String: String]) -> Context {
    var context = self
    for name in ["LC_ALL", "LC_PAPER", "LANG"] { context.environment[name] = locale[name] }
    context.region = Region(environment: context.environment)
    // Who printed it may not be here to answer.
    context.askForCredentials = nil
    return context
  }

  /// Returns the printer that was named: the typed one, else `$AIRPRINT_PRINTER`.
  package func printerName(typed: String?) -> String? {
    typed ?? environment["AIRPRINT_PRINTER"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The context of this process, with its settings.
  package static let current = Context(
    environment: withHome(ProcessInfo.processInfo.environment))

  /// Adds the home of the account if `HOME` is missing, as for a service that systemd starts.
  private static func withHome(_ environment: [String: String]) -> [String: String] {
    guard environment["HOME"]?.hasPrefix("/") != true, let entry = getpwuid(geteuid()),
      let home = entry.pointee.pw_dir
    else { return environment }
    return environment.merging(["HOME": String(cString: home)]) { $1 }
  }

  /// Returns the name of the account that runs this, as it will appear in the printer's log.
  private static func userName(_ environment: [String: String]) -> String {
    if let entry = getpwuid(geteuid()), let name = entry.pointee.pw_name {
      return String(cString: name)
    }
    return environment["USER"] ?? "unknown"
  }

  /// Path of this executable, for programs that call it again.
  package static var program: String {
    linkTarget("/proc/self/exe") ?? "airprint"
  }

  /// The folder in which a file is named by a descriptor (proc(5)): also one whose name is not UTF-8.
  package static let descriptors = "/proc/self/fd/"

  /// Returns the path for messages: of a file named by a descriptor its own, with bytes that are not UTF-8 replaced.
  package static func named(_ path: String) -> String {
    guard path.hasPrefix(descriptors), let target = linkTarget(path), target.hasPrefix("/") else {
      return path
    }
    return target
  }

  /// Arguments of this process that are not UTF-8, as they are in Swift.
  package static let repaired = Monitor<[String]>([])

  /// Throws exit 73 for a file or folder to write whose name, as typed, is not UTF-8: it would get another one.
  package static func refuseRepaired(output path: String) throws(Failure) {
    guard path.hasPrefix(descriptors) || path.unicodeScalars.contains("\u{FFFD}"),
      repaired.withLock({ $0.contains { $0.hasSuffix(path) } })
    else { return }
    throw .cannotWrite("\(named(path)) can't be written: its name is not UTF-8.")
  }

  /// Returns where a link leads, with bytes that are not UTF-8 replaced; nil for anything else.
  package static func linkTarget(_ path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &buffer, buffer.count)
    guard count > 0 else { return nil }
    return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Returns the last component of `path`.
  package static func lastComponent(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// Returns what a document is called: its path as typed, or `standard input`.
  package static func title(of path: String) -> String { path == "-" ? "standard input" : path }
}

/// Another process of this program, in its own session and without a terminal: for work that continues after a command.
package enum DetachedProcess {
  /// The descriptor of the lock passed to it, which it holds until it ends.
  package static let lock: Int32 = 3

  /// Starts it with a copy of `lock`.
  ///
  /// Returns 0 if it runs, else errno.
  package static func start(_ arguments: [String], lock: Int32, _ context: Context) -> Int32 {
    var start = ProgramStart(
      ["airprint"] + arguments, program: context.executable, environment: context.environment)
    // A reader that waits for the end of our pipe must not wait for the job.
    start.descriptors = [0: .null, 1: .null, 2: .null, DetachedProcess.lock: .copy(of: lock)]
    start.group = .session
    start.isInterruptible = true
    do throws(SystemError) {
      _ = try start.start()
      return 0
    } catch {
      return error.number
    }
  }
}
