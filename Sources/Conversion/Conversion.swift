// Conversion: turns a document into another document with a converter. Each run is a process of its own in a sandbox,
// with limits on time and memory; nothing of it is left when it ends.

internal import Confinement
internal import Glibc
internal import Logging
package import PrintModel
package import System

/// The command line, for `--verbose`.
private let log = Logger(label: "convert")

/// A converter's output.
package final class ConvertedDocument {
  /// A regular file without a name; closed when this object is released.
  package let descriptor: Int32
  package internal(set) var mediaType: String
  /// What the converter reports as missing.
  package var losses: [Loss] = []
  /// How much smaller its pages are than the document says; 1 if the converter reports no scale.
  package internal(set) var scale = 1.0

  init(_ descriptor: Int32, _ mediaType: String) {
    self.descriptor = descriptor
    self.mediaType = mediaType
  }

  deinit { close(descriptor) }
}

/// One run of one converter.
package struct Conversion {
  package var converter: Converter
  /// The input file's extension, without a dot: some programs recognize types by it.
  package var suffix: String
  /// The document's folder; nil for one that came through a pipe.
  package var base: String?
  /// Set when the converter names the paper.
  package var box: PageBox?
  /// What the converter gets in place of the document's bytes.
  package var text: String?
  /// Parent of the working folder.
  package var temporary: String
  /// Processor time in seconds: `page-time`.
  ///
  /// airprint(1) documents the default under LIMITS.
  package var processorTime = 30
  /// A variable, so that tests can run converters as on a machine without bubblewrap.
  package var isSandboxed = ConverterSandbox.isUsable

  package init(
    _ converter: Converter, suffix: String, base: String?, box: PageBox?, temporary: String
  ) {
    self.converter = converter
    self.suffix = suffix
    self.base = base
    self.box = box
    self.temporary = temporary
  }

  /// Converts the regular file behind `document`.
  ///
  /// Throws exit 65, with the converter's last line, when it fails, exceeds a limit, or is not installed; 130 or 143
  /// when the user stopped it.
  package func run(
    on document: Int32, cancellation: Cancellation
  ) throws(Failure) -> ConvertedDocument {
    guard ProgramPath.find(converter.program) != nil,
      let program = ProgramPath.find(converter.command[0])
    else { throw converter.isMissing }
    let work = try WorkFolder(in: temporary)
    let own = try work.folder(Conversion.ownFolder)
    let input = suffix == outputSuffix ? "input.\(suffix)" : "document.\(suffix)"
    let place = "\(Conversion.ownFolder)/\(input)"
    if let text { try work.write(text, to: place) } else { try work.copy(document, to: place) }
    let folder = isSandboxed ? ConverterSandbox.workInside : own
    let values = placeholders(input: "\(folder)/\(input)", folder)
    for (name, text) in converter.files {
      try work.write(text.filled(with: values), to: "\(Conversion.ownFolder)/\(name)")
    }
    let messages = try work.file("messages")
    defer { close(messages) }
    let filter = try work.file("filter")
    defer { close(filter) }
    let made = ConvertedDocument(try work.file("output"), converter.output)
    let words = converter.command.dropFirst().map { $0.filled(with: values) }
    var start = ProgramStart([])
    start.descriptors = [
      0: .null, 1: .copy(of: messages), 2: .copy(of: messages), 3: .copy(of: made.descriptor),
    ]
    if isSandboxed, SeccompFilter.write(to: filter) { start.descriptors[4] = .copy(of: filter) }
    var run = try supervise(start, [program] + words, in: work)
    run.family.files = [messages, made.descriptor]
    let ending = try run.run(cancellation)
    let lines = ProgramMessages(
      messages, hiding: [folder + "/", baseInside.map { $0 + "/" } ?? ""])
    for line in lines.all { log.debug("\(converter.name): \(line)") }
    try check(made, ending, lines, in: work)
    return made
  }

  /// Folder in the run's folder where the converter starts, and finds its files.
  private static let ownFolder = "work"

  private var outputSuffix: String { Converter.suffix(of: converter.output) }

  /// The document's folder at the path where the converter sees it; nil when it may not read it.
  private var baseInside: String? {
    guard converter.readsFolder, let base else { return nil }
    return isSandboxed ? ConverterSandbox.baseInside : base
  }

  private func placeholders(input: String, _ folder: String) -> [String: String] {
    var values = [
      "input": input, "output": "\(folder)/document.\(outputSuffix)", "folder": folder,
      "base": baseInside ?? folder, "page-time": "\(processorTime)",
    ]
    guard let box else { return values }
    let content = box.content
    // The longest page that PDF allows (ISO 32000-1, Annex C).
    let height = min(box.size.height, 14_400)
    let lengths = [
      "width": box.size.width, "height": height, "margin-top": content.y,
      "margin-left": content.x, "margin-right": box.size.width - content.x - content.width,
      "margin-bottom": box.size.height - content.y - content.height,
      "content-height": content.height,
    ]
    for (name, length) in lengths { values[name] = Conversion.points(length) }
    values["kind"] = box.isRoll ? "roll" : "sheet"
    return values
  }

  /// A length with at most two decimals, and never an exponent.
  package static func points(_ length: Double) -> String {
    let hundredths = Int((length * 100).rounded())
    let fraction = abs(hundredths % 100)
    let whole = "\(hundredths / 100)"
    return fraction == 0 ? whole : "\(whole).\(fraction < 10 ? "0" : "")\(fraction)"
  }

  /// Adds the command, its environment and its limits to a start with the descriptors.
  private func supervise(
    _ start: ProgramStart, _ command: [String], in work: WorkFolder
  ) throws(Failure) -> SupervisedProgram {
    var start = start
    let own = "\(work.path)/\(Conversion.ownFolder)"
    var environment = [
      "PATH": ProgramPath.variable, "LANG": "C.UTF-8",
      // Nothing listens there: network access is refused at once, even without a sandbox.
      "http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9",
      "all_proxy": "http://127.0.0.1:9",
    ]
    var family = ProcessFamily()
    if isSandboxed {
      var sandbox = ConverterSandbox(
        inputs: own, base: converter.readsFolder ? base : nil, reads: converter.reads,
        memory: converter.memoryLimit, filter: start.descriptors.keys.first { $0 > 3 })
      // A user's own converter is somewhere in their home.
      let programs = [command[0], ProgramPath.find(converter.program) ?? command[0]]
      sandbox.reads += Set(programs).filter { !$0.hasPrefix("/usr/") && !$0.hasPrefix("/bin/") }
      start.arguments = (sandbox.arguments ?? []) + limited(command)
      environment["HOME"] = "/tmp"
      environment["TMPDIR"] = "/tmp"
      family.folders = ConverterSandbox.writable
    } else {
      let tied = ["setpriv", "--pdeathsig", "KILL", "--no-new-privs"]
      start.arguments = ["/usr/bin/env", "--chdir", own] + tied + limited(tied + command)
      environment["HOME"] = try work.folder("home")
      environment["TMPDIR"] = try work.folder("tmp")
      environment[Conversion.mark] = work.path
      family.mark = "\(Conversion.mark)=\(work.path)"
    }
    start.program = start.arguments[0]
    start.environment = environment
    return SupervisedProgram(
      start: start, name: converter.program, timeLimit: .seconds(converter.timeLimit),
      processorLimit: .seconds(processorTime), memoryLimit: converter.memoryLimit, family: family)
  }

  /// Returns a command that runs the converter within limits, and writes its document to descriptor 3.
  ///
  /// The converter itself does not have this descriptor: what it writes is in memory that is counted.
  private func limited(_ command: [String]) -> [String] {
    var files = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
    // A core dump would contain the document. A file may be as large as the memory limit. The usual number of open files
    // also limits those in messages, which no process has open.
    let limits = [
      "/usr/bin/prlimit", "--core=0", "--fsize=\(converter.memoryLimit)",
      "--nofile=\(min(1024, files.rlim_max))",
      "--cpu=\(converter.timeLimit * 4)", "--",
    ]
    let script = """
      output=$1
      shift
      "$@" 3>&- || exit
      if [ -f "$output" ] && [ ! -L "$output" ]; then exec cat "$output" >&3; fi
      """
    return limits + ["/bin/sh", "-c", script, "sh", "document.\(outputSuffix)"] + command
  }

  /// How many losses are told one by one; a document may refer to any number of files.
  private static let mostLosses = 100

  /// Variable that marks every process of a run by its environment where no PID namespace contains them.
  private static let mark = "AIRPRINT_RUN"

  private func check(
    _ made: ConvertedDocument, _ ending: ExitStatus, _ lines: ProgramMessages, in work: WorkFolder
  ) throws(Failure) {
    guard ending == .exit(0), lseek(made.descriptor, 0, SEEK_END) > 0 else {
      try work.refuseFull()
      throw Failure.of(converter.program, ending, lines.all.last)
    }
    lseek(made.descriptor, 0, SEEK_SET)
    let losses =
      lines.stated.filter { $0.word != "scale" }.map {
        Loss(Loss.Reason(rawValue: $0.word) ?? .converter, Conversion.sentence($0.text))
      } + lines.matching(converter.notLoaded).map { Loss(.converter, Conversion.sentence($0)) }
    made.losses = Array(losses.prefix(Conversion.mostLosses))
    if losses.count > made.losses.count {
      let others = losses.count - made.losses.count
      made.losses.append(Loss(.converter, "\(others) more parts of the document are missing"))
    }
    let scales = lines.stated.compactMap { $0.word == "scale" ? Double($0.text) : nil }
    made.scale = scales.last { $0 > 0 && $0 < 1 } ?? 1
    guard isWhatItShouldBe(made.descriptor) else {
      throw .document("\(converter.program) wrote something that is not \(converter.output).")
    }
  }

  /// Cleans up a converter's line about a resource that could not be loaded.
  private static func sentence(_ line: String) -> String {
    var text = line[...]
    for level in ["ERROR: ", "WARNING: "] where text.hasPrefix(level) {
      text = text.dropFirst(level.count)
    }
    text = withoutPython(text)
    if text.contains("http://") || text.contains("https://") {
      return "\(text) (converters have no network)"
    }
    // Paths in the document's folder are without it here.
    return text.contains("file:///")
      ? "\(text) (converters see only the document's folder)" : String(text)
  }

  /// `… 'a.png': No such file or directory`, without the name of Python's error, its number and the path again.
  private static func withoutPython(_ line: Substring) -> Substring {
    guard let error = line.firstRange(of: "URLError: <urlopen error [Errno "),
      let reason = line[error.upperBound...].firstRange(of: "] ")
    else { return line }
    let words = line[reason.upperBound...]
    let end = words.firstRange(of: ": '")?.lowerBound ?? words.lastIndex(of: ">") ?? words.endIndex
    return line[..<error.lowerBound] + words[..<end]
  }

  private func isWhatItShouldBe(_ output: Int32) -> Bool {
    let head = piece(of: output, most: DocumentFormat.headLength) ?? []
    let guess = DocumentFormat.guess(head[...])
    // A type recognized with certainty must match; HTML from a template may begin with any tag.
    return guess.type == converter.output
      || !guess.isCertain && !DocumentFormat.builtIn.contains(converter.output)
  }
}

extension Converter {
  /// True when both its program and the program that runs it are on this machine.
  package var isInstalled: Bool {
    ProgramPath.find(program) != nil && ProgramPath.find(command[0]) != nil
  }

  /// The error for a converter that is not installed, with how to install it, or that is not executable; exit 78 if
  /// its file names a path.
  package var isMissing: Failure {
    let missing = [program, command[0]].filter { ProgramPath.find($0) == nil }
    if let file = missing.lazy.compactMap({ ProgramPath.unexecutable($0) }).first {
      return Failure(.configuration, "\(file) is not executable.", at: FilePlace(source))
    }
    if let path = missing.first(where: { $0.contains("/") }) {
      return Failure(.configuration, "program \(path) not found.", at: FilePlace(source))
    }
    let how = package.map(installing) ?? "\(source) names it"
    return Failure.document("\(program) is not installed: \(how).")
  }
}

extension Failure {
  /// The error for a program's exit status, with the last line of its output.
  static func of(_ program: String, _ ending: ExitStatus, _ last: String?) -> Failure {
    let said = last.map { ": \($0)" } ?? ""
    let stop = said.hasSuffix(".") ? "" : "."
    switch ending {
    case .exit(0): return .document("\(program) wrote no document\(said)\(stop)")
    case .exit(let code) where last == nil:
      return .document("\(program) failed with exit code \(code).")
    case .exit: return .document("\(program) failed\(said)\(stop)")
    case .signal(let number):
      return .document("\(program) was killed by signal \(number)\(said)\(stop)")
    }
  }
}
