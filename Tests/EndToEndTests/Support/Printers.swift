import TestSupport

extension Person {
  /// A `command` for a printer that prints until `finish`, or as long as the printer runs.
  ///
  /// It stops after 3,000 steps of 0.1 s.
  var busy: String {
    "n=0; while [ ! -e '\(path("finished"))' ] && [ $n -lt 3000 ] && kill -0 $PPID; "
      + "do n=$((n + 1)); sleep 0.1; done"
  }

  /// Lets `busy` end.
  func finish() throws { try writeFile([], to: path("finished")) }

  /// Starts a two-sided color printer that accepts every format.
  ///
  /// A4 and borderless 4x6 photo paper are loaded.
  ///
  /// It is not announced: tests that use its URI need no Avahi, and don't affect each other. Its 150 dpi are fast to
  /// draw and read.
  ///
  /// - `command`: processes a document, as `Options.command`.
  /// - `lines`: attributes that replace those below, or are added.
  func office(
    _ name: String = "Office", command: String = "", with lines: [String] = [],
    surroundings: [String] = []
  ) async throws -> VirtualPrinter {
    try await printer(
      name, Attributes.office + lines, command: command, surroundings: surroundings)
  }

  /// Starts an 80 mm receipt printer with a cutter, 203 dpi, 72 mm printable.
  func till(_ name: String = "Till", command: String = "") async throws -> VirtualPrinter {
    try await printer(name, Attributes.till, command: command)
  }

  /// Starts a printer with these attributes; of two lines for the same one, the last counts.
  ///
  /// - `subtypes`: the subtypes of its DNS-SD records; `["off"]` to not announce it.
  func printer(
    _ name: String, _ lines: [String], command: String = "", subtypes: [String] = ["off"],
    location: String? = nil, others: [String] = [], surroundings: [String] = []
  ) async throws -> VirtualPrinter {
    var attributes: [String: String] = [:]
    for line in lines { attributes[String(line.split(separator: " ")[1])] = line }
    var options = VirtualPrinter.Options()
    let file = path("\(name.filter(\.isLetter))-\(UInt32.random(in: 0 ... .max)).conf")
    let text = attributes.values.sorted().map { "ATTR \($0)\n" }.joined()
    try Array(text.utf8).write(to: file)
    options.attributes = file
    options.command = command
    options.subtypes = subtypes
    options.location = location
    options.others = others
    options.surroundings = surroundings
    let printer = try await bench.printer(name, options)
    // Its first TLS connection creates its certificate; a second connection meanwhile would be dropped.
    if subtypes != ["off"] { _ = try await airprint("show", name) }
    return printer
  }
}

/// Printers as lines of ippeveprinter's `-a` files.
enum Attributes {
  static let office =
    common(creating: ["finishings", "multiple-document-handling", "orientation-requested"]) + [
      "textWithoutLanguage printer-make-and-model \"Example Office 7\"",
      "keyword printer-kind document,photo",
      "mimeMediaType document-format-supported "
        + "application/octet-stream,application/pdf,image/jpeg,image/pwg-raster,image/urf",
      "mimeMediaType document-format-preferred image/urf",
      "keyword urf-supported V1.4,CP1,W8,SRGB24,RS150,DM1,PQ3-4-5",
      "resolution pwg-raster-document-resolution-supported 75dpi,150dpi",
      "keyword pwg-raster-document-type-supported sgray_8,srgb_8",
      "keyword pwg-raster-document-sheet-back rotated",
      "resolution printer-resolution-supported 75dpi,150dpi",
      "resolution printer-resolution-default 150dpi",
      "boolean color-supported true",
      "keyword print-color-mode-supported auto,color,monochrome",
      "keyword print-color-mode-default auto",
      "enum print-quality-supported 3,4,5",
      "enum print-quality-default 4",
      "keyword sides-supported one-sided,two-sided-long-edge,two-sided-short-edge",
      "keyword sides-default two-sided-long-edge",
      "rangeOfInteger copies-supported 1-99",
      "boolean page-ranges-supported true",
      "keyword multiple-document-handling-supported separate-documents-collated-copies",
      "keyword print-scaling-supported auto,auto-fit,fit,fill,none",
      "keyword print-scaling-default auto",
      "enum orientation-requested-supported 3,4,5,6",
      "enum finishings-supported 3,4",
      "keyword identify-actions-supported flash,sound",
      "keyword media-supported iso_a3_297x420mm,iso_a4_210x297mm,na_index-4x6_4x6in",
      "keyword media-ready iso_a4_210x297mm,na_index-4x6_4x6in",
      "keyword media-default iso_a4_210x297mm",
      "keyword media-source-supported main,photo,manual",
      "keyword media-type-supported stationery,photographic-glossy",
      "integer media-top-margin-supported 0,300",
      "integer media-bottom-margin-supported 0,300",
      "integer media-left-margin-supported 0,300",
      "integer media-right-margin-supported 0,300",
      "keyword media-col-supported \(members)",
      "collection media-size-supported \(size(21_000, 29_700)),\(size(10_160, 15_240)),"
        + size(29_700, 42_000),
      "collection media-col-default \(a4)",
      "collection media-col-ready \(a4),\(photo)",
      "collection media-col-database \(a4),\(photo),\(a3)",
    ]

  static let till =
    common(creating: []) + [
      "textWithoutLanguage printer-make-and-model \"Example Receipt 80\"",
      "keyword printer-kind receipt,roll",
      "mimeMediaType document-format-supported "
        + "application/octet-stream,image/pwg-raster,image/urf",
      "mimeMediaType document-format-preferred image/urf",
      "keyword urf-supported V1.4,CP1,W8,RS203",
      "resolution pwg-raster-document-resolution-supported 203dpi",
      "keyword pwg-raster-document-type-supported sgray_8",
      "resolution printer-resolution-supported 203dpi",
      "boolean color-supported false",
      "keyword print-color-mode-supported monochrome",
      "enum print-quality-supported 4",
      "keyword sides-supported one-sided",
      "rangeOfInteger copies-supported 1-1",
      "keyword print-scaling-supported none",
      "keyword media-supported roll_max_80x2000mm,roll_min_80x25.4mm",
      "keyword media-ready roll_current_80x0mm",
      "keyword media-source-supported main-roll",
      "keyword media-type-supported continuous",
      "keyword media-col-supported \(members),media-tracking",
      "collection media-size-supported \(rollSize),\(dot)",
      "collection media-col-default \(roll)",
      "collection media-col-ready \(roll)",
    ]

  /// Replaces the other loaded media.
  static let onlyA4 = "collection media-col-ready \(a4)"

  /// Returns the attributes that are common to all printers, with those that Create-Job accepts.
  private static func common(creating more: [String]) -> [String] {
    let usual = [
      "copies", "media", "media-col", "page-ranges", "print-color-mode", "print-content-optimize",
      "print-quality", "print-scaling", "printer-resolution", "sides", "job-name",
      "ipp-attribute-fidelity",
    ]
    return [
      "mimeMediaType document-format-default application/octet-stream",
      "keyword job-creation-attributes-supported \((usual + more).joined(separator: ","))",
    ]
  }

  private static let members =
    "media-size,media-top-margin,media-bottom-margin,media-left-margin,media-right-margin,"
    + "media-source,media-type"
  private static let a4 = sheet(size(21_000, 29_700), 300, "main", "stationery")
  private static let a3 = sheet(size(29_700, 42_000), 300, "manual", "stationery")
  private static let photo = sheet(size(10_160, 15_240), 0, "photo", "photographic-glossy")
  private static let rollSize =
    "{ MEMBER integer x-dimension 8000 MEMBER rangeOfInteger y-dimension 2540-200000 }"
  private static let roll = sheet(
    rollSize, 400, "main-roll", "continuous MEMBER keyword media-tracking continuous")

  /// A size that no document has, listed together with a roll's.
  ///
  /// From libcups 2.4.3 on, ippeveprinter omits media-col unless some supported size differs from it in both
  /// dimensions (its comparison is inverted).
  static let dot = size(1, 1)

  /// Returns a size from hundredths of a millimeter.
  private static func size(_ width: Int, _ length: Int) -> String {
    "{ MEMBER integer x-dimension \(width) MEMBER integer y-dimension \(length) }"
  }

  private static func sheet(
    _ size: String, _ margin: Int, _ source: String, _ type: String
  ) -> String {
    let margins = ["top", "bottom", "left", "right"].map {
      "MEMBER integer media-\($0)-margin \(margin) "
    }.joined()
    return "{ MEMBER collection media-size \(size) \(margins)"
      + "MEMBER keyword media-source \(source) MEMBER keyword media-type \(type) }"
  }
}

extension Person {
  /// Prints a document and returns the only job that the printer received.
  func job(
    at printer: VirtualPrinter, _ document: [UInt8], _ options: String..., name: String = "page.pdf"
  ) async throws -> VirtualPrinter.Job {
    let file = try self.document(document, name)
    let printed = try await airprint(["print", "-d", printer.uri] + options + [file])
    let jobs = try printer.jobs()
    guard printed.code == 0, jobs.count == 1 else {
      throw Missing("one printed job; there are \(jobs.count): \(printed.report)")
    }
    return jobs[0]
  }
}

extension VirtualPrinter {
  /// Returns the sides of a received raster.
  func sheets(of job: Job) throws -> [Sheet] {
    try Sheet.read("\(jobsFolder)/\(job.id)/document")
  }
}

extension Person {
  /// Returns an ipptool file that cancels a job.
  func cancelTest(_ job: Int) throws -> String {
    try question("Cancel-Job", "ATTR integer job-id \(job)", named: "cancel-\(job)")
  }

  /// Returns a job's job-state and reasons, as the printer reports them.
  func state(ofJob job: Int, at printer: VirtualPrinter) async throws -> String {
    let test = try question(
      "Get-Job-Attributes", "ATTR integer job-id \(job)", named: "state-\(job)")
    let answer = try await bench.run(["ipptool", "-tv", printer.uri, test]).stdout
    return answer.split(separator: "\n").filter { $0.contains("job-state") }.joined(separator: "\n")
  }

  /// Returns an ipptool file for one operation, with these additional lines.
  func question(_ operation: String, _ line: String, named name: String) throws -> String {
    let file = path("\(name).test")
    try Array(
      """
      {
        OPERATION \(operation)
        GROUP operation-attributes-tag
        ATTR charset attributes-charset utf-8
        ATTR naturalLanguage attributes-natural-language en
        ATTR uri printer-uri $uri
        \(line)
        ATTR name requesting-user-name $user
        STATUS successful-ok
      }
      """.utf8
    ).write(to: file)
    return file
  }
}
