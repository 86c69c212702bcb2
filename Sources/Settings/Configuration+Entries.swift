internal import PrintModel
internal import PrintOptions

extension Configuration {
  /// One value as written in a file.
  package struct Entry: Sendable, Equatable {
    package var name: String
    package var value: String
    /// `types.receipt`, `printers.till`; nil: for all jobs.
    package var scope: String?
    package var source: String
  }

  /// Every value of both files, lowest priority first: the list that `doctor` prints.
  package var entries: [Entry] {
    layers.flatMap { layer in
      let whole: [(String, String?)] = [
        ("timeout", layer.timeout.map { "\($0)" }),
        ("on-timeout", layer.leavesOnTimeout.map { $0 ? "leave" : "cancel" }),
        ("later-when-offline", layer.laterWhenOffline.map { "\($0)" }),
        ("on-available", layer.onAvailable), ("notify", layer.notify.map { "\($0)" }),
        ("page-time", layer.pageTime.map { "\($0)" }),
        ("domains", layer.domains?.joined(separator: ", ")),
        ("page-memory", layer.pageMemory.map { "\($0)" }),
      ]
      var entries = whole.compactMap { name, value in
        value.map { Entry(name: name, value: $0, scope: nil, source: layer.source) }
      }
      func add(_ settings: [Setting], _ scope: String?) {
        for setting in settings {
          entries.append(
            Entry(
              name: setting.option.rawValue, value: setting.value, scope: scope,
              source: setting.source))
        }
      }
      add(layer.options, nil)
      for type in layer.byType.keys.sorted() {
        add(layer.byType[type] ?? [], "types.\(type.rawValue)")
      }
      for name in layer.byPrinter.keys.sorted() {
        add(layer.byPrinter[name] ?? [], "printers.\(layer.printerNames[name] ?? name)")
      }
      for (name, stamp) in layer.stamps.sorted(by: { $0.key < $1.key }) {
        entries.append(
          Entry(
            name: "stamp", value: stamp.name, scope: "stamps.\(name)", source: layer.source))
      }
      for (name, renderer) in layer.renderers.sorted(by: { $0.key < $1.key }) {
        entries.append(
          Entry(
            name: "command", value: renderer.command.joined(separator: " "),
            scope: "renderers.\(name)", source: renderer.source))
      }
      return entries
    }
  }
}
