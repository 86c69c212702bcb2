// AirprintKit: what airprint does, one use case a file. The only place where stages meet. Commands hand
// it what was asked and show what it gives back; it writes nothing to a terminal and reads no flag.

internal import FoundationEssentials
internal import Glibc
package import Negotiation
package import PrintModel
package import Settings
internal import Submission

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
  /// Whoever is contacted was not chosen by anybody: discovery looks around. What it shows is checked, and
  /// not remembered; it gets no password and no ticket.
  var isLookingAround = false
  /// Whoever is contacted is the printer that was named, for which this run was given credentials.
  var offersGivenCredentials = true
  /// Told what a person should know whatever they asked for: a certificate that is trusted from now on.
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

  /// Folder for files that nobody keeps, as for mktemp(1).
  package var temporary: String {
    environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
  }

  /// This user's jobs.
  var journal: Journal {
    var journal = Journal(folder: "\(places.state)/jobs")
    journal.refusal = places.refusal
    return journal
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

  /// The last of `path`'s components.
  static func lastComponent(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}
