internal import IPP
internal import PrintModel

/// The change for another attempt, which `JobSubmission.change(by:)` makes; what concerns time only is `JobDelivery`'s.
enum RetryStrategy: Equatable {
  /// Wait: the printer is busy.
  ///
  /// `isCleaned`: the answer was lost, so look for an empty job that may have been left behind.
  case later(why: String, isCleaned: Bool = false)
  /// Send the document uncompressed.
  case withoutCompression
  /// Send the job without these attributes.
  case without([String])
  /// Use IPP 1.1, and names in ASCII.
  case plain
  /// Send the same again: the printer gave up an empty job.
  case anew
}

extension JobSubmission {
  /// Changes the job for another attempt, as an error proposes, and returns the change in a sentence; nil if it stays as
  /// it is, or was changed like this before.
  ///
  /// `isMinor`: the same comes out, on the same paper.
  mutating func change(
    by strategy: RetryStrategy?
  ) -> (words: String, isMinor: Bool)? {
    switch strategy {
    case .withoutCompression where compresses:
      compresses = false
      return ("\(printer) could not decompress the document; sending it uncompressed.", false)
    case .without(let names) where reductions < 3:
      let tray = ticket.paper.source
      guard let instead = leaveOut(names) else { return nil }
      reductions += 1
      let isMinor =
        names == ["media-col"] && ticket.attributes.contains { $0.name == "media" }
        && ticket.paper.source == tray
      return ("\(printer) does not support \(names.inWords()); \(instead).", isMinor)
    case .plain where !usesIPP11:
      usesIPP11 = true
      return ("\(printer) is sent the job in IPP 1.1.", true)
    default: return nil
    }
  }

  /// Removes attributes that the printer refused, and returns the replacement; nil if none of them was sent, or one of
  /// them is mandatory.
  ///
  /// Instead of media-col, the negotiated paper is sent by its name: without either, the printer would choose the
  /// paper. Of several trays, the printer then chooses one.
  mutating func leaveOut(_ names: [String]) -> String? {
    guard Set(mandatoryNames).isDisjoint(with: names) else { return nil }
    let before = ticket.attributes
    ticket.attributes.removeAll { names.contains($0.name) }
    guard ticket.attributes.count < before.count else { return nil }
    let hadColumn = before.contains { $0.name == "media-col" } && names.contains("media-col")
    guard hadColumn, !names.contains("media"), capabilities.accepts("media") else {
      return "printing without it"
    }
    ticket.attributes.append(Attribute("media", .keyword(ticket.paper.name)))
    let instead = "asking for its paper by name (\(ticket.paper.name))"
    guard ticket.paper.source != nil, capabilities.sources.count > 1 else { return instead }
    ticket.paper.source = nil
    return "\(instead), from any tray"
  }
}
