package import AirprintContext
internal import IPP
package import PrintModel
internal import System

/// Makes a printer flash or beep (Identify-Printer, PWG 5100.13), so that people can find it.
///
/// Returns the requested actions; exit 76 for a printer that doesn't support it.
package func identifyPrinter(_ target: PrinterReference, _ context: Context) async throws(Failure)
  -> [String]
{
  try await onThread { () throws(Failure) in
    let cancellation = Cancellation()
    let session = try PrinterConnection.reach(
      target, context, cancellation: cancellation)
    guard session.capabilities.does(.identifyPrinter) else {
      throw Failure(.refused, "\(session.name) doesn't support identification.")
    }
    let known = session.capabilities.identifyActions
    let actions = known.filter { ["flash", "sound", "display"].contains($0) }
    var operation = Request.target(session.connection.uri, user: context.user)
    if !actions.isEmpty {
      operation.append(Attribute("identify-actions", actions.map { .keyword($0) }))
    }
    let response = try session.ask(Request(.identifyPrinter, operationAttributes: operation))
    guard response.status.isSuccess else {
      throw Failure(.refused, "\(session.name) refused to identify itself: \(response.words).")
    }
    return actions
  }
}

/// Identifies a printer that the user has not chosen: nothing about it is stored, and it receives no password.
///
/// Exits as for a saved one.
package func identifyPrinter(
  _ printer: DiscoveredPrinter, _ context: Context
) async throws(Failure) -> [String] {
  let context = context.lookingAround
  return try await identifyPrinter(PrinterReference(printer), context)
}
