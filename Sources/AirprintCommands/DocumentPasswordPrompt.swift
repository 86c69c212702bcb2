internal import AirprintContext
internal import PrintModel
internal import Printing
internal import System
internal import Terminal

/// The password of protected PDF documents among `files`, asked for on the terminal; nil where none is protected or
/// there is no terminal: the problem is reported when the document is opened.
///
/// One opens all of them, as with `--document-password-file`.
func askForDocumentPassword(
  of files: [String], _ context: Context, _ output: CommandOutput
) async -> String? {
  guard context.isInteractive, !output.isJSON, !output.isQuiet else { return nil }
  let cancellation = Cancellation.catchingSignals()
  for file in files where await isProtected(file) {
    var password: String?
    // As many tries as login(1) has.
    for _ in 0..<3 {
      let report = await checkFile(file, password: password, context, cancellation: cancellation)
      guard report.needsPassword else { break }
      if password != nil { output.complain("That password does not open it.") }
      let name = file.split(separator: "/").last.map(String.init) ?? file
      do {
        password = try await Prompt().secret("Password for \(name)")
      } catch TerminalError.interrupted(let signal) {
        Cancellation.takeItsCourse(signal: signal)
      } catch {
        return nil
      }
      if password == nil { return nil }
    }
    if let password { return password }
  }
  return nil
}
