internal import Drawing
internal import FoundationEssentials
internal import Glibc
package import PrintModel
internal import System

/// The files of a job's result: `job.json`, a picture of each printed side, and all sides as `pages.pdf`.
///
/// The document itself is already in the folder.
final class JobFolder {
  private let path: String
  private let printer: OwnFolder
  private let pdf: VectorWriter
  private let file: PagesFile
  private(set) var pages: [PrinterEvent.Page] = []

  /// - `printer`: the folder that contains `path`.
  init(_ path: String, in printer: OwnFolder) throws(Failure) {
    self.path = path
    self.printer = printer
    let file = try PagesFile("\(path)/pages.pdf", in: printer)
    self.file = file
    pdf = try VectorWriter { file.write($0) }
  }

  /// The number after the last job's, for a folder that was used before.
  static func firstFree(in folder: String) -> Int {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return (names.compactMap { $0.hasPrefix("job-") ? Int($0.dropFirst(4)) : nil }.max() ?? 0) + 1
  }

  /// Adds the next side: `page-1.png`, and a page of the PDF.
  func add(_ canvas: Canvas, _ page: PrinterEvent.Page) throws(Failure) {
    try printer.write(canvas.png(page.resolution), to: page.file)
    let size = PageSize(width: page.size.width.points, height: page.size.length.points)
    try pdf.page(size) { $0.draw(canvas, filling: size) }
    pages.append(page)
  }

  func finish() throws(Failure) {
    try pdf.finish()
    if let problem = file.problem { throw problem }
    if pages.isEmpty { printer.remove(file.path) }
  }

  func file(_ number: Int) -> String { "\(path)/page-\(number).png" }

  /// Writes the description of the job.
  static func describe(
    _ job: SimulatedJob, _ pages: [PrinterEvent.Page], in folder: String, of printer: OwnFolder
  ) throws(Failure) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let path = "\(folder)/job.json"
    let sides = pages.map { page in
      JSONObject([
        "page": page.number, "sheet": page.sheet, "side": page.side, "paper": page.paper,
        "width": page.size.width.points, "height": page.size.length.points, "tray": page.tray,
        "resolution": page.resolution, "color": page.isColor,
        "file": page.file.split(separator: "/").last.map(String.init) ?? page.file,
      ])
    }
    // The attributes are those that the client requested, with IPP's names and units.
    let record = JSONObject([
      "job": job.id, "name": job.name, "user": job.user, "format": job.format,
      "state": job.state.keyword, "reasons": job.reasons, "message": job.message,
      "impressions": job.impressions, "attributes": AttributeObject(job.template), "pages": sides,
    ])
    guard let text = try? encoder.encode(record) else {
      throw .fault("\(path) can't be written: the job has no JSON.")
    }
    try printer.write(Array(text), to: path)
  }
}

/// `pages.pdf`, to which cairo writes.
private final class PagesFile {
  let path: String
  private let descriptor: Int32
  /// The first failure: cairo continues after it.
  private(set) var problem: Failure?

  init(_ path: String, in folder: OwnFolder) throws(Failure) {
    self.path = path
    descriptor = folder.create(path)
    guard descriptor >= 0 else { throw cannotWrite(path) }
  }

  deinit { close(descriptor) }

  func write(_ bytes: UnsafeRawBufferPointer) {
    if problem == nil, !writeAll(bytes, to: descriptor) { problem = cannotWrite(path) }
  }
}

/// A folder of this user or root, held open: files are created in this folder even if the names on the path to it
/// change.
package final class OwnFolder: Sendable {
  /// The path as it was given, for messages.
  package let path: String
  private let descriptor: Int32

  /// Opens the existing folder at `path`.
  ///
  /// Throws exit 73 for another user's folder, in which they could replace written files with links, and for another
  /// user's link.
  package convenience init(_ path: String) throws(Failure) {
    try self.init(path, named: path, in: AT_FDCWD)
  }

  private init(_ path: String, named name: String, in above: Int32) throws(Failure) {
    self.path = path
    descriptor = openat(above, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0, let entry = FileStatus(link: name, in: above),
      let folder = FileStatus(descriptor: descriptor)
    else { throw cannotWrite("The folder \(path)") }
    let trusted: Set = [0, geteuid()]
    guard trusted.contains(entry.st_uid), trusted.contains(folder.st_uid) else {
      throw .cannotWrite(
        "The folder \(path) belongs to another user; name another one with --output.")
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Opens the subfolder of this name; creates it if it does not exist.
  ///
  /// Throws exit 73 as above.
  package func folder(_ name: String) throws(Failure) -> OwnFolder {
    let path = "\(self.path)/\(name)"
    guard make(path) || errno == EEXIST else { throw cannotWrite("The folder \(path)") }
    return try OwnFolder(path, named: name, in: descriptor)
  }

  /// Creates a new folder; false with errno when that fails.
  func make(_ path: String) -> Bool { mkdirat(descriptor, inner(path), 0o777) == 0 }

  /// Creates a new file, and returns its descriptor, or -1 with errno.
  ///
  /// The folder is new, so an existing file is somebody else's, and may be a link.
  func create(_ path: String) -> Int32 {
    openat(descriptor, inner(path), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
  }

  /// Writes a new file; throws exit 73 when that fails.
  func write(_ bytes: [UInt8], to path: String) throws(Failure) {
    let descriptor = create(path)
    defer { if descriptor >= 0 { close(descriptor) } }
    guard descriptor >= 0, writeAll(bytes[...], to: descriptor) else { throw cannotWrite(path) }
  }

  func remove(_ path: String) { unlinkat(descriptor, inner(path), 0) }

  /// The path through the open folder, for this process.
  func held(_ path: String) -> String { "/proc/self/fd/\(descriptor)/\(inner(path))" }

  /// The path relative to the folder.
  private func inner(_ path: String) -> String { String(path.dropFirst(self.path.count + 1)) }
}
