internal import PrintModel
internal import PrintOptions

/// The preset of a job, which the printer keeps (job-presets-supported, PWG 5100.13-2023).
struct PresetChoice {
  /// Its attributes that no option stands for, as they are sent.
  private(set) var rest: [Attribute] = []
  private(set) var reason: String?

  /// Applies the preset of a request to its options: below those that were typed, above settings; below these as well if
  /// nobody asked for it, but the job brings it along (job-triggers-supported).
  ///
  /// Exit 64 if the printer has none of this name, unless it is a setting, which is left out.
  init(for request: inout PrintRequest, of capabilities: Capabilities) throws(Failure) {
    guard let name = request.preset else { return }
    let names = capabilities.presets.map(\.name)
    guard
      let preset = capabilities.presets.first(where: { $0.name == name })
        ?? capabilities.presets.first(where: { $0.name.lowercased() == name.lowercased() })
    else {
      let known = names.isEmpty ? "it has none" : "it has \(names.inWords())"
      let file = request.fromSettings[PrintOption.preset.rawValue]
      guard let file else {
        throw .notSupported(
          "--preset \(name): \(capabilities.title) has no such preset\(names.suggestion(for: name)); \(known)."
        )
      }
      reason = "none, \(capabilities.title) has no \"\(name)\", which is from \(file)"
      return
    }
    let given = request.given
    let isWish = given.contains(PrintOption.preset.rawValue)
    let from = request.fromSettings[PrintOption.preset.rawValue].map { ", from \($0)" }
    reason = preset.name + (from ?? ", as requested")
    var replaced: [String] = []
    let leaves = preset.attributes.leaves.filter { $0.name != "media-col" }
    let margins = leaves.filter { $0.name.isMargin }
    for attributes in leaves.filter({ !$0.name.isMargin }).map({ [$0] }) + [margins] {
      guard let first = attributes.first else { continue }
      let option = PrintOption(attribute: first.name)
      if let option, isWish ? request.isTyped(option.rawValue) : given.contains(option.rawValue) {
        continue
      }
      guard let option else {
        rest += attributes
        continue
      }
      var changed = request
      // A value that the option has not can't be drawn.
      guard (try? option.apply(attributes, to: &changed, from: "preset \(preset.name)")) != nil
      else { continue }
      if given.contains(option.rawValue) { replaced.append(option.rawValue) }
      request = changed
    }
    if !replaced.isEmpty {
      reason? += "; it comes before the setting of \(replaced.unique.inWords())"
    }
  }
}

extension Capabilities {
  /// The printer's name in a sentence.
  var title: String { info ?? name ?? "the printer" }
}
