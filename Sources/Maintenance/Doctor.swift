package import AirprintContext
internal import Confinement
internal import Conversion
internal import Desktop
internal import DNSSD
internal import Documents
internal import FoundationEssentials
internal import Glibc
internal import IPP
internal import LateLibraries
package import Printers
package import PrintModel
internal import Rendering
internal import Submission
internal import System

/// One check of `doctor`.
package struct HealthCheck: Sendable, Encodable {
  package enum State: String, Sendable, Encodable {
    case ok
    /// Not installed, not running, or not answering.
    case missing
    /// Present, but faulty.
    case wrong
  }

  /// `discovery`, `libraries`, `fonts`, `sandbox`, `desktop`, `converters`, `files` or `printers`.
  package var area: String
  package var name: String
  package var state: State
  /// True if airprint prints without it.
  package var isOptional: Bool
  package var detail: String
  /// The command that fixes it.
  @Null package var fix: String? = nil
  /// True if it is missing, but something else replaces it.
  package var isSpare = false
  /// True if the printer requires a password, or presents another certificate.
  var isRefusal = false
  /// The supplies of a printer that answers.
  package var supplies: [PrinterStatus.Supply] = []
  /// What runs low there, in words.
  package var low: [String] = []

  init(
    _ area: String, _ name: String, _ state: State, isOptional: Bool = true, _ detail: String,
    fix: String? = nil
  ) {
    self.area = area
    self.name = name
    self.state = state
    self.isOptional = isOptional
    self.detail = detail
    self.fix = fix
  }

  /// The finding with its subject, without a full stop: a file's own words name it.
  package var sentence: String {
    (area == "files" ? detail : "\(name): \(detail.after(name))").withoutFullStop
  }

  private enum CodingKeys: String, CodingKey {
    case area, name, state, isOptional = "optional", detail, fix
  }

  /// Of a printer's check: how a job for it would end now.
  fileprivate var exitCode: ExitCode {
    switch state {
    case .ok: .success
    case .missing: .unavailable
    case .wrong: isRefusal ? .notAllowed : .notNow
    }
  }
}

/// A value of the configuration and its source.
package struct SettingReport: Sendable, Encodable {
  package var name: String
  package var value: String
  /// `types.receipt`, `printers.Till`; nil for all jobs.
  @Null package var scope: String? = nil
  /// A file, or the environment.
  package var source: String
  /// True if another value of the same scope takes precedence.
  package var isOverridden = false

  private enum CodingKeys: String, CodingKey {
    case name, value, scope, source, isOverridden = "overridden"
  }
}

/// Findings about this machine: `doctor --json`.
package struct HealthReport: Sendable, Encodable {
  package var checks: [HealthCheck] = []
  package var settings: [SettingReport] = []
  package var exitCode = ExitCode.success
}

/// Checks the printers only, for programs that watch them; with the settings files and the journal that can't be used.
///
/// A user who has never printed, such as that of a monitoring service, needs no journal.
package func examinePrinters(_ target: PrinterReference?, _ context: Context) async -> [HealthCheck]
{
  let hasJournal = FileManager.default.fileExists(atPath: context.journal.folder)
  let files = checkFiles(context).filter {
    $0.state == .wrong && ($0.name != journalName || hasJournal)
  }
  guard NetworkLibraries.missing == nil else { return files + checkLibraries() }
  return await files + checkPrinters(target, besides: files, context)
}

/// The check of the jobs' records, without which nothing is printed.
private let journalName = "job journal"

/// Checks everything that printing depends on.
///
/// - `target`: the printer that was named; nil: all saved ones.
/// - `needsAll`: true if one printer that would not print now decides the exit code, rather than one that would.
package func examine(
  _ target: PrinterReference?, needsAll: Bool = false, _ context: Context
) async -> HealthReport {
  var report = HealthReport()
  // Without the network libraries, no printer can be found or contacted; the missing ones are reported.
  let hasNetwork = NetworkLibraries.missing == nil
  let files = checkFiles(context)
  async let discovery = hasNetwork ? [checkDiscovery()] : []
  async let printers = hasNetwork ? checkPrinters(target, besides: files, context) : []
  report.checks += await discovery
  report.checks += await onThread {
    checkLibraries() + checkFonts(context) + checkConfinement(context) + [checkSandbox()]
      + checkHelpers(context)
  }
  report.checks += checkConverters(context)
  report.checks += files
  let answers = await printers
  report.checks += answers
  report.settings = settings(context)
  let wrong = files.filter { $0.state == .wrong }
  if !wrong.isEmpty {
    report.exitCode = wrong.allSatisfy { $0.name == journalName } ? .cannotWrite : .configuration
  } else if needsAll {
    report.exitCode = ExitCode.worst(of: answers.filter { !$0.isOptional }.map(\.exitCode))
  } else if !answers.contains(where: { $0.state == .ok }),
    report.checks.contains(where: { !$0.isOptional && $0.state != .ok })
  {
    // If a printer answers but would not print now, there is advice.
    let codes = answers.map(\.exitCode)
    report.exitCode = [.notNow, .notAllowed].first(where: codes.contains) ?? .unavailable
  }
  return report
}

// MARK: - Checks

/// Checks for something that a package installs: `promise` says what it does, `loss` what is missing without it.
private func check(
  _ area: String, _ name: String, _ isThere: Bool, isOptional: Bool = true, _ promise: String,
  else loss: String, package: String
) -> HealthCheck {
  isThere
    ? HealthCheck(area, name, .ok, isOptional: isOptional, promise)
    : HealthCheck(area, name, .missing, isOptional: isOptional, loss, fix: installCommand(package))
}

private func checkDiscovery() async -> HealthCheck {
  do throws(DNSSDError) {
    _ = try await browse(["_ipp._tcp"])
    return HealthCheck(
      "discovery", "Avahi", .ok, isOptional: false, "finds printers on the network")
  } catch {
    let isInstalled = ProgramPath.isProgram("/usr/sbin/avahi-daemon")
    let searchesAlone = (try? browseLink(["_ipp._tcp"])) != nil
    let problem =
      switch error.code {
      case .noBus: "D-Bus, which Avahi needs, can't be reached"
      case .silentDaemon: "avahi-daemon doesn't answer"
      default: "avahi-daemon isn't running (\(error.message))"
      }
    let fix =
      error.code == .silentDaemon
      ? "systemctl restart avahi-daemon" : "systemctl start dbus avahi-daemon"
    return HealthCheck(
      "discovery", "Avahi", .missing, isOptional: searchesAlone,
      searchesAlone
        ? "\(problem); airprint searches by itself and may miss printers that appear later"
        : "\(problem), and no network is up; name a printer by its URI",
      fix: isInstalled ? fix : installCommand("avahi-daemon dbus"))
  }
}

/// Checks fonts by their files' names, so that no font library has to be loaded.
private func checkFonts(_ context: Context) -> [HealthCheck] {
  let home = context.environment["HOME"] ?? "/"
  let folders = [
    "/usr/share/fonts", "/usr/local/share/fonts", "\(home)/.fonts", "\(home)/.local/share/fonts",
  ]
  let names = folders.flatMap { folder in
    (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
  }.map { $0.lowercased() }.filter { name in
    [".ttf", ".otf", ".ttc", ".pfb"].contains { name.hasSuffix($0) }
  }
  func kind(_ name: String, _ words: [String], _ package: String) -> HealthCheck {
    let isThere = names.contains { name in words.contains { name.contains($0) } }
    return check(
      "fonts", name, isThere, "installed", else: "it prints as boxes", package: package)
  }
  return [
    check(
      "fonts", "any", !names.isEmpty, isOptional: false, "\(names.count) font files",
      else: "text can't be printed", package: "fonts-dejavu-core"),
    kind(
      "Chinese, Japanese, Korean",
      ["cjk", "wqy", "ipaex", "takao", "nanum", "fallback", "unifont"],
      "fonts-noto-cjk"),
    kind("Arabic, Hebrew, Indic", ["arab", "amiri", "dejavu", "noto"], "fonts-noto-core"),
    kind("emoji", ["emoji", "symbola"], "fonts-noto-color-emoji"),
  ]
}

/// Checks the sandbox of the workers that draw, by one that enters it.
private func checkConfinement(_ context: Context) -> [HealthCheck] {
  let gaps = Worker.gaps(executable: context.executable)
  return WorkerSandbox.Gap.allCases.map { gap in
    guard gaps.contains(gap) else {
      return HealthCheck("sandbox", gap.rawValue, .ok, gap.promise)
    }
    let fix = gap == .calls ? SeccompFilter.missingLibrary.flatMap(LibraryPackage.command) : nil
    return HealthCheck("sandbox", gap.rawValue, .missing, gap.words, fix: fix)
  }
}

private func checkSandbox() -> HealthCheck {
  if ConverterSandbox.isUsable {
    return HealthCheck("sandbox", "bubblewrap", .ok, "converters see their document and no network")
  }
  let rest = "converters have an empty environment and limits, but see files and the network"
  return ProgramPath.find("bwrap") == nil
    ? HealthCheck("sandbox", "bubblewrap", .missing, rest, fix: installCommand("bubblewrap"))
    : HealthCheck(
      "sandbox", "bubblewrap", .wrong, "it is not allowed to make namespaces here: \(rest)",
      fix: "sysctl kernel.unprivileged_userns_clone=1 user.max_user_namespaces=10000")
}

private func checkConverters(_ context: Context) -> [HealthCheck] {
  guard let converters = try? context.settings.converters() else { return [] }
  let installed = Set(converters.all.filter(\.isInstalled).flatMap(\.types.keys))
  return converters.all.map { converter in
    let package = converter.package
    let from = package.map { $0 == converter.program ? "" : " (\($0))" } ?? ""
    let reads = converter.types.keys.sorted()
    let types = reads.count > 2 ? "\(reads[0]) and \(reads.count - 1) more" : reads.inWords()
    guard converter.isInstalled else {
      var check = HealthCheck(
        "converters", converter.name, .missing, "\(converter.program)\(from) for \(types)",
        fix: package.flatMap(installCommand))
      check.isSpare = installed.isSuperset(of: reads)
      return check
    }
    return HealthCheck(
      "converters", converter.name, .ok, "\(converter.program)\(from) reads \(types)")
  }
}

private func checkFiles(_ context: Context) -> [HealthCheck] {
  let directories = context.directories
  func check(
    _ name: String, _ words: String = "can be read", _ use: () throws(Failure) -> Void
  ) -> HealthCheck {
    do throws(Failure) {
      try use()
      return HealthCheck("files", name, .ok, isOptional: false, words)
    } catch {
      let words = error.reason == .cannotWrite ? error.event : error.message
      return HealthCheck("files", name, .wrong, isOptional: false, words)
    }
  }
  return [
    check("config.toml") { () throws(Failure) in _ = try Configuration(directories) },
    check("printers.toml") { () throws(Failure) in _ = try PrinterStore(directories) },
    check("quirks.toml") { () throws(Failure) in _ = try Quirks(directories) },
    check("converters") { () throws(Failure) in _ = try Converters(directories) },
    check(journalName, "can be written") { () throws(Failure) in try context.journal.tryOut() },
  ]
}

/// Contacts the printers; one that can't be asked because of a mistake in `files` is left to those.
private func checkPrinters(
  _ target: PrinterReference?, besides files: [HealthCheck], _ context: Context
) async -> [HealthCheck] {
  guard let store = try? context.settings.printers() else { return [] }
  let saved = store.printers.sorted { NaturalOrder($0.name) < NaturalOrder($1.name) }
  // If none is named, each receives at most its own stored password.
  let targets = target.map { [$0] } ?? saved.map { PrinterReference($0, isNamed: false) }
  guard !targets.isEmpty else {
    return [
      HealthCheck("printers", "saved", .missing, "no printers saved", fix: "airprint pick")
    ]
  }
  let checks = await ContactQueue.results(of: targets) { await check($0, context) }
  return checks.filter { check in !files.contains { $0.detail == check.detail } }
}

private func check(_ target: PrinterReference, _ context: Context) async -> HealthCheck {
  let (report, failure) = await showPrinter(
    target, context, timeout: PrinterConnection.browseTimeout)
  guard let failure else {
    let model = report.makeAndModel.map { ", \($0)" } ?? ""
    let low = report.status?.lowInWords ?? []
    var check = HealthCheck(
      "printers", target.name, .ok, isOptional: false,
      (["answers\(model)"] + low).joined(separator: "; "))
    (check.supplies, check.low) = (report.status?.supplies ?? [], low)
    if let trouble = report.trouble {
      (check.state, check.detail) = (.wrong, "can't print now (\(trouble))")
    }
    return check
  }
  let isRefusal = failure.code == .notAllowed
  let words = (failure.fix == nil ? failure.message : failure.event).after(target.name)
  var check = HealthCheck(
    "printers", target.name, isRefusal ? .wrong : .missing, isOptional: false,
    words.split { $0 == " " || $0 == "\n" }.joined(separator: " "),
    fix: failure.fix ?? (isRefusal || target.saved != nil ? nil : "airprint discover"))
  check.isRefusal = isRefusal
  return check
}

private func settings(_ context: Context) -> [SettingReport] {
  let store = try? context.settings.printers()
  let entries = (try? context.settings.configuration())?.entries ?? []
  let configured = entries.enumerated().map { index, entry in
    SettingReport(
      name: entry.name, value: entry.value, scope: entry.scope.map { scope(of: $0, store) },
      source: entry.source,
      isOverridden: entries[(index + 1)...].contains {
        $0.scope == entry.scope && $0.name == entry.name
      })
  }
  let directories = context.directories
  let ofPrinters = (store?.printers ?? []).flatMap { printer in
    let isOwn = store?.user.printers.contains { $0.name == printer.name } == true
    return settings(
      of: printer, from: "\(isOwn ? directories.configuration : directories.system)/printers.toml")
  }
  let pins = CertificatePins(directories).all.map { place, certificate in
    SettingReport(
      name: "certificate", value: certificate, scope: place,
      source: "\(directories.state)/certificates")
  }
  let variables = ["AIRPRINT_PRINTER", "LC_ALL", "LC_PAPER", "LANG"].compactMap { name in
    context.environment[name].flatMap { value in
      value.isEmpty ? nil : SettingReport(name: name, value: value, source: "environment")
    }
  }
  return configured + ofPrinters + pins + variables
}

private func settings(of printer: SavedPrinter, from source: String) -> [SettingReport] {
  var values = printer.settings.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  if let certificate = printer.certificate { values.append(("certificate", certificate.text)) }
  if let version = printer.lowestTLS { values.append(("tls", version.rawValue)) }
  return values.map { name, value in
    SettingReport(name: name, value: value, scope: "printers.\(printer.name)", source: source)
  }
}

/// Replaces the printer in `printers.office laser` of a file, which is case-insensitive, by its saved name.
private func scope(of text: String, _ store: PrinterStore?) -> String {
  let section = "printers."
  guard text.hasPrefix(section),
    let printer = store?.printer(named: String(text.dropFirst(section.count)))
  else { return text }
  return section + printer.name
}

/// The network libraries of the build, in the format of `--version`: `libcups/2.4.2 GnuTLS/3.7.9`.
///
/// What this machine has is `doctor`'s to report: asking the libraries means loading them.
package var libraryVersions: String {
  "libcups/\(builtCUPSVersion) GnuTLS/\(builtGnuTLSVersion)"
}

/// Checks the libraries that airprint uses, with their versions; this loads the graphics libraries.
func checkLibraries() -> [HealthCheck] {
  (inspectedNetworkLibraries() + GraphicsLibraries.inspected()).map(check) + [checkPopplerData()]
}

private func check(_ library: InspectedLibrary) -> HealthCheck {
  if let trouble = library.trouble {
    return HealthCheck(
      "libraries", library.name, .missing, isOptional: false, trouble,
      fix: library.culprit.flatMap(LibraryPackage.command))
  }
  let built = library.built.map { "built with \($0)" }
  let version = library.version.map { version in built.map { "\(version) (\($0))" } ?? version }
  return HealthCheck(
    "libraries", library.name, .ok, isOptional: false,
    [version ?? built, library.purpose].compactMap(\.self).joined(separator: ": "))
}

/// Checks for poppler-data, without which text in fonts that a PDF does not embed is left out, in Chinese, Japanese and
/// Korean.
private func checkPopplerData() -> HealthCheck {
  check(
    "libraries", "poppler-data", access("/usr/share/poppler/cMap", F_OK) == 0,
    "East Asian text in PDF", else: "some East Asian text in PDF is left out",
    package: "poppler-data")
}

/// Checks other programs that airprint uses on a desktop.
func checkHelpers(_ context: Context) -> [HealthCheck] {
  let desktop = DesktopNotice.command("", "", context.environment) != nil
  return [
    check(
      "desktop", "notify-send", ProgramPath.find("notify-send") != nil,
      desktop ? "shows how jobs ended (--notify)" : "not needed: there is no desktop connection",
      else: "there are no desktop notifications", package: "libnotify-bin"),
    check(
      "desktop", "ipp-usb",
      ["/usr/sbin/ipp-usb", "/sbin/ipp-usb"].contains { ProgramPath.isProgram($0) },
      "USB printers supported", else: "USB printers are not found", package: "ipp-usb"),
  ]
}

/// The package of a missing library, according to this machine's package manager.
enum LibraryPackage {
  /// Returns the command that installs the library with a soname; nil if unknown on this machine.
  static func command(for soname: String) -> String? {
    if let apt = ProgramPath.find("apt-cache") {
      let known = debianNames(of: soname).first { ProgramPath.succeeds([apt, "show", $0]) }
      return known.map { "apt install \($0)" }
    }
    // RPM packages provide their sonames under this name, which can be installed like a package.
    return ProgramPath.find("dnf") == nil ? nil : "dnf install '\(soname)()(64bit)'"
  }

  /// Returns the names that Debian may give to a shared library's package (Debian Policy 8.1): libtiff6 for
  /// `libtiff.so.6`, libpango-1.0-0 for `libpango-1.0.so.0`; but librsvg2-2 for `librsvg-2.so.2`.
  ///
  /// Since Debian 13, packages with the larger time_t end in t64.
  private static func debianNames(of soname: String) -> [String] {
    let words = soname.lowercased().split(separator: "_", omittingEmptySubsequences: false)
      .joined(separator: "-")
    guard let place = words.firstRange(of: ".so.") else { return [words] }
    let (name, version) = (words[..<place.lowerBound], words[place.upperBound...])
    let dash = name.last.map(\.isNumber) == true ? "-" : ""
    let joined = name.split(separator: "-", omittingEmptySubsequences: false).joined()
    return ["\(name)\(dash)\(version)", "\(joined)\(dash)\(version)"].flatMap { [$0, "\($0)t64"] }
  }
}
