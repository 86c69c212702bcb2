internal import AirprintContext
internal import ArgumentParser
internal import ForeignText
internal import Printers
internal import PrintModel
internal import Synchronization
internal import System
internal import Terminal

/// `airprint login`.
struct Login: AirprintCommand {
  static let configuration = CommandConfiguration(
    "login", "Save a user name and password for a printer.", usage: "[<printer>]",
    examples: [
      "airprint login \"Office Laser\"", "airprint login --password-file /run/secrets/printer Till",
    ],
    notes: """
      Asks for both on the terminal and tries them on the printer. They are saved in the desktop's \
      keyring, or in a file that only you can read.
      """)

  @OptionGroup var printer: PrinterArgument

  @Option(
    "Read USER:PASSWORD from the first line of this file (default: ask).", value: "file",
    completion: .file())
  var passwordFile: String?

  @Option("The user name on the printer (default: ask; Enter takes your own).", value: "name")
  var user: String?

  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    var context = context
    context.note = output.message
    context.passwordFile = passwordFile
    let target = try await printer.target(for: nil, context)
    let login: Credentials
    if let given = try Credentials(in: context.givenCredentials, context) {
      login = Credentials(user: user ?? given.user, password: given.password)
    } else {
      login = try await ask(for: target.name, user, context)
    }
    let result = try await logIn(login, at: target, context)
    if output.isJSON { return try output.json(result) }
    output.message("Saved the login of \(result.user) for \(target.name) (\(result.keptIn)).")
    if !result.isChecked { output.message("\(target.name) has not asked for a password so far.") }
  }
}

/// `airprint logout`.
struct Logout: AirprintCommand {
  static let configuration = CommandConfiguration(
    "logout", "Remove a printer's saved user name and password.", usage: "[<printer>]",
    examples: ["airprint logout \"Office Laser\""])

  @OptionGroup var printer: PrinterArgument
  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    let target = try await printer.target(for: nil, context)
    let isForgotten = try await logOut(of: target, context)
    if output.isJSON {
      return try output.json(JSONObject(["printer": target.name, "forgotten": isForgotten]))
    }
    output.message(
      isForgotten
        ? "Removed the password for \(target.name)."
        : "No password is saved for \(target.name).")
  }
}

/// Asks for credentials on the terminal; exit 77 if there is none, with the command that stores them.
func ask(for printer: String, _ user: String?, _ context: Context) async throws -> Credentials {
  let credentials: Credentials?
  do {
    credentials = try await asking { (prompt) throws(TerminalError) in
      var name = user
      if name == nil {
        let answer = try await prompt.line("User name for \(printer) [\(context.user)]")
        name = answer.map { $0.isEmpty ? context.user : $0 }
      }
      guard let name, let password = try await prompt.secret("Password for \(name)") else {
        return nil
      }
      return Credentials(user: name, password: password)
    }
  } catch TerminalError.noTerminal {
    throw Failure.notAllowed(
      "\(printer): no terminal to ask for the password on. Use "
        + "--password-file or AIRPRINT_PASSWORD_FILE.")
  }
  guard let credentials else {
    throw Failure.notAllowed("No password was given; nothing was changed.")
  }
  return credentials
}

/// Asks for credentials once per printer, for several connections of one command.
final class CredentialQuestions: Sendable {
  private let answers = Mutex<[String: Credentials?]>([:])

  /// The names of the printers for which credentials were typed.
  var answered: Set<String> {
    answers.withLock { answers in Set(answers.compactMap { $0.value == nil ? nil : $0.key }) }
  }

  /// Asks; nil if there is no terminal, or if the user gave none.
  func ask(_ printer: String) throws(Failure) -> Credentials? {
    try answers.withLock { (answers) throws(Failure) in
      if let answer = answers[printer] { return answer }
      let answer = try askForCredentials(for: printer)
      answers[printer] = .some(answer)
      return answer
    }
  }
}

/// Asks for credentials on the thread of a connection; nil if there is no terminal.
func askForCredentials(for printer: String) throws(Failure) -> Credentials? {
  let context = Context.current
  let answer: Result<Credentials, any Error>? = waitFor(unless: Cancellation()) {
    do { return .success(try await ask(for: printer, nil, context)) } catch {
      return .failure(error)
    }
  }
  switch answer {
  case .success(let credentials)?: return credentials
  case .failure(let failure as Failure)? where failure.code != .notAllowed: throw failure
  default: return nil
  }
}

/// `airprint trust`.
struct Trust: AirprintCommand {
  static let configuration = CommandConfiguration(
    "trust", "Accept a printer's new certificate.", usage: "[<printer>]",
    examples: ["airprint trust Till"],
    notes: """
      airprint sends nothing to a printer whose certificate has changed, and exits with 77. trust shows \
      both certificates and asks whether to accept the new one.
      """)

  @OptionGroup var printer: PrinterArgument

  @Flag(help: "Accept without asking, for scripts.")
  var yes = false

  @Flag(help: "Change /etc/airprint, for all users.")
  var system = false

  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    let target = try await printer.target(for: nil, context)
    let question = try await askForCertificate(of: target, system: system, context)
    if question.isSame {
      if output.isJSON { return try output.json(question) }
      return output.message(
        question.now.map { "\(target.name) is already trusted (\($0))." }
          ?? "\(target.name) does not use encryption, and never did: there is nothing to trust.")
    }
    if !yes || !output.isQuiet { output.complain(question.words) }
    guard try await isAccepted(target) else {
      output.message("Nothing was changed.")
      throw SilentExit(exitCode: .notAllowed)
    }
    let answer = try trust(question, target, system: system, context)
    if output.isJSON { return try output.json(answer) }
    output.message(
      answer.now == nil
        ? "\(target.name) will be used without encryption."
        : "Saved the new certificate of \(target.name).")
  }

  private func isAccepted(_ target: PrinterReference) async throws -> Bool {
    if yes { return true }
    do {
      return try await confirm("Trust it?", default: false)
    } catch {
      // Not a pattern: Swift 6.3's ownership verifier stops at one for a typed error.
      guard case .noTerminal = error else { throw error }
      throw Failure.notAllowed(
        "Not a terminal: to accept it without being asked, use "
          + (system ? "sudo airprint trust --yes --system " : "airprint trust --yes ")
          + (target.saved.map { ShellWord.quoted($0.name.safeName) } ?? target.commandWord))
    }
  }
}

extension TrustQuestion {
  /// Both certificates, one under the other.
  fileprivate var words: String {
    let shown = now?.text ?? "none: the connection is not encrypted"
    let vouched = isVouchedFor ? "\nAn authority that this machine trusts vouches for it." : ""
    return "SHA-256 of the certificate of \(printer):\n  before  \(before?.text ?? "none")\n"
      + "  now     \(shown)\(vouched)"
  }
}
