package import AirprintContext
internal import IPP
package import PrintModel
internal import System

/// Makes a printer flash or beep (Identify-Printer, PWG 5100.13), so that people see which one it
/// is.
///
/// Returns what it was asked to do; exit 76 for a printer that can't.
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
    var operation = [
      Attribute("printer-uri", .uri(session.connection.uri.text)),
      Attribute("requesting-user-name", .name(context.user)),
    ]
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

/// The same for a printer that was not chosen by the user: nothing of it is kept, and it gets no password.
///
/// Exits as for one that is saved.
package func identifyPrinter(
  _ printer: DiscoveredPrinter, _ context: Context
) async throws(Failure) -> [String] {
  let context = context.lookingAround
  return try await identifyPrinter(PrinterReference(printer), context)
}
