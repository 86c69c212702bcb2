internal import AirprintContext
internal import ArgumentParser
internal import ForeignText
internal import Maintenance
internal import PrintModel
internal import PrintOptions
internal import Terminal

/// `airprint config`.
struct ConfigCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Show, change and check your settings.",
    usage: "airprint config <command>",
    discussion: """
        airprint config edit
        airprint config set types.receipt.paper 80mm
        airprint config get

      Without a subcommand, it shows what is set, like airprint config get.
      """,
    subcommands: [
      ConfigPath.self, ConfigEdit.self, ConfigGet.self, ConfigSet.self, ConfigUnset.self,
      ConfigCheck.self,
    ], defaultSubcommand: ConfigGet.self)
}

/// `--system` of the commands of `config`.
struct ConfigPlace: ParsableArguments {
  @Flag(help: "Use the settings of all users, in /etc/airprint.")
  var system = false

  func file(_ context: Context) throws(Failure) -> ConfigurationFile {
    try ConfigurationFile(context.directories, system: system)
  }
}

/// `airprint config path`.
struct ConfigPath: AirprintCommand {
  static let configuration = CommandConfiguration(
    "config path", "Show where your settings are.", examples: ["airprint config path"])

  @OptionGroup var place: ConfigPlace
  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    let folder = place.system ? context.directories.system : context.directories.configuration
    if output.isJSON { return try output.json(["path": "\(folder)/config.toml"]) }
    try output.line("\(folder)/config.toml")
  }
}

/// `airprint config edit`.
struct ConfigEdit: AirprintCommand {
  static let configuration = CommandConfiguration(
    "config edit",
    "Change settings in your editor; they are checked before they replace the old ones.",
    examples: ["airprint config edit"],
    notes: """
      The editor is VISUAL, else EDITOR, else the system's.
      """)

  @OptionGroup var place: ConfigPlace
  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    if place.system { try context.directories.refuseUnwritableSystem("config.toml") }
    let file = try place.file(context)
    let isChanged = try await editSettings(file, context) { failure in
      output.complain("airprint: \(failure.message)")
      guard context.isInteractive else { return false }
      do {
        return try await confirm("Edit it again?", default: true)
      } catch TerminalError.noTerminal {
        return false
      }
    }
    output.message(isChanged ? "Saved \(file.path)." : "Nothing was changed.")
  }
}

/// `airprint config get`.
struct ConfigGet: AirprintCommand {
  static let configuration = CommandConfiguration(
    "config get", "Show a setting, or all.",
    examples: ["airprint config get", "airprint config get types.receipt.paper"],
    notes: """
      Your settings override the system's. The exit status is 1 if the key is not set.
      """)

  @Argument(help: "The setting, such as types.receipt.paper.", completion: .from(.keysThatAreSet))
  var key: String?

  @Flag(help: "Show the file of each setting as well.")
  var showOrigin = false

  @OptionGroup var place: ConfigPlace
  @OptionGroup var global: GlobalOptions

  /// Throws exit 64 for an unknown key; stamps, renderers and printers have names of their own.
  private func refuseUnknown(_ key: String) throws(Failure) {
    let named = ["stamps.", "renderers.", "printers."]
    guard !named.contains(where: key.hasPrefix), !keysOfSettings(completing: key).contains(key)
    else { return }
    if PrintOption(rawValue: key).map(PrintOption.settings.contains) == true {
      throw .usage(
        "\(key) is set for a type or a printer. Try: airprint config get "
          + (place.system ? "--system " : "") + "types.document.\(key)")
    }
    let hint = Configuration.plainKeys.suggestion(for: key)
    throw .usage(
      "unknown key \"\(key)\"\(hint.isEmpty ? "; the manual lists all: man airprint" : hint).")
  }

  func run(_ context: Context, _ output: CommandOutput) async throws {
    var settings: [String: Origin] = [:]
    for isSystem in place.system ? [true] : [true, false] {
      let file = try ConfigurationFile(context.directories, system: isSystem)
      try file.check(file.text)
      for (key, value) in try file.settings() {
        settings[key] = Origin(value: value, file: file.path)
      }
    }
    if let key {
      let plain = key.filter { $0 != "\"" }
      guard let setting = settings[plain] else {
        try refuseUnknown(plain)
        guard output.isJSON else { throw SilentExit(exitCode: .nothing) }
        throw Failure(.nothing, "\(key) is not set.")
      }
      if !output.isJSON { return try output.line("\(start(setting))\(setting.value)") }
      settings = [plain: setting]
    }
    if output.isJSON {
      return try showOrigin ? output.json(settings) : output.json(settings.mapValues(\.value))
    }
    for (key, setting) in settings.sorted(by: { $0.key < $1.key }) {
      try output.line("\(start(setting))\(key) = \(setting.value)")
    }
    if settings.isEmpty {
      let edit = "airprint config edit\(place.system ? " --system" : "")"
      output.message("No settings yet. Create some with: \(edit)")
    }
  }

  /// A value, and the file that it is from.
  private struct Origin: Encodable {
    var value: String
    var file: String
  }

  private func start(_ setting: Origin) -> String { showOrigin ? "\(setting.file): " : "" }
}

/// `airprint config set`.
struct ConfigSet: AirprintCommand {
  static let configuration = CommandConfiguration(
    "config set", "Change one setting.",
    examples: [
      "airprint config set sides long", "airprint config set types.photo.quality high",
      "airprint config set 'printers.Office Laser.color' gray",
    ],
    notes: """
      The rest of the file stays as it is, comments too.
      """)

  @Argument(help: "The setting.", completion: .from(.settingKeys))
  var key: String

  @Argument(help: "Its value; a list is written [\"a\", \"b\"].", completion: .from(.settingValues))
  var value: String

  @OptionGroup var place: ConfigPlace
  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    try output.change(try place.file(context), key, value) { (file) throws(Failure) in
      let text = try file.setting(key, to: value)
      let before = Set(try file.printerNames(in: file.text))
      for name in try file.printerNames(in: text) where !before.contains(name) {
        let known = try context.settings.printers()
        guard known.printer(named: name) == nil else { continue }
        let names = known.printers.map(\.name)
        throw Failure(
          .unknownPrinter,
          "No printer is saved as \"\(name)\"\(names.suggestion(for: name)): run airprint pick first.",
          about: name)
      }
      return text
    }
    if let advice = try context.settings.printers().advice(on: key, value) {
      output.warning(advice)
    }
  }
}

/// `airprint config unset`.
struct ConfigUnset: AirprintCommand {
  static let configuration = CommandConfiguration(
    "config unset", "Remove one setting.",
    examples: ["airprint config unset types.photo.quality"])

  @Argument(help: "The setting.", completion: .from(.keysThatAreSet))
  var key: String

  @OptionGroup var place: ConfigPlace
  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    let advice = try context.settings.printers().advice(on: key, "")
    try output.change(try place.file(context), key, nil) { (file) throws(Failure) in
      let text = try file.setting(key, to: nil)
      guard text != file.text else {
        throw Failure(.nothing, "\(key) is not set.", hints: [advice].compactMap { $0 })
      }
      return text
    }
    if let advice { output.warning(advice) }
  }
}

extension PrinterStore {
  /// Returns how to change a setting to this value if it is kept with a printer, which counts before the file; else nil.
  fileprivate func advice(on key: String, _ value: String) -> String? {
    for printer in printers {
      for (option, kept) in printer.settings
      where key.filter({ $0 != "\"" }) == "printers.\(printer.name).\(option)" {
        let name = ShellWord.quoted(printer.name.safeName)
        return
          "\(printer.name.safeName) was picked with \(option)=\(kept), which counts first. To change that, run: "
          + "airprint pick \(name) --as \(name) --set \(option)=\(ShellWord.quoted(value))"
      }
    }
    return nil
  }
}

extension CommandOutput {
  /// Changes a settings file, and writes in JSON what is set now; nil: nothing.
  fileprivate func change(
    _ file: ConfigurationFile, _ key: String, _ value: String?,
    _ change: (ConfigurationFile) throws(Failure) -> String
  ) throws {
    let isChanged = try file.replace(with: change)
    guard isJSON else { return }
    try json(JSONObject(["key": key, "value": value, "file": file.path, "changed": isChanged]))
  }
}

/// `airprint config check`.
struct ConfigCheck: AirprintCommand {
  static let configuration = CommandConfiguration(
    "config check", "Check all settings, printers and converters; exit 78 for a mistake.",
    examples: ["airprint config check"])

  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    var mistakes = Configuration.mistakes(context.directories)
    let settings = context.settings
    var printers: PrinterStore?
    do throws(Failure) { printers = try settings.printers() } catch { mistakes.append(error) }
    do throws(Failure) { _ = try settings.quirks() } catch { mistakes.append(error) }
    do throws(Failure) { _ = try settings.converters() } catch { mistakes.append(error) }
    mistakes += missingFiles(context)
    var warnings: [String] = []
    for isSystem in [true, false] {
      guard let printers, let file = try? ConfigurationFile(context.directories, system: isSystem),
        let names = try? file.printerNames(in: file.text)
      else { continue }
      for name in names where printers.printer(named: name) == nil {
        warnings.append("\(file.path): no printer is saved as \"\(name)\".")
      }
    }
    if output.isJSON { try output.json(["errors": mistakes.map(\.message), "warnings": warnings]) }
    for mistake in mistakes { output.complain("airprint: \(mistake.message)") }
    guard mistakes.isEmpty else { throw SilentExit(exitCode: .configuration) }
    if output.isJSON { return }
    warnings.forEach(output.warning)
    output.message(
      warnings.isEmpty ? "The settings are fine." : "\(warnings.count.counted("warning")).")
  }
}
