package import AirprintContext
package import PrintModel
package import PrintOptions
package import Printers
package import Submission
package import System

/// All arguments of a `print` command line.
package struct PrintArguments: Sendable {
  package var files: [String]
  package var type: JobType?
  /// The options that were typed, in order.
  package var typed: [(option: PrintOption, value: String)] = []
  package var title: String?
  /// Password of protected documents.
  package var password: String?
  /// The time when the job was requested, in seconds since 1970; nil: now.
  ///
  /// A time of day refers to its next occurrence after that.
  package var asked: Int?
  /// `--pin-file`: the PIN that is typed at the printer before it prints.
  package var pin: String?
  /// True if the job was requested with a PIN, without which it is not printed.
  package var needsPIN = false
  package var handling = JobHandling()
  package var isDryRun = false
  /// True if the printer is asked whether it would accept what is planned.
  package var asks = false
  package var stopsOnError = false
  /// `-d` as typed, each printer of the list.
  package var printers: [String] = []
  /// True if neither a printer nor a type was named: a document of a certain type is for the printer saved for it.
  package var choosesPrinter = false
  /// What the user was told while its printers were looked for.
  package var notes: [String] = []
  /// Names of files that are replaced by their copies in the journal.
  package var names: [String: String] = [:]

  package init(files: [String]) {
    self.files = files
  }

  /// Makes the request for one document on one printer: settings, overridden by typed options.
  ///
  /// The order is (airprint(1), SETTINGS): configuration of the system, of the user, the printer's own settings,
  /// options. Exit 64 for an invalid option value.
  package func request(
    type: JobType, on printer: PrinterReference?, _ configuration: Configuration
  ) throws(Failure) -> PrintRequest {
    var request = PrintRequest()
    request.type = self.type
    for setting in configuration.settings(for: type, printer: printer?.role?.name) {
      try setting.option.apply(setting.value, to: &request, from: "config.toml")
    }
    for (name, value) in (printer?.role?.settings ?? [:]).sorted(by: { $0.key < $1.key }) {
      guard let option = PrintOption(rawValue: name) else { continue }
      try option.apply(value, to: &request, from: "printers.toml")
    }
    for (option, value) in typed { try option.apply(value, to: &request) }
    for index in request.stamps.indices {
      request.stamps[index] = configuration.stamp(request.stamps[index])
    }
    request.force = handling.force
    request.strict = handling.strict
    if let end = request.holdEnd(after: asked ?? Int(WallClock.seconds)) {
      if end > Int(WallClock.seconds) {
        request.holdEnd = end
      } else {
        // The job waited here until that time.
        request.options.removeAll { $0.name == "job-hold-until" }
      }
    }
    return request
  }

  /// Opens a document with the options for a printer, which are needed before its type is known.
  ///
  /// Exit 64 for an invalid option value, or a renderer that does not exist; 66 or 65 if the file can't be read or
  /// printed.
  package func open(
    _ file: String, for printer: PrinterReference?, _ context: Context, _ cancellation: Cancellation
  ) throws(Failure) -> OpenDocument {
    try OpenDocument(
      file, context, handling: try documentHandling(on: printer, context),
      cancellation: cancellation)
  }

  func documentHandling(
    on printer: PrinterReference?, _ context: Context
  ) throws(Failure) -> DocumentHandling {
    let configuration = try context.settings.configuration()
    let request = try request(type: type ?? .document, on: printer, configuration)
    var handling = DocumentHandling(request)
    if let renderer = request.renderer {
      handling.renderer = try PageRenderer(renderer, configuration, context)
    }
    (handling.password, handling.title, handling.names) = (password, title, names)
    return handling
  }

  /// Returns these arguments, overridden by those of `other` for the same document.
  package func under(_ other: PrintArguments) -> PrintArguments {
    var arguments = self
    arguments.type = other.type ?? type
    arguments.typed += other.typed
    arguments.password = other.password ?? password
    arguments.handling.force = handling.force || other.handling.force
    arguments.handling.strict = handling.strict || other.handling.strict
    return arguments
  }

  /// Parses every typed option once, so that an invalid one is refused before any file or printer is used.
  ///
  /// Exit 64.
  package func validate() throws(Failure) {
    var scratch = PrintRequest()
    for (option, value) in typed { try option.apply(value, to: &scratch) }
  }
}

// MARK: - In the journal

extension JobRequest {
  /// Makes a request of the typed options for the journal.
  init(
    _ arguments: PrintArguments, for document: InputFile, at printers: [String] = [],
    _ context: Context
  ) {
    self.init()
    self.printers = printers
    for name in ["LC_ALL", "LC_PAPER", "LANG"] { locale[name] = context.environment[name] }
    type = arguments.type?.rawValue
    // The job may be printed from another folder, and an HTML page finds its pictures in their original place: its
    // folder may have any size.
    options = arguments.typed.map { option, value in
      let isPath = option == .assets || option == .renderer && value.contains("/")
      let place = isPath ? absolutePath(value) : nil
      return PrintRequest.JobOption(name: option.rawValue, value: place ?? value)
    }
    let assets = PrintOption.assets.rawValue
    // Pictures that a receipt names are copied along with it.
    if document.chain == nil { options.removeAll { $0.name == assets } }
    if document.chain != nil, let folder = document.folder,
      !options.contains(where: { $0.name == assets })
    {
      options.append(PrintRequest.JobOption(name: assets, value: folder))
    }
    title = arguments.title
    handling = arguments.handling
    hasPIN = arguments.pin != nil
  }
}

extension PrintArguments {
  /// Makes the print arguments of a job in the journal, with the copies in place of its files.
  ///
  /// Exit 70 for a request that this version can't read.
  package init(_ entry: JournalEntry) throws(Failure) {
    let request = entry.record.request
    guard let document = entry.document else {
      throw .unreadable("The journal has no copy of the document of the job \(entry.record.id).")
    }
    self.init(files: [document])
    names[document] = entry.record.file
    printers = request.printers
    password = entry.secret
    asked = Int(entry.record.created)
    if let word = request.type { type = JobType(rawValue: word) }
    for option in request.options {
      guard let known = PrintOption(rawValue: option.name) else {
        throw .fault(
          "Job \(entry.record.id) was requested with the option \(option.name), which "
            + "this version of airprint does not know.")
      }
      typed.append((known, entry.withCopies(option.value, of: known)))
    }
    title = request.title ?? entry.record.name
    handling = request.handling
    needsPIN = request.hasPIN
  }
}

extension PrintRequest {
  /// Removes page decorations that only settings request: a file that is sent unchanged has no pages that airprint
  /// draws.
  mutating func leaveSettingsOut() {
    func isFromSettings(_ option: PrintOption) -> Bool { fromSettings[option.rawValue] != nil }
    if isFromSettings(.margins) { margins = nil }
    if isFromSettings(.header) { header = nil }
    if isFromSettings(.footer) { footer = nil }
    if isFromSettings(.pageBorder) { pageBorder = .none }
    let isLeftOut = { [fromSettings] (stamp: Stamp) in fromSettings[stamp.optionName] != nil }
    stamps.removeAll(where: isLeftOut)
  }

  /// The end of a job-hold-until that is a time of day, in seconds since 1970: the next after `time`.
  fileprivate func holdEnd(after time: Int) -> Int? {
    guard
      let clock = options.last(where: { $0.name == "job-hold-until" }).flatMap({
        ClockTime($0.value)
      })
    else { return nil }
    return WallClock.next(
      hour: clock.hour, minute: clock.minute, second: clock.second, after: time)
  }

  /// Makes a request of `--hold` and `--priority` for a job that a printer has.
  package init(ofHold hold: String?, priority: Int?) {
    self.init()
    if let hold { options.append(JobOption(name: "job-hold-until", value: hold)) }
    if let priority { options.append(JobOption(name: "job-priority", value: "\(priority)")) }
    holdEnd = holdEnd(after: Int(WallClock.seconds))
  }
}
