package import AirprintContext
internal import IPP
package import PrintModel
internal import Settings
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
  /// The command that saves the password it requires; nil if it requires none, or one is saved or given.
  package var missingLogin: String? = nil
  package var ready: [Paper]
  /// The names of its presets.
  package var presets: [String] = []
  package var icons: [String]
  package var moreInfo: String? = nil
  package var endpoints: [Endpoint]
  /// Time of the last answer of a printer that does not answer now, in the format of RFC 3339.
  package var lastSeen: String? = nil

  private enum Key: String, CodingKey {
    case name, uri, uuid, makeAndModel, location, types, color, duplex, formats, secure
    case authentication, saved, endpoints, available, state, stateReasons, trouble, messages
    case acceptingJobs, ready, presets, supplies, icons, moreInfo, lastSeen
  }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(name, forKey: .name)
    try object.encode(uri, forKey: .uri)
    try object.encode(uuid, forKey: .uuid)
    try object.encode(makeAndModel, forKey: .makeAndModel)
    try object.encode(location, forKey: .location)
    try object.encode(types, forKey: .types)
    try object.encode(isColor, forKey: .color)
    try object.encode(isDuplex, forKey: .duplex)
    try object.encode(formats, forKey: .formats)
    try object.encode(isSecure, forKey: .secure)
    try object.encode(authentication, forKey: .authentication)
    try object.encode(saved, forKey: .saved)
    try object.encode(endpoints, forKey: .endpoints)
    try object.encode(isAvailable, forKey: .available)
    try object.encode(status?.state.keyword, forKey: .state)
    try object.encode(status?.reasons ?? [], forKey: .stateReasons)
    try object.encode(trouble, forKey: .trouble)
    try object.encode(status?.messages ?? [], forKey: .messages)
    try object.encode(status?.isAcceptingJobs, forKey: .acceptingJobs)
    try object.encode(ready, forKey: .ready)
    try object.encode(presets, forKey: .presets)
    try object.encode(status?.supplies ?? [], forKey: .supplies)
    try object.encode(icons, forKey: .icons)
    try object.encode(moreInfo, forKey: .moreInfo)
    if !isAvailable { try object.encode(lastSeen, forKey: .lastSeen) }
  }
}

/// Contacts a printer and returns a report.
///
/// Waits for one that sleeps (`patience`). A printer that does not answer also results in a report, together with the
/// failure.
package func showPrinter(
  _ target: PrinterReference, _ context: Context,
  patience: Duration = PrinterConnection.wakePatience,
  cancellation: Cancellation = Cancellation()
) async -> (report: PrinterReport, failure: Failure?) {
  await onThread {
    do throws(Failure) {
      let session = try PrinterConnection.reach(
        target, context, patience: patience, cancellation: cancellation)
      session.rememberStatus(nil, context)
      var report = PrinterReport(session)
      if report.authentication == "username,password", !context.isLookingAround,
        try Credentials.given(to: context) == nil, try !CredentialStore(context).isKept(for: target)
      {
        report.missingLogin = "airprint login \(target.commandWord)"
      }
      return (report, nil)
    } catch {
      if error.code == .unavailable { rememberSilence(of: target, context) }
      var report = PrinterReport(unanswered: target, context)
      report.trouble = error.inShort(at: target.name)
      return (report, error)
    }
  }
}

/// Reports on a printer that the user has not chosen: nothing about it is stored, and it receives no password.
package func showPrinter(
  _ printer: DiscoveredPrinter, _ context: Context
) async -> (report: PrinterReport, failure: Failure?) {
  let context = context.lookingAround
  return await showPrinter(
    PrinterReference(printer), context, patience: PrinterConnection.browsePatience)
}

extension PrinterConnection {
  /// The reason why the printer would not print now, in words; nil if it would.
  package var trouble: String? {
    status.trouble(isLoaded: capabilities.reportsReady ? !capabilities.ready.isEmpty : nil)
  }
}

extension PrinterReport {
  fileprivate init(_ session: PrinterConnection) {
    let capabilities = session.capabilities
    let target = session.target
    self.init(
      name: session.name, uri: target.uri, saved: target.saved?.name,
      uuid: capabilities.uuid, makeAndModel: capabilities.makeAndModel,
      location: capabilities.location, types: capabilities.types.sorted(),
      isColor: capabilities.isColor, isDuplex: capabilities.isDuplex,
      isQueue: capabilities.isQueue,
      formats: capabilities.formats, isSecure: session.connection.peer != nil,
      authentication: session.authentication, isAvailable: true,
      status: session.status, trouble: session.trouble,
      ready: capabilities.reportsReady ? capabilities.ready : [],
      presets: capabilities.presets.map(\.name),
      icons: capabilities.icons, moreInfo: capabilities.moreInfo,
      endpoints: [Endpoint(uri: target.uri, address: session.connection.address)])
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
      lastSeen: StatusCache(context.places, key: target.uri, of: .seen).writtenInUTC)
  }
}
