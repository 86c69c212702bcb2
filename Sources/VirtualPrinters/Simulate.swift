package import AirprintContext
internal import DNSSD
internal import FoundationEssentials
internal import Glibc
internal import IPP
package import PrintModel
internal import Rendering
internal import Simulation
package import System

/// Options of `simulate`.
package struct SimulateArguments: Sendable {
  package var profiles: [String] = []
  package var name: String?
  /// nil: the first free port from 8631 on; 0: any.
  package var port: Int?
  /// Everybody on the network may print; otherwise only this machine.
  package var servesNetwork = false
  package var location = ""
  package var load: [String] = []
  package var supplies: [String] = []
  package var faults: [String] = []
  package var like: String?
  package var hasPrintTimes = false
  package var hasSensors = true
  package var showsPrintableArea = true
  package var requiresPassword = false
  /// All printers share the first one's port, and are listed there.
  package var isServer = false
  package var output: String?
  /// A shell command to run while the printers are simulated.
  package var command: String?

  package init() {}
}

/// Simulates printers until it is interrupted or the command ends.
///
/// Returns the command's exit code, 0 without one. Nothing is left behind except the folder `output`.
package func simulate(
  _ arguments: SimulateArguments, _ context: Context, cancellation: Cancellation,
  tell: @escaping @Sendable (SimulationEvent) -> Void
) async throws(Failure) -> Int32 {
  let recorded: AttributeSet? =
    if let like = arguments.like { try await attributes(like: like, context) } else { nil }
  return try await onThread { () throws(Failure) in
    let simulation = try SimulationRun(arguments, recorded, context, cancellation, tell)
    defer { simulation.end() }
    return try simulation.run()
  }
}

/// The profiles' names.
package let profileNames = Profile.all.map(\.name)

/// The faults that can be caused, as they are typed.
package let faultNames = Fault.names

/// Sends a command to a simulated printer in another process: `load`, `supply`, `fault` or `clear`.
///
/// `name` is the printer's name or an unambiguous part of it; returns the full name. Throws exit 69 when no printer has
/// this name or it does not answer, 64 when several match; otherwise the code that the printer reports.
package func tellSimulatedPrinter(
  _ name: String, _ action: String, _ arguments: [String], _ context: Context
) throws(Failure) -> String {
  guard let action = ControlRequest.Command(rawValue: action) else {
    throw .usage("airprint simulate has no action \(action).")
  }
  let folder = SimulationRun.controlFolder(context)
  let names = ControlSocket.names(in: folder)
  let word = name.lowercased()
  let matches = names.filter { $0.lowercased() == word }
  let candidates = matches.isEmpty ? names.filter { $0.lowercased().contains(word) } : matches
  guard let found = candidates.first else {
    throw Failure(
      .unknownPrinter,
      "No printer called \"\(name)\" is being simulated."
        + (names.isEmpty ? "" : " Simulated printers: \(names.joined(separator: ", "))."))
  }
  guard candidates.count == 1 else {
    throw .usage("\(name) matches several simulated printers: \(candidates.inWords()).")
  }
  try ControlSocket.tell(found, ControlRequest(action, arguments), in: folder)
  return found
}

/// Names of the running simulated printers.
package func simulatedPrinters(_ context: Context) -> [String] {
  ControlSocket.names(in: SimulationRun.controlFolder(context))
}

/// A printer that is being simulated: a row of `simulate list`.
package struct SimulatedPrinterRow: Sendable, Codable {
  package var name: String
  package var port: Int
  package var profile: String
  /// The paper in each tray: `main=A4`.
  package var paper: [String]
  /// IPP's reasons for which it is stopped, and its warnings.
  package var reasons: [String]

  private enum CodingKeys: String, CodingKey {
    case name, port, profile, paper, reasons = "stateReasons"
  }
}

/// Supplies of a running printer, as `simulate supply` names them.
package func simulatedSupplies(of name: String, _ context: Context) -> [String] {
  profile(of: name, context)?.supplies.map(\.color) ?? []
}

/// Papers that a tray of a running printer can hold, as `simulate load` accepts them; empty if it is unknown.
package func simulatedPapers(in tray: String, of name: String, _ context: Context) -> [String] {
  profile(of: name, context)?.trays.first { $0.source == tray }?.loadable ?? []
}

private func profile(of name: String, _ context: Context) -> Profile? {
  let state = simulatedPrinterState(name, context)
  return Profile.all.first { $0.name == state?.profile }
}

/// The state of a running printer, by its name; nil when it does not answer.
package func simulatedPrinterState(_ name: String, _ context: Context) -> SimulatedPrinterRow? {
  let folder = SimulationRun.controlFolder(context)
  let answer = try? ControlSocket.tell(name, ControlRequest(.describe, []), in: folder)
  return answer.flatMap {
    try? JSONDecoder().decode(SimulatedPrinterRow.self, from: Data($0.utf8))
  }
}

/// One run of `simulate`.
private final class SimulationRun {
  private let arguments: SimulateArguments
  private let context: Context
  private let cancellation: Cancellation
  private let tell: @Sendable (SimulationEvent) -> Void
  private let folder: OwnFolder
  private let isTemporary: Bool
  /// Folder for the certificates.
  private let keys: String
  private var printers: [RunningPrinter] = []
  private var controls: [ControlSocket] = []
  private var reports: [SimulatedPrinterReport] = []
  private let system: SystemService?

  init(
    _ arguments: SimulateArguments, _ recorded: AttributeSet?, _ context: Context,
    _ cancellation: Cancellation, _ tell: @escaping @Sendable (SimulationEvent) -> Void
  ) throws(Failure) {
    self.arguments = arguments
    self.context = context
    self.cancellation = cancellation
    self.tell = tell
    isTemporary = arguments.output == nil
    system = arguments.isServer ? SystemService() : nil
    keys = "\(context.directories.state)/simulate"
    folder = try OwnFolder(try SimulationRun.outputFolder(arguments.output, context))
    do throws(Failure) {
      guard FileTrust.makeFolder(keys) else { throw SimulationRun.cannotMake(keys) }
      ServedCertificates.keep(in: keys)
      for profile in try profiles(recorded) { try start(profile) }
    } catch {
      end()
      throw error
    }
    var unlisted: String?
    for (index, printer) in printers.enumerated() {
      do throws(DNSSDError) {
        reports[index].listedAs = try printer.listedName()
      } catch {
        unlisted = error.message
        break
      }
    }
    tell(.started(reports, folder: folder.path, isTemporary: isTemporary))
    if let unlisted { tell(.unlisted(unlisted)) }
  }

  /// Runs the command and waits for its end; without one, waits for an interruption.
  func run() throws(Failure) -> Int32 {
    guard let command = arguments.command else {
      while !cancellation.isRaised { _ = cancellation.sleep(.milliseconds(100)) }
      return 0
    }
    var variables = context.environment
    variables["AIRPRINT_PRINTER"] = reports[0].uri
    if let password = reports[0].password { variables["AIRPRINT_SIMULATE_PASSWORD"] = password }
    let code = try runShell(command, [], variables, cancellation).code
    // Pages printed by the command are completed, if that takes no more than a minute.
    let deadline = ContinuousClock.now + .seconds(60)
    while !cancellation.isRaised, .now < deadline, !printers.allSatisfy(\.printer.isIdle) {
      usleep(20_000)
    }
    return code
  }

  /// Stops all printers and removes their files.
  func end() {
    for control in controls { control.remove() }
    for printer in printers { printer.stop() }
    // The printing thread is still writing the last job's files.
    let deadline = ContinuousClock.now + .seconds(5)
    for printer in printers { printer.printer.awaitOff(until: deadline) }
    // Open connections keep using theirs.
    for name in printers.flatMap(\.printer.certificateNames) {
      for suffix in ["crt", "key"] { unlink("\(keys)/\(name).\(suffix)") }
    }
    controls = []
    printers = []
    if isTemporary { try? FileManager.default.removeItem(atPath: folder.path) }
  }

  // MARK: Setting up

  private func profiles(_ recorded: AttributeSet?) throws(Failure) -> [Profile] {
    if let recorded {
      guard arguments.profiles.isEmpty else {
        throw .usage("Use --like or a profile, not both.")
      }
      return [Profile(like: recorded, in: context.region)]
    }
    var profiles: [Profile] = []
    for word in arguments.profiles.isEmpty ? ["laser"] : arguments.profiles {
      profiles += word.lowercased() == "all" ? Profile.all : [try Profile.named(word)]
    }
    if arguments.name != nil, profiles.count > 1 {
      throw .usage("--name is for one printer, and there would be \(profiles.count).")
    }
    return profiles
  }

  private func start(_ profile: Profile) throws(Failure) {
    let same = reports.count { $0.profile == profile.name }
    let folderName = same > 0 ? "\(profile.name)-\(same + 1)" : profile.name
    let place = try folder.folder(folderName)
    // Of two simulators that start at the same time, the second sees the name of the first.
    let turn = try ControlSocket.takeTurn(in: SimulationRun.controlFolder(context))
    defer { withExtendedLifetime(turn) {} }
    let name = try freeName(arguments.name ?? profile.printerName, same)
    let context = self.context
    let cancellation = self.cancellation
    var options = SimulatedPrinter.Options(
      folder: place,
      draw: { (order) throws(Failure) in try draw(order, context, cancellation) },
      decode: { (pull) throws(Failure) in
        try RasterDecoder(executable: context.executable, cancellation: cancellation, pulling: pull)
      })
    options.hasPrintTimes = arguments.hasPrintTimes
    // A clone of a printer that does not report its paper doesn't either.
    options.hasSensors = arguments.hasSensors && profile.trays.contains { $0.loaded != nil }
    options.showsPrintableArea = arguments.showsPrintableArea
    let password = arguments.requiresPassword ? String(Int.random(in: 100_000...999_999)) : nil
    let tell = self.tell
    let running = try listen(profile, name, password, options) { event in
      tell(.at(printer: name, event))
    }
    printers.append(running)
    system?.add(running.printer, as: folderName)
    let printer = running.printer
    for text in arguments.load { try printer.load(text) }
    for text in arguments.supplies { try printer.supply(text) }
    for text in arguments.faults { printer.cause(try Fault(text)) }
    controls.append(
      try ControlSocket(name, in: SimulationRun.controlFolder(context)) {
        (request) throws(Failure) in try printer.perform(request)
      })
    reports.append(
      SimulatedPrinterReport(
        name: name, profile: profile.name, uri: running.uri, uuid: printer.identity.uuid,
        listedAs: nil, folder: place.path, password: password))
  }

  /// Starts a printer at the first free port from 8631 on; with `--port`, at consecutive ports from there.
  private func listen(
    _ profile: Profile, _ name: String, _ password: String?, _ options: SimulatedPrinter.Options,
    _ tell: @escaping @Sendable (PrinterEvent) -> Void
  ) throws(Failure) -> RunningPrinter {
    var port = arguments.port.map { $0 == 0 ? 0 : $0 + printers.count } ?? 8_631
    while true {
      do throws(Failure) {
        return try RunningPrinter(
          profile, name: name, location: arguments.location, password: password, port: port,
          reach: arguments.servesNetwork ? .all : .loopback,
          system: printers.isEmpty ? system : nil,
          options, tell: tell)
      } catch {
        guard arguments.port == nil, port < 8_731 else { throw error }
        port += 1
      }
    }
  }

  /// The requested name; without one, a name that no simulated printer has yet.
  private func freeName(_ name: String, _ same: Int) throws(Failure) -> String {
    guard arguments.name == nil else {
      guard (1...63).contains(name.utf8.count), !name.contains("\n") else {
        throw .usage("--name \(name): a printer's name has 1 to 63 bytes.")
      }
      return name
    }
    let taken = Set(simulatedPrinters(context) + reports.map(\.name))
    var number = 1
    while taken.contains(number == 1 ? name : "\(name) \(number)") { number += 1 }
    return number == 1 ? name : "\(name) \(number)"
  }

  // MARK: Folders

  /// Folder that lists running printers: in XDG_RUNTIME_DIR, or in a folder of the user's own in /tmp.
  static func controlFolder(_ context: Context) -> String {
    if let folder = context.environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") {
      return "\(folder)/airprint/simulate"
    }
    return "/tmp/airprint-\(geteuid())/simulate"
  }

  private static func outputFolder(_ path: String?, _ context: Context) throws(Failure) -> String {
    guard let path else {
      let parent = context.environment["TMPDIR"] ?? "/tmp"
      guard let folder = PrivateFolder.makeTemporary("\(parent)/airprint-simulate-") else {
        throw cannotMake(parent)
      }
      return folder
    }
    try Context.refuseRepaired(output: path)
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw cannotMake(path)
    }
    guard access(path, W_OK | X_OK) == 0 else { throw cannotMake(path) }
    return path
  }

  private static func cannotMake(_ folder: String) -> Failure {
    let why = errno == 0 ? "it can't be made" : SystemError().description
    return .cannotWrite("The folder \(folder) can't be written: \(why).")
  }
}

extension SimulatedPrinter {
  /// Performs a request of another command.
  fileprivate func perform(_ request: ControlRequest) throws(Failure) -> String {
    switch request.action {
    case .describe:
      let row = SimulatedPrinterRow(
        name: identity.name, port: identity.port, profile: profile.name, paper: loadedPaper,
        reasons: stateReasons)
      return String(decoding: (try? JSONEncoder().encode(row)) ?? Data(), as: UTF8.self)
    case .load: for text in request.arguments { try load(text) }
    case .supply: for text in request.arguments { try supply(text) }
    case .fault:
      // Parse all of them before the first one takes effect.
      var faults: [Fault] = []
      for text in request.arguments { faults.append(try Fault(text)) }
      for fault in faults { cause(fault) }
    case .pin: for text in request.arguments { try enter(pin: text) }
    case .clear:
      if request.arguments.isEmpty { try clear(nil) }
      for text in request.arguments { try clear(text) }
    }
    return ""
  }
}
