internal import AirprintContext
internal import PrintModel
internal import Printing
internal import System
internal import Terminal

/// Asks on the terminal for the password of protected PDF documents among `files`; nil if none is protected or there is
/// no terminal: then opening the document reports the problem.
///
/// One password opens all of them, as with `--document-password-file`.
func askForDocumentPassword(
  of files: [String], _ context: Context, _ output: CommandOutput
) async -> String? {
  guard output.mayAsk(context) else { return nil }
  let cancellation = Cancellation.catchingSignals()
  for file in files where await isProtected(file) {
    var password: String?
    // The same number of attempts as login(1).
    for _ in 0..<3 {
      let report = await checkFile(file, password: password, context, cancellation: cancellation)
      guard report.reason == .documentPassword else { break }
      if password != nil { output.complain("Wrong password.") }
      password = try? await asking { (prompt) throws(TerminalError) in
        try await prompt.secret("Password for \(Context.lastComponent(file))")
      }
      if password == nil { return nil }
    }
    if let password { return password }
  }
  return nil
}
