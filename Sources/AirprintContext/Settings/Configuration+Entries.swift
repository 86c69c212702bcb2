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
      func entries(_ settings: [Setting]?, _ scope: String? = nil) -> [Entry] {
        (settings ?? []).map {
          Entry(name: $0.option.rawValue, value: $0.value, scope: scope, source: $0.source)
        }
      }
      let plain = PlainKey.allCases.compactMap { key in
        layer.plain[key].map { value in
          let words = value.elements.compactMap(\.typed).joined(separator: ", ")
          return Entry(name: key.rawValue, value: words, scope: nil, source: layer.source)
        }
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
