internal import PrintModel

extension PrintOption {
  /// Parses `--margins`: one length for all sides, two for top and bottom, left and right, or four for top, right,
  /// bottom, left, as in CSS.
  func margins(_ text: String) throws(Failure) -> Margins {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let lengths = parts.compactMap { PrintOption.length($0) }
    let orders = [1: [0, 0, 0, 0], 2: [0, 1, 0, 1], 4: [0, 1, 2, 3]]
    if lengths.count == parts.count, let order = orders[parts.count] {
      let sides = order.map { lengths[$0] }
      return Margins(top: sides[0], bottom: sides[2], left: sides[3], right: sides[1])
    }
    if orders[parts.count] != nil,
      parts.allSatisfy({ Double($0).map { $0.isFinite && $0 >= 0 } == true })
    {
      let guess = parts.map { $0 == "0" ? "0" : "\($0)mm" }.joined(separator: ",")
      throw refuse(text, "a length needs its unit (\(guess))")
    }
    throw refuse(
      text,
      "takes lengths with their unit (36pt, 10mm, 0.5in): one for all sides, two (top and bottom, "
        + "left and right) or four (top, right, bottom, left); separated by commas")
  }

  /// Parses a length with its unit, or 0; nil for anything else.
  static func length(_ text: some StringProtocol) -> Hundredths? {
    text == "0" ? 0 : MediaName.length(text.lowercased())
  }

  /// Parses `--header` and `--footer`; an empty text removes that of a setting.
  func runningText(_ text: String) throws(Failure) -> RunningText? {
    do {
      let running = try RunningText(text)
      return running.isEmpty ? nil : running
    } catch {
      throw refuse(text, error.description)
    }
  }

  /// Applies `--overlay` and `--underlay`, which are cumulative; `none` removes those of settings.
  ///
  /// Exit 64 for a text that ends with a malformed list of options, which would be printed otherwise.
  func applyStamp(_ text: String, to request: inout PrintRequest) throws(Failure) {
    let isBelow = self == .underlay
    if text == "none" {
      request.stamps.removeAll { $0.isBelow == isBelow }
    } else {
      let stamp = Stamp(text, isBelow: isBelow)
      if case .text = stamp.source, let misread = stamp.misread {
        throw refuse(text, misread)
      }
      request.stamps.append(stamp)
    }
  }

  /// True for an option that may be given several times with cumulative effect.
  package var isRepeatable: Bool { [.overlay, .underlay, .option].contains(self) }
}
