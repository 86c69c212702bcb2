internal import ForeignText
internal import Glibc
package import PrintModel
internal import System

/// The desktop's keyring (org.freedesktop.secrets), through libsecret's secret-tool.
///
/// Passwords are sent through pipes and are never arguments, and a run that needs none loads no library.
package struct SecretService {
  private let environment: [String: String]
  /// Longest wait: a locked keyring asks its owner, who may be slow.
  private static let timeout = Duration.seconds(60)

  package init(environment: [String: String]) { self.environment = environment }

  /// Path of the program; nil if there can't be a keyring: without a session bus or secret-tool.
  ///
  /// Then nothing is started.
  private var program: String? {
    guard environment["DBUS_SESSION_BUS_ADDRESS"]?.isEmpty == false else { return nil }
    return ProgramPath.find("secret-tool", in: environment["PATH"] ?? "/usr/bin:/bin")
  }

  /// Returns a login; nil if there is no keyring, or if it has none for this printer.
  package func login(for account: String) -> SavedLogin? {
    guard let program,
      let answer = run([program, "lookup"] + attributes(account), input: ""), answer.code == 0
    else { return nil }
    // The connection is on a second line, if it is known: name and password contain no newline.
    let lines = answer.output.split(separator: "\n", maxSplits: 1)
    let parts = lines.first?.split(
      separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let parts, parts.count == 2 else { return nil }
    let certificate = lines.dropFirst().first.map { String($0.prefix { $0 != "\n" }) }
    let channel = certificate.flatMap(SavedLogin.Channel.init(text:))
    guard (certificate == nil) == (channel == nil) else { return nil }
    return SavedLogin(
      Credentials(user: String(parts[0]), password: String(parts[1])), over: channel)
  }

  /// Stores a login; false if there is no keyring that accepts it.
  package func keep(_ login: SavedLogin, for account: String, _ printer: String) -> Bool {
    guard let program else { return false }
    let label = "--label=airprint: \(isolated(cleaned(printer, upTo: 200)))"
    let answer = run(
      [program, "store", label] + attributes(account),
      input: "\(login.credentials.user):\(login.credentials.password)"
        + (login.channel.map { "\n\($0.text)" } ?? ""))
    return answer?.code == 0
  }

  /// Deletes a login; true if there was one.
  package func forget(_ account: String) -> Bool {
    guard let program, login(for: account) != nil else { return false }
    return run([program, "clear"] + attributes(account), input: "")?.code == 0
  }

  private func attributes(_ account: String) -> [String] {
    ["service", "airprint", "printer", account]
  }

  /// Runs a program to its end with `input` as its standard input; its standard error is discarded, as it may quote the
  /// input.
  ///
  /// nil if it can't be started, which is treated as no keyring.
  private func run(_ arguments: [String], input: String) -> (code: Int32, output: String)? {
    guard let ends = try? SocketPair() else { return nil }
    let own = ends.own
    defer { close(own) }
    var start = ProgramStart(arguments, environment: environment)
    start.descriptors = [0: .copy(of: ends.other), 1: .copy(of: ends.other), 2: .null]
    start.isInterruptible = true
    let process = try? start.start()
    close(ends.other)
    guard let process else { return nil }
    var bytes = Array(input.utf8)
    _ = send(own, &bytes, bytes.count, Int32(MSG_NOSIGNAL))
    shutdown(own, Int32(SHUT_WR))
    let output = shortText(from: own, until: .now + SecretService.timeout)
    if output == nil { kill(process, SIGTERM) }
    return (ExitStatus.wait(for: process).code, output ?? "")
  }
}
