internal import IPP
package import PrintModel
package import Settings

/// A printer as far as it must be known to be reached.
package struct Target: Sendable, Equatable {
  /// What the person called it, or what it calls itself.
  package var name: String
  package var uri: String
  /// Numeric addresses, to be tried before the host name is looked up.
  package var addresses: [String]
  /// Set when it comes from the book: where its settings are, and how to find it again.
  package var saved: SavedPrinter?

  package init(name: String, uri: String, addresses: [String] = [], saved: SavedPrinter? = nil) {
    self.name = name
    self.uri = uri
    self.addresses = addresses
    self.saved = saved
  }

  package init(_ saved: SavedPrinter) {
    self.init(name: saved.name, uri: saved.uri, addresses: saved.addresses, saved: saved)
  }

  package init(_ found: DiscoveredPrinter) {
    self.init(
      name: found.name, uri: found.uri,
      addresses: found.endpoints.filter { $0.uri == found.uri }.compactMap(\.address))
  }
}

extension PrinterBook {
  /// What a person may write for a saved printer: its name, URI, UUID or DNS-SD name, or an unambiguous
  /// part of a name. Several that fit equally well are exit 64, with the candidates.
  package func find(_ text: String) throws(Failure) -> SavedPrinter? {
    let word = text.lowercased()
    let exact = printers.filter { printer in
      printer.name.lowercased() == word || printer.uri == text
        || printer.uuid?.lowercased() == word.replacingPrefix("urn:uuid:")
        || printer.service?.instance.lowercased() == word
    }
    if let first = exact.first { return first }
    let partial = printers.filter { printer in
      printer.name.lowercased().contains(word)
        || printer.service?.instance.lowercased().contains(word) == true
    }
    return try Target.only(partial, text) { $0.name }
  }
}

extension Target {
  /// The one candidate, none, or exit 64.
  static func only<Candidate>(
    _ candidates: [Candidate], _ text: String, name: (Candidate) -> String
  ) throws(Failure) -> Candidate? {
    guard candidates.count > 1 else { return candidates.first }
    throw Failure(
      .usage, "\"\(text)\" could be \(candidates.map(name).sorted().inWords(joinedBy: "or")).")
  }

  /// A printer by its address; exit 64 for one that makes no sense.
  init(uri text: String) throws(Failure) {
    guard let uri = PrinterURI(text) else {
      throw Failure(
        .usage, "\(text) is no printer's URI; one looks like ipp://192.0.2.7/ipp/print.")
    }
    self.init(name: uri.host, uri: text)
  }

  package static func isURI(_ text: String) -> Bool {
    let word = text.lowercased()
    return word.hasPrefix("ipp://") || word.hasPrefix("ipps://")
  }
}

extension String {
  fileprivate func replacingPrefix(_ prefix: String) -> String {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self
  }
}
