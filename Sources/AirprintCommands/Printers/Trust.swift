internal import AirprintContext
internal import ArgumentParser
internal import ForeignText
internal import PrintModel
internal import Printers
internal import Terminal

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
      throw Failure(
        .notAllowed,
        "Not a terminal: to accept it without being asked, use "
          + (system ? "sudo airprint trust --yes --system " : "airprint trust --yes ")
          + ShellWord.quoted(target.saved?.name.safeName ?? target.uri))
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
