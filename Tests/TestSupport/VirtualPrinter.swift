import FoundationEssentials
import Glibc
import Synchronization

/// A printer for one test: CUPS' ippeveprinter, which is not our code, on loopback.
///
/// It processes one job at a time, and ignores which paper is loaded.
package final class VirtualPrinter: Sendable {
  /// Name under which it announces itself.
  package let name: String
  package let port: Int
  /// The folder where it keeps every document that it received, with its attributes.
  package let jobsFolder: String
  /// The folder of its key and certificate (`-K`); if they are missing, it creates new ones for every handshake.
  package let keysFolder: String
  package let program: Program

  package var uri: String { "ipp://localhost:\(port)/ipp/print" }
  package var secureURI: String { "ipps://localhost:\(port)/ipp/print" }

  /// The options of a virtual printer.
  package struct Options: Sendable {
    /// A file of IPP attributes (`-a`); the options below are then ignored, because ippeveprinter accepts one or the
    /// other.
    package var attributes: String?
    package var formats: [String] = []
    package var isDuplex = false
    package var makeAndModel: (make: String, model: String)?
    package var location: String?
    /// The subtypes of its DNS-SD records; `["off"]` to not announce it.
    package var subtypes = ["_print", "_universal"]
    /// Shell commands that "print" the document `$1`, after it was stored.
    ///
    /// The printer reads what they write to standard error: `STATE: +media-empty-error`, `ATTR: job-impressions=3`.
    /// With an exit status other than 0 the job is aborted.
    package var command = ""
    /// Further options of ippeveprinter.
    package var others: [String] = []
    /// A command prefix that runs it elsewhere.
    package var surroundings: [String] = []

    package init() {}
  }

  init(_ name: String, _ options: Options, on bench: Bench) async throws {
    self.name = name
    let folder = "\(bench.scratch.path)/printer-\(UUID().uuidString)"
    jobsFolder = "\(folder)/jobs"
    keysFolder = "\(folder)/keys"
    for path in [folder, jobsFolder, "\(folder)/spool", "\(folder)/keys"] {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true)
    }
    let command = "\(folder)/print"
    let script = Self.script(keepingIn: jobsFolder, then: options.command)
    try writeFile(Array(script.utf8), to: command, mode: 0o755)
    port = try freePort()
    var arguments = options.surroundings + ["ippeveprinter", "-p", "\(port)", "-c", command]
    arguments += ["-d", "\(folder)/spool", "-K", "\(folder)/keys"]
    arguments += ["-r", options.subtypes.joined(separator: ",")]
    if let attributes = options.attributes {
      arguments += ["-a", attributes]
    } else {
      if !options.formats.isEmpty { arguments += ["-f", options.formats.joined(separator: ",")] }
      if options.isDuplex { arguments.append("-2") }
      if let (make, model) = options.makeAndModel { arguments += ["-M", make, "-m", model] }
    }
    if let location = options.location { arguments += ["-l", location] }
    let question = try bench.scratch.write(Self.question, to: "question.test")
    program = try bench.start(arguments + options.others + [name])
    try await eventually("\(name) answers") {
      guard program.isRunning else {
        throw EndedAtOnce(description: "ippeveprinter ended: \(errors)")
      }
      // Its exit code is not used: it reports errors for many attribute files.
      return try await bench.run(["ipptool", "-tv", uri, question]).stdout.contains(
        "status-code = successful-ok")
    }
  }

  /// A request that any printer answers, even with few attributes.
  private static let question = """
    {
      OPERATION Get-Printer-Attributes
      GROUP operation-attributes-tag
      ATTR charset attributes-charset utf-8
      ATTR naturalLanguage attributes-natural-language en
      ATTR uri printer-uri $uri
      STATUS successful-ok
    }
    """

  /// The text that it wrote to standard error.
  package var errors: String { String(decoding: program.errors, as: UTF8.self) }

  /// Ends it like a user switching it off: it sends a goodbye to the network.
  package func stop() async {
    program.signal(SIGTERM)
    _ = await program.end(within: .seconds(5))
  }

  // MARK: Received jobs

  /// A document that the printer received.
  package struct Job: Sendable {
    package var id: Int
    package var document: [UInt8]
    package var contentType: String
    /// Job and printer attributes as ippeveprinter passes them to its command: `IPP_SIDES`, `IPP_MEDIA_COL` and
    /// others.
    package var environment: [String: String]

    /// Returns an attribute by its IPP name; a collection has the form `{media-size={…}}`.
    package subscript(attribute: String) -> String? {
      environment["IPP_" + attribute.uppercased().replacing("-", with: "_")]
    }
  }

  /// Returns the jobs received so far, in order.
  package func jobs() throws -> [Job] {
    let names = try FileManager.default.contentsOfDirectory(atPath: jobsFolder)
    return try names.compactMap(Int.init).sorted().map(job)
  }

  /// Waits until the printer has received `count` jobs.
  package func jobs(atLeast count: Int) async throws -> [Job] {
    try await eventually("\(name) has received \(count) jobs; it says: \(errors)") {
      try jobs().count >= count
    }
    return try jobs()
  }

  private func job(_ id: Int) throws -> Job {
    let document = try Data(contentsOf: URL(filePath: "\(jobsFolder)/\(id)/document"))
    let variables = try Data(contentsOf: URL(filePath: "\(jobsFolder)/\(id)/environment"))
    let pairs = variables.split(separator: 0).map { variable in
      let parts = variable.split(separator: UInt8(ascii: "="), maxSplits: 1)
      return (
        String(decoding: parts[0], as: UTF8.self),
        parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : ""
      )
    }
    let environment = Dictionary(pairs) { first, _ in first }
    return Job(
      id: id, document: Array(document), contentType: environment["CONTENT_TYPE"] ?? "",
      environment: environment)
  }

  private static func script(keepingIn folder: String, then command: String) -> String {
    """
    #!/bin/sh
    work='\(folder)/.'$$
    mkdir "$work" && cp "$1" "$work/document" && env -0 > "$work/environment" || exit 1
    mv "$work" '\(folder)/'"${IPP_JOB_ID:?}"
    \(command)
    """
  }
}

extension Bench {
  /// Starts a printer, and waits until it answers.
  package func printer(
    _ name: String, _ options: VirtualPrinter.Options = .init()
  ) async throws -> VirtualPrinter {
    for _ in 1...2 {
      do { return try await VirtualPrinter(name, options, on: self) } catch is EndedAtOnce {}
    }
    return try await VirtualPrinter(name, options, on: self)
  }
}

/// ippeveprinter exited without a message before it answered: seen once in about a thousand starts.
private struct EndedAtOnce: Error, CustomStringConvertible {
  let description: String
}

/// Returns a TCP port that is not in use and that no other test of this process gets.
///
/// It is below the range of the kernel's client ports, one of which could be taken before the server binds it.
package func freePort() throws -> Int {
  for _ in 0..<100 {
    let port = nextPort.withLock { next in
      next = next < 31_999 ? next + 1 : 20_000
      return next
    }
    if canListen(at: port) { return port }
  }
  throw Missing("a free port")
}

/// The last assigned port.
///
/// Ports are assigned in turn, so that a port on which nothing should answer stays unused.
private let nextPort = Mutex(Int.random(in: 20_000..<32_000))

private func canListen(at port: Int) -> Bool {
  // A program that is being started has a copy of the socket until it runs, and with it the port.
  spawning.withLock { _ in
    let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = UInt16(port).bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
      }
    }
  }
}
