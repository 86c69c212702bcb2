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
    layers.flatMap { (layer) -> [Entry] in
      let whole: [(String, String?)] = [
        ("timeout", layer.timeout.map { "\($0)" }),
        ("on-timeout", layer.leavesOnTimeout.map { $0 ? "leave" : "cancel" }),
        ("later-when-offline", layer.laterWhenOffline.map { "\($0)" }),
        ("on-available", layer.onAvailable), ("notify", layer.notify.map { "\($0)" }),
        ("page-time", layer.pageTime.map { "\($0)" }),
        ("domains", layer.domains?.joined(separator: ", ")),
        ("page-memory", layer.pageMemory.map { "\($0)" }),
      ]
      func entries(_ settings: [Setting]?, _ scope: String? = nil) -> [Entry] {
        (settings ?? []).map {
          Entry(name: $0.option.rawValue, value: $0.value, scope: scope, source: $0.source)
        }
      }
      let plain = whole.compactMap { name, value in
        value.map { Entry(name: name, value: $0, scope: nil, source: layer.source) }
      }
      let types = layer.byType.keys.sorted().flatMap {
        entries(layer.byType[$0], "types.\($0.rawValue)")
      }
      let printers = layer.byPrinter.keys.sorted().flatMap {
        entries(layer.byPrinter[$0], "printers.\(layer.printerNames[$0] ?? $0)")
      }
      let stamps = layer.stamps.sorted { $0.key < $1.key }.map {
        Entry(name: "stamp", value: $1.name, scope: "stamps.\($0)", source: layer.source)
      }
      let renderers = layer.renderers.sorted { $0.key < $1.key }.map { name, renderer in
        Entry(
          name: "command", value: renderer.command.joined(separator: " "),
          scope: "renderers.\(name)", source: renderer.source)
      }
      return [plain, entries(layer.options), types, printers, stamps, renderers].flatMap(\.self)
    }
  }
}
