internal import PrintModel

extension Configuration {
  /// One value as it stands in a file.
  package struct Entry: Sendable, Equatable {
    package var name: String
    package var value: String
    /// `types.receipt`, `printers.till`; nil: for all jobs.
    package var scope: String?
    package var source: String
  }

  /// Every value of both files, weakest first: what `doctor` shows.
  package var entries: [Entry] {
    layers.flatMap { layer in
      var entries: [Entry] = []
      if let timeout = layer.timeout {
        entries.append(
          Entry(name: "timeout", value: "\(timeout)", scope: nil, source: layer.source))
      }
      if let leaves = layer.leavesOnTimeout {
        entries.append(
          Entry(
            name: "on-timeout", value: leaves ? "leave" : "cancel", scope: nil,
            source: layer.source))
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
        add(layer.byPrinter[name] ?? [], "printers.\(name)")
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
