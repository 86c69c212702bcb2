package import AirprintContext
internal import IPP
package import PrintModel
internal import Synchronization
internal import System

/// Result of `login`.
package struct LoginResult: Sendable, Encodable {
  package var printer: String
  package var uri: String
  package var user: String
  /// `keyring`, or the file's path.
  package var keptIn: String
  /// True if the printer has requested them and accepted them; false if it asks for none.
  package var isChecked: Bool

  private enum CodingKeys: String, CodingKey {
    case printer, uri, user, keptIn, isChecked = "checked"
  }
}

/// Tries credentials at a printer, and stores them if it accepts them, or asks for none.
///
/// Exit 77 when it refuses them, and what was kept before stays; 64 for what no printer can be sent.
package func logIn(
  _ credentials: Credentials, at target: PrinterReference, _ context: Context
) async throws(Failure) -> LoginResult {
  guard credentials.isSendable else {
    throw .usage(
      "A user name can't contain a colon; name and password together must be shorter than "
        + "\(Credentials.longest) bytes, without control characters.")
  }
  return try await onThread { () throws(Failure) in
    let wasAsked = Mutex(false)
    let security = try PrinterTrust(context).security(of: target) {
      wasAsked.withLock { $0 = true }
      return credentials
    }
    let connection: PrinterConnection
    do throws(Failure) {
      connection = try PrinterConnection.reach(target, context, security)
      if let news = try connection.keepCertificate(context) { context.note(news) }
      if let answer = try connection.proveAccess(context),
        [.notAuthorized, .forbidden].contains(answer.status)
      {
        context.note("\(target.name) may not allow \(credentials.user) to print: \(answer.words).")
      }
    } catch {
      guard error.code == .notAllowed, error.reason != .untrusted, wasAsked.withLock({ $0 }) else {
        throw error
      }
      let kept = try CredentialStore(context).isKept(for: target)
      throw .notAllowed(
        "\(target.name) refused this user name and password. "
          + (kept ? "The login saved before is unchanged." : "Nothing was saved."))
    }
    // It may have started to encrypt only for that.
    if let news = try connection.keepCertificate(context) { context.note(news) }
    let shown = connection.ipp.peer?.fingerprint
    let place = try CredentialStore(context).keep(
      SavedLogin(credentials, over: SavedLogin.Channel(shown)), for: connection.target)
    return LoginResult(
      printer: connection.name, uri: target.uri, user: credentials.user, keptIn: place,
      isChecked: connection.ipp.isAuthenticated)
  }
}

/// Deletes a printer's credentials from every place; false if there were none.
///
/// Credentials that also belong to one of `others` are kept. Exit 73 if a credentials file can't be removed.
package func logOut(
  of target: PrinterReference, sparing others: [SavedPrinter] = [], _ context: Context
) async throws(Failure) -> Bool {
  try await onThread { () throws(Failure) in
    try CredentialStore(context).forget(target, sparing: others)
  }
}

extension PrinterConnection {
  /// Makes a printer that asks for credentials, or refuses them, only for a job do that now, with Validate-Job, which
  /// creates no job (RFC 8011 §4.2.3).
  ///
  /// For that purpose, the request needs no other attributes. Its answer may be that it does not allow the user to print,
  /// or not like that: it may want an account. Exit 77 if it does not accept the credentials, as a server may have that
  /// has passed the request on.
  @discardableResult
  func proveAccess(_ context: Context) throws(Failure) -> Response? {
    guard capabilities.does(.validateJob) else { return nil }
    let request = Request(
      .validateJob, operationAttributes: Request.target(ipp.uri, user: context.user))
    // One that has accepted them can't do that with every such request.
    guard let answer = ipp.isAuthenticated ? try? ask(request) : try ask(request) else {
      return nil
    }
    guard answer.status != .notAuthenticated else {
      throw .notAllowed("\(name) does not accept the user name and password: \(answer.words).")
    }
    return answer
  }
}
