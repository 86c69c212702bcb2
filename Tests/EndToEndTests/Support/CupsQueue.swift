import FoundationEssentials
import Glibc
import TestSupport

/// A cupsd separate from the machine's: it has its own folders, port, and one queue that forwards its jobs.
struct CupsQueue: Sendable {
  let uri: String
  let server: String
  private let cupsd: Program
  private let folder: String

  init(leadingTo printer: String, of person: Person) async throws {
    folder = person.path("cups")
    let port = try freePort()
    uri = "ipp://localhost:\(port)/printers/behind"
    for name in ["root", "spool", "cache", "state", "tmp"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
    }
    // cupsd's backends may run as `nobody`, who needs access to the path.
    for path in [person.bench.scratch.path, person.folder, folder] { chmod(path, 0o755) }
    try Array(CupsQueue.settings(port).utf8).write(to: "\(folder)/cupsd.conf")
    try Array(CupsQueue.files(folder).utf8).write(to: "\(folder)/cups-files.conf")
    // PDF is forwarded to a printer that accepts it, without cups-filters.
    try Array("application/pdf application/vnd.cups-pdf 0 -\n".utf8)
      .write(to: "\(folder)/root/local.convs")
    cupsd = try person.bench.start([
      "cupsd", "-f", "-c", "\(folder)/cupsd.conf", "-s", "\(folder)/cups-files.conf",
    ])
    server = "localhost:\(port)"
    let lpadmin = [
      "lpadmin", "-h", server, "-p", "behind", "-E", "-v", printer, "-m", "raw",
    ]
    let bench = person.bench
    try await eventually("cupsd has a queue") { try await bench.run(lpadmin).code == 0 }
    // The queue is enabled and accepts jobs in a separate step, which may come later.
    try await eventually("the queue prints") {
      try await bench.run(["lpstat", "-h", server, "-p", "behind"]).stdout.contains("idle")
    }
  }

  func close() async {
    cupsd.signal(SIGTERM)
    _ = await cupsd.end()
  }

  /// Returns the PPD that cupsd created from a printer's attributes (`lpadmin -m everywhere`).
  func ppd(_ name: String) -> String {
    (try? bytes(of: "\(folder)/root/ppd/\(name).ppd")).map { String(decoding: $0, as: UTF8.self) }
      ?? ""
  }

  /// cupsd's error log, for the message of a failed test.
  var log: String {
    (try? bytes(of: "\(folder)/error.log")).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// A PPD for a laser printer that accepts PDF, like those of Debian's drivers.
  static let laser = """
    *PPD-Adobe: "4.3"
    *FormatVersion: "4.3"
    *FileVersion: "1.0"
    *LanguageVersion: English
    *LanguageEncoding: ISOLatin1
    *PCFileName: "LASER.PPD"
    *Manufacturer: "Example"
    *Product: "(Laser)"
    *ModelName: "Example Laser"
    *ShortNickName: "Example Laser"
    *NickName: "Example Laser"
    *PSVersion: "(3010.000) 0"
    *LanguageLevel: "3"
    *ColorDevice: False
    *DefaultColorSpace: Gray
    *FileSystem: False
    *cupsFilter: "application/vnd.cups-pdf 0 -"
    *OpenUI *PageSize: PickOne
    *DefaultPageSize: A4
    *PageSize A4: ""
    *PageSize Letter: ""
    *CloseUI: *PageSize
    *OpenUI *PageRegion: PickOne
    *DefaultPageRegion: A4
    *PageRegion A4: ""
    *PageRegion Letter: ""
    *CloseUI: *PageRegion
    *DefaultImageableArea: A4
    *ImageableArea A4: "12 12 583 830"
    *ImageableArea Letter: "12 12 600 780"
    *DefaultPaperDimension: A4
    *PaperDimension A4: "595 842"
    *PaperDimension Letter: "612 792"
    *OpenUI *Duplex: PickOne
    *DefaultDuplex: None
    *Duplex None: ""
    *Duplex DuplexNoTumble: ""
    *Duplex DuplexTumble: ""
    *CloseUI: *Duplex

    """

  /// The contents of cupsd.conf.
  ///
  /// They differ from `start_queue` in bench/print.sh, which runs without the tests and is timed: this cupsd logs
  /// every request, for the tests, and may print to files.
  private static func settings(_ port: Int) -> String {
    """
    Listen localhost:\(port)
    Browsing Off
    AccessLogLevel all
    DefaultAuthType None
    <Location />
    Order allow,deny
    Allow all
    </Location>
    <Policy default>
    <Limit All>
    Order allow,deny
    </Limit>
    </Policy>

    """
  }

  private static func files(_ folder: String) -> String {
    """
    ServerRoot \(folder)/root
    RequestRoot \(folder)/spool
    CacheDir \(folder)/cache
    StateDir \(folder)/state
    TempDir \(folder)/tmp
    AccessLog \(folder)/access.log
    ErrorLog \(folder)/error.log
    PageLog \(folder)/page.log
    SystemGroup root
    FileDevice Yes

    """
  }
}
