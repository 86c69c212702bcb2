// AirprintContext: the outside world of one command, which every use case is given: who prints, where files are,
// and what this program is when it has to be started again.

internal import FoundationEssentials
internal import Glibc
package import PrintModel
package import Settings
package import Submission

/// The outside world as one value: environment, folders, who prints, and where this program is.
package struct Context: Sendable {
  package var environment: [String: String]
  package var places: Directories
  /// The files in those folders, each read once.
  package var settings: SettingsFiles
  package var region: Region
  /// requesting-user-name.
  package var user: String
  /// This executable, to be started again as a render worker.
  package var executable: String
  /// Somebody sits in front of standard error.
  package var isInteractive: Bool
  /// `--password-file`.
  package var passwordFile: String?
  /// Asks somebody at the terminal for the credentials of the printer of this name; nil: nobody may be
  /// asked.
  package var askForCredentials: (@Sendable (_ printer: String) throws(Failure) -> Credentials?)?
  /// Set while printers are contacted that nobody has chosen: discovery looks around.
  ///
  /// What it shows is checked, and not remembered; it gets no password and no ticket.
  package var isLookingAround = false
  /// Set while the printer is contacted that was named, for which this run was given credentials.
  package var offersGivenCredentials = true
  /// Told what a user should know whatever they asked for: a certificate that is trusted from now on.
  package var note: @Sendable (String) -> Void = { _ in }

  package init(environment: [String: String]) {
    self.environment = environment
    places = Directories(environment: environment)
    settings = SettingsFiles(places)
    region = Region(environment: environment)
    user = Context.userName(environment)
    executable = "/proc/self/exe"
    isInteractive = isatty(2) == 1
  }

  /// Folder for temporary files, as for mktemp(1).
  package var temporary: String {
    environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
  }

  /// This user's jobs.
  package var journal: Journal {
    var journal = Journal(folder: "\(places.state)/jobs")
    journal.refusal = places.refusal
    return journal
  }

  /// For a printer that was not chosen by the user: nothing of it is kept, and it gets no password.
  package var lookingAround: Context {
    var context = self
    context.isLookingAround = true
    return context
  }

  /// For a printer that this command did not name: what this run was given goes to it only where it has to
  /// show the key that it had when it was named (`certificate`).
  package func unnamed(provenBy certificate: Fingerprint?) -> Context {
    var context = self
    context.offersGivenCredentials = certificate != nil
    return context
  }

  /// The world as it was where a job was asked for, as far as that decides how it prints: the region, by the job's
  /// `LC_ALL`, `LC_PAPER` and `LANG`.
  package func inLocale(_ locale: [String: String]) -> Context {
    var environment = environment
    for name in ["LC_ALL", "LC_PAPER", "LANG"] { environment[name] = locale[name] }
    var context = Context(environment: environment)
    context.settings = settings
    context.executable = executable
    context.isInteractive = isInteractive
    context.passwordFile = passwordFile
    context.note = note
    return context
  }

  /// The printer that is named: the one that was typed, else `$AIRPRINT_PRINTER`.
  package func printerName(typed: String?) -> String? {
    typed ?? environment["AIRPRINT_PRINTER"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The process as it is, and its settings as it found them.
  package static let current = Context(environment: ProcessInfo.processInfo.environment)

  /// The name of the account that runs this, as the printer's log will show it.
  private static func userName(_ environment: [String: String]) -> String {
    if let entry = getpwuid(geteuid()), let name = entry.pointee.pw_name {
      return String(cString: name)
    }
    return environment["USER"] ?? "unknown"
  }

  /// Path of this executable, for programs that call it again.
  package static var program: String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    guard count > 0 else { return "airprint" }
    return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The last of `path`'s components.
  package static func lastComponent(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}
