package import AirprintContext
internal import ForeignText
internal import IPP
package import PrintModel
internal import System

/// A printer's certificate before and now, which `trust` shows for confirmation.
package struct TrustQuestion: Sendable, Encodable {
  package var printer: String
  package var uri: String
  /// The certificate by which it is known; nil for a printer that never presented one.
  @Null package var before: Fingerprint? = nil
  /// The certificate that it presents now; nil if it does not encrypt.
  @Null package var now: Fingerprint? = nil
  /// True if an authority that this machine trusts vouches that the printer is the host that the user chose.
  package var isVouchedFor: Bool
  /// Set once `before` was replaced.
  package var isChanged = false

  package var isSame: Bool { before == now }

  private enum CodingKeys: String, CodingKey {
    case printer, uri, before, now, isVouchedFor = "verified", isChanged = "changed"
  }
}

/// Requests only a printer's certificate.
///
/// Exit 69 if it does not answer, 76 if no secure connection is possible, 77 for a printer whose certificate only the
/// administrator can accept (`system`), and 64 for `system` with a printer that is not saved for all users.
package func askForCertificate(
  of target: PrinterReference, system: Bool, _ context: Context
) async throws(Failure) -> TrustQuestion {
  let isSystems = try PrinterTrust(context).isSystems(target.saved)
  if system, !isSystems {
    throw Failure(.usage, "\(target.name) is not saved for all users: leave --system out.")
  }
  if !system, isSystems, target.saved?.certificate != nil {
    throw Failure(
      .notAllowed,
      "\(target.name) is saved for all users: sudo airprint trust --system "
        + "\(ShellWord.quoted(target.name.safeName))")
  }
  return try await onThread { () throws(Failure) in
    let certificate = try fetchCertificate(of: target, context)
    let host = target.chosenHost
    return TrustQuestion(
      printer: target.name, uri: target.uri, before: try? PrinterTrust(context).pin(of: target),
      now: certificate?.fingerprint,
      isVouchedFor: host.map { certificate?.isVouchedFor(as: $0) == true } ?? false)
  }
}

/// Accepts the certificate that the printer presented.
///
/// Exit 73 if it can't be stored.
package func trust(
  _ question: TrustQuestion, _ target: PrinterReference, system: Bool, _ context: Context
) throws(Failure) -> TrustQuestion {
  try PrinterTrust(context).pin(question.now, to: target, system: system)
  // The printer keeps its password.
  if !question.isSame {
    try CredentialStore(context).move(
      from: SavedLogin.Channel(question.before), to: SavedLogin.Channel(question.now), of: target)
  }
  var answer = question
  answer.isChanged = !question.isSame
  return answer
}

/// Returns a printer's certificate, asking the printer to encrypt if its URI is `ipp`; nil if it does not.
private func fetchCertificate(of target: PrinterReference, _ context: Context) throws(Failure)
  -> Certificate?
{
  guard let uri = PrinterURI(target.uri) else {
    throw Failure(.usage, "\(target.uri) is not a printer's URI.")
  }
  let cancellation = Cancellation()
  let security = Security(lowestTLS: try PrinterTrust(context).lowestTLS(of: target) ?? .usual)
  do {
    return try Connection(
      to: uri, at: PrinterConnection.addresses(of: target, uri, cancellation),
      security: security, upgrading: true, patience: PrinterConnection.wakePatience,
      cancellation: cancellation
    ).peer?.certificate
  } catch {
    guard error.kind == .insecure, !uri.isSecure else {
      throw PrinterConnection.failure(error, target, cancellation)
    }
    return nil
  }
}
