internal import AirprintContext
internal import Glibc
package import PrintModel
internal import PrintOptions
internal import Printers
internal import Settings
internal import Submission

extension PrintArguments {
  /// The type that chooses the printer: the one that was named, or the one that all files state
  /// (`*.receipt`, `#receipt`, `--from receipt`).
  ///
  /// A type that is only guessed never chooses one.
  package var choosingType: JobType? {
    if let type { return type }
    if let from = typed.last(where: { $0.option == .from })?.value {
      return ["receipt", DocumentFormat.receipt].contains(from.lowercased()) ? .receipt : nil
    }
    return !files.isEmpty && files.allSatisfy(PrintArguments.isReceipt) ? .receipt : nil
  }

  /// By its name or its first line.
  ///
  /// Standard input is read when it is printed, a pipe by nobody before.
  private static func isReceipt(_ path: String) -> Bool {
    guard path != "-" else { return false }
    if path.lowercased().hasSuffix(".receipt") { return true }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let type = try? InputFile.sniff(descriptor)
    else { return false }
    return type == DocumentFormat.receipt
  }
}

extension JobRecord {
  /// `PrintArguments.choosingType` of a job that was written down: only a file that states it is a receipt.
  package var choosingType: JobType? {
    request.type.flatMap(JobType.init(rawValue:))
      ?? (type == JobType.receipt.rawValue ? .receipt : nil)
  }
}

extension PrintRun {
  /// Says once that another printer is saved for what the document looks like: a guess never chooses one.
  func hintAtType(_ document: OpenDocument, at session: PrinterConnection, _ file: String)
    throws(Failure)
  {
    guard !isHinted, wish.type == nil, wish.printers.isEmpty else { return }
    let type = document.info.guessedType
    guard let saved = try context.settings.printers().printer(for: type),
      saved.uri != session.target.uri, saved.name != session.target.name
    else { return }
    isHinted = true
    report(
      .event(
        file: file, .note("\(saved.name) is saved for \(type.rawValue)s: --type \(type.rawValue)")))
  }
}
