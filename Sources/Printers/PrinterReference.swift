internal import ForeignText
internal import IPP
package import PrintModel
package import Settings

/// A printer as far as it must be known to be reached.
package struct PrinterReference: Sendable, Equatable {
  /// The name that the user gave it, or that it calls itself.
  package var name: String
  package var uri: String
  /// Numeric addresses, to be tried before the host name is looked up.
  package var addresses: [String]
  /// Set when it comes from the book: where its settings are, and how to find it again.
  package var saved: SavedPrinter?
  /// Set when the network announced its place: no user chose its host.
  package var found: DNSSDIdentity?
  /// The certificate that it showed when it got a job, where that is how it is known.
  package var certificate: Fingerprint?

  /// A printer's identity in DNS-SD.
  package struct DNSSDIdentity: Sendable, Equatable {
    /// The text typed for it; nil where it was chosen from a list.
    var word: String?
    /// nil for the printer of a job's record.
    var service: ServiceName?
    package var uuid: String?
  }

  package init(name: String, uri: String, addresses: [String] = [], saved: SavedPrinter? = nil) {
    self.name = name
    self.uri = uri
    self.addresses = addresses
    self.saved = saved
  }

  package init(_ saved: SavedPrinter) {
    self.init(name: saved.name, uri: saved.uri, addresses: saved.addresses, saved: saved)
  }

  /// - `word`: what was typed for it.
  package init(_ printer: DiscoveredPrinter, word: String? = nil) {
    // Of several names the typed one: it is what a login is kept under, whichever is heard of first.
    let service = printer.service(called: word)
    let name = service == printer.service ? printer.name : service.instance
    self.init(
      name: name.onOneLine, uri: printer.uri,
      addresses: printer.endpoints.filter { $0.uri == printer.uri }.compactMap(\.address))
    found = DNSSDIdentity(word: word, service: service, uuid: printer.uuid)
  }

  /// A reference that finds it again, and is the same printer to whoever typed it.
  package var words: String { saved?.name ?? found?.word ?? found?.service?.instance ?? uri }

  /// The same in a command for users to type, quoted for their shell.
  var commandWord: String {
    let name = saved?.name.safeName ?? found?.word ?? found?.service?.instance.safeName
    return ShellWord.quoted(name ?? uri)
  }

  /// The host that a user chose, for which an authority may vouch; nil where the network announced it.
  var chosenHost: String? {
    if let saved { return saved.chosenHost }
    return found == nil ? PrinterURI(uri)?.host : nil
  }
}

extension SavedPrinter {
  /// False for one that was saved unseen, which has no UUID and no type.
  var isSeen: Bool { uuid != nil || !types.isEmpty }

  /// A printer that was saved by its URI before that was written down has never had another.
  var chosenHost: String? {
    if let host { return host }
    return service == nil ? PrinterURI(uri)?.host : nil
  }
}

extension SavedPrinter {
  /// True when a text is the printer's whole name, as it is or as Tab offers it, its URI, UUID or DNS-SD name.
  package func isNamed(_ text: String) -> Bool {
    let word = text.lowercased()
    return name.isCoded(as: text) || name.lowercased() == word || uri == text
      || uuid?.lowercased() == word.replacingPrefix("urn:uuid:")
      || service?.instance.lowercased() == word
  }
}

extension PrinterStore {
  /// The printer that a user means by a word: its name or that as Tab offers it (`safeName`),
  /// URI, UUID or DNS-SD name, or an unambiguous part of a name.
  ///
  /// Several that fit equally well are exit 64, with the candidates; so is no word at all.
  package func find(_ text: String) throws(Failure) -> SavedPrinter? {
    // It would be a part of every name.
    guard text.contains(where: { $0 != " " }) else { throw .emptyName }
    // First: what Tab and messages say is always right.
    if let coded = printers.first(where: { $0.name.isCoded(as: text) }) { return coded }
    let word = text.lowercased()
    if let exact = printers.first(where: { $0.isNamed(text) }) { return exact }
    let partial = printers.filter { printer in
      printer.name.lowercased().contains(word)
        || printer.service?.instance.lowercased().contains(word) == true
    }
    return try PrinterReference.only(partial, text) { $0.name }
  }
}

extension PrinterReference {
  /// The one candidate, none, or exit 64.
  static func only<Candidate>(
    _ candidates: [Candidate], _ text: String, name: (Candidate) -> String
  ) throws(Failure) -> Candidate? {
    guard candidates.count > 1 else { return candidates.first }
    throw Failure(
      .usage, "\(several(text)): \(candidates.map(name).sorted().joined(separator: ", ")).")
  }

  fileprivate static func several(_ text: String) -> String {
    "\"\(text)\" matches several printers"
  }

  /// A printer by its address; exit 64 for an invalid one.
  package init(uri text: String) throws(Failure) {
    guard let uri = PrinterURI(text) else {
      throw Failure(
        .usage, "\(text) is not a printer's URI; one looks like ipp://192.0.2.7/ipp/print.")
    }
    self.init(name: uri.host, uri: text)
  }

  /// Exit 64 for an address that is not one of IPP's, with the one that it would be: a name that looks so would
  /// only be looked for in vain.
  static func refuseOtherScheme(_ text: String) throws(Failure) {
    guard let colon = text.firstRange(of: "://") else { return }
    let scheme = text[..<colon.lowerBound].lowercased()
    let rest = text[colon.upperBound...]
    switch scheme {
    // An address: the printer is looked for there.
    case "http", "https": return
    default:
      let host = rest.prefix { !"/:".contains($0) }
      let hint =
        ["socket", "lpd"].contains(scheme) && !host.isEmpty
        ? "; try ipp://\(host)/ipp/print" : ""
      throw Failure(
        .usage,
        "\(text): airprint prints over IPP (ipp and ipps) and not over \(scheme)\(hint). A printer without IPP "
          + "needs a CUPS queue with its driver; airprint prints to that.")
    }
  }

  package static func isURI(_ text: String) -> Bool {
    let word = text.lowercased()
    return word.hasPrefix("ipp://") || word.hasPrefix("ipps://")
  }
}

extension Failure {
  /// It is that `text` is a part of several printers' names, which somebody at a terminal can tell apart.
  package func isAmbiguous(_ text: String) -> Bool {
    code == .usage && message.hasPrefix(PrinterReference.several(text))
  }
}

extension String {
  func replacingPrefix(_ prefix: String) -> String {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self
  }
}
