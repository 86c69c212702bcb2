package import AirprintContext
internal import IPP
package import PrintModel
package import System

/// Facts that `show` prints about a printer: its properties, availability, status, and loaded media.
package struct PrinterReport: Sendable, Encodable {
  package var name: String
  package var uri: String
  package var saved: String?
  package var uuid: String?
  package var makeAndModel: String?
  package var location: String?
  package var types: [JobType]
  package var isColor: Bool? = nil
  package var isDuplex: Bool? = nil
  /// True for a CUPS queue, which reports the capabilities of its driver, but not what is loaded.
  package var isQueue = false
  package var formats: [String]
  package var isSecure: Bool
  /// As in a DNS-SD record's `air`; nil if the printer does not answer.
  package var authentication: String? = nil
  package var isAvailable: Bool
  package var status: PrinterStatus? = nil
  /// The reason why it would not print now, or why it can't be asked; nil if it would print.
  package var trouble: String? = nil
  package var ready: [Paper]
  /// The names of its presets.
  package var presets: [String] = []
  package var icons: [String]
  package var moreInfo: String? = nil
  package var endpoints: [Endpoint]
  /// Time of the last answer of a printer that does not answer now, in the format of RFC 3339.
  package var lastSeen: String? = nil

  package func encode(to encoder: any Encoder) throws {
    try encoder.encode([
      "name": name, "uri": uri, "uuid": uuid, "makeAndModel": makeAndModel, "location": location,
      "types": types, "color": isColor, "duplex": isDuplex, "formats": formats,
      "secure": isSecure, "authentication": authentication, "saved": saved,
      "endpoints": endpoints, "available": isAvailable, "state": status?.state.keyword,
      "stateReasons": status?.reasons ?? [], "trouble": trouble,
      "messages": status?.messages ?? [], "acceptingJobs": status?.isAcceptingJobs,
      "ready": ready, "presets": presets, "supplies": status?.supplies ?? [], "icons": icons,
      "moreInfo": moreInfo,
    ])
    if !isAvailable { try encoder.encode(["lastSeen": lastSeen]) }
  }
}

/// Contacts a printer and returns a report.
///
/// Waits for one that sleeps (`timeout`). A printer that does not answer, or requires a password that is not saved, also
/// results in a report, together with the failure.
package func showPrinter(
  _ target: PrinterReference, _ context: Context,
  timeout: Duration = PrinterConnection.wakeTimeout,
  cancellation: Cancellation = Cancellation()
) async -> (report: PrinterReport, failure: Failure?) {
  await onThread {
    do throws(Failure) {
      let connection = try PrinterConnection.reach(
        target, context, timeout: timeout, cancellation: cancellation)
      connection.rememberStatus(nil, context)
      var report = PrinterReport(connection)
      let missing = try connection.missingLogin(context)
      if let missing { report.trouble = missing.inShort(at: connection.name) }
      return (report, missing)
    } catch {
      var report = PrinterReport(unanswered: target, context)
      report.trouble = error.inShort(at: target.name)
      return (report, error)
    }
  }
}

extension PrinterConnection {
  /// The failure of a job, if the printer requires a user's password and none is saved or given, or does not accept it:
  /// exit 77.
  package func missingLogin(_ context: Context) throws(Failure) -> Failure? {
    guard authentication == "username,password", !ipp.isAuthenticated, !context.isLookingAround
    else { return nil }
    guard try ipp.security.credentials(ipp.peer?.fingerprint) != nil else {
      return ipp.unauthorized.failure(at: name)
    }
    do throws(Failure) { try proveAccess(context) } catch { return error }
    return nil
  }

  /// The reason why the printer would not print now, in words; nil if it would.
  package var trouble: String? {
    status.trouble(isLoaded: capabilities.reportsReady ? !capabilities.ready.isEmpty : nil)
  }
}

extension PrinterReport {
  fileprivate init(_ connection: PrinterConnection) {
    let capabilities = connection.capabilities
    let target = connection.target
    self.init(
      name: connection.name, uri: target.uri, saved: target.saved?.name,
      uuid: capabilities.uuid, makeAndModel: capabilities.makeAndModel,
      location: capabilities.location, types: capabilities.types.sorted(),
      isColor: capabilities.isColor, isDuplex: capabilities.isDuplex,
      isQueue: capabilities.isQueue,
      formats: capabilities.formats, isSecure: connection.ipp.peer != nil,
      authentication: connection.authentication, isAvailable: true,
      status: connection.status, trouble: connection.trouble,
      ready: capabilities.reportsReady ? capabilities.ready : [],
      presets: capabilities.presets.map(\.name),
      icons: capabilities.icons, moreInfo: capabilities.moreInfo,
      endpoints: [Endpoint(uri: target.uri, address: connection.ipp.address)])
  }

  fileprivate init(unanswered target: PrinterReference, _ context: Context) {
    let saved = target.saved
    self.init(
      name: target.name, uri: target.uri, saved: saved?.name, uuid: saved?.uuid,
      makeAndModel: saved?.makeAndModel, location: saved?.location, types: saved?.types ?? [],
      formats: [], isSecure: target.uri.hasPrefix("ipps:"), isAvailable: false, ready: [],
      icons: [],
      endpoints: target.addresses.isEmpty
        ? [Endpoint(uri: target.uri, address: nil)]
        : target.addresses.map { Endpoint(uri: target.uri, address: $0) },
      lastSeen: StatusCache(context.directories, key: target.uri, of: .seen).writtenInUTC)
  }
}

/// Makes a printer flash or beep (Identify-Printer, PWG 5100.13), so that people can find it.
///
/// Returns the requested actions; exit 76 for a printer that doesn't support it.
package func identifyPrinter(_ target: PrinterReference, _ context: Context) async throws(Failure)
  -> [String]
{
  try await onThread { () throws(Failure) in
    let connection = try PrinterConnection.reach(target, context)
    guard connection.capabilities.does(.identifyPrinter) else {
      throw .refused("\(connection.name) doesn't support identification.")
    }
    let known = connection.capabilities.identifyActions
    let actions = known.filter { ["flash", "sound", "display"].contains($0) }
    var operation = Request.target(connection.ipp.uri, user: context.user)
    if !actions.isEmpty {
      operation.append(Attribute("identify-actions", actions.map { .keyword($0) }))
    }
    let response = try connection.ask(Request(.identifyPrinter, operationAttributes: operation))
    guard response.status.isSuccess else {
      throw .refused("\(connection.name) refused to identify itself: \(response.words).")
    }
    return actions
  }
}
