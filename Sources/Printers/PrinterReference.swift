package import AirprintContext
internal import ForeignText
internal import IPP
package import PrintModel
package import Submission

/// The facts about a printer that are needed to contact it.
package struct PrinterReference: Sendable, Equatable {
  /// The name that the user gave it, or its own.
  package var name: String
  package var uri: String
  /// Numeric addresses, tried before the host name is looked up.
  package var addresses: [String]
  /// Set if it is saved, under whichever name: how to find it again, and what proves that it is the same.
  package var saved: SavedPrinter?
  /// Set if it is meant by its saved name, whose settings apply.
  ///
  /// nil for a printer that is only saved as a role: its URI, its UUID and its own name are not the role's.
  package var role: SavedPrinter?
  /// Set if the network announced its address: no user chose its host.
  package var found: DNSSDIdentity?
  /// True if a user wrote the scheme of `uri`: only that, or a saved URI, is a decision to encrypt.
  ///
  /// False if a host's answer, a server's list, an announcement or a job's record has it.
  package var isTyped = false
  /// The certificate that it presented when it received a job, if it is identified by that.
  package var certificate: Fingerprint?
  /// False if the command names neither it nor its job: nothing that is given to the command is for it.
  package var isNamed = true
  /// What was given for the printers of the job whose printer it is; nil if it is not a job's.
  package var given: [GivenPassword]?

  /// A printer's identity in DNS-SD.
  package struct DNSSDIdentity: Sendable, Equatable {
    /// The text typed for it; nil if it was chosen from a list.
    var word: String?
    /// True if that is only a part of its name, which may be one of another printer's tomorrow.
    var isPart = false
    /// nil for the printer of a job's record that has no certificate.
    package var service: ServiceName?
    package var uuid: String?
  }

  package init(name: String, uri: String, addresses: [String] = [], saved: SavedPrinter? = nil) {
    self.name = name
    self.uri = uri
    self.addresses = addresses
    self.saved = saved
    role = saved
  }

  package init(_ saved: SavedPrinter, isNamed: Bool = true) {
    self.init(name: saved.name, uri: saved.uri, addresses: saved.addresses, saved: saved)
    self.isNamed = isNamed
  }

  /// Makes a reference to the printer itself, of which only roles are saved.
  ///
  /// - `word`: the text typed for it.
  fileprivate init(itself saved: SavedPrinter, word: String?) {
    self.init(saved)
    role = nil
    name = saved.service?.instance.onOneLine ?? PrinterURI(uri)?.host ?? uri
    found = DNSSDIdentity(word: word, service: saved.service, uuid: saved.uuid)
  }

  /// Makes a reference to a discovered printer.
  ///
  /// - `word`: the text typed for it.
  package init(_ printer: DiscoveredPrinter, word: String? = nil) {
    // Of several names, use the typed one: a login is stored under it, and must not depend on which one is found first.
    let service = printer.service(called: word)
    let name = service == printer.service ? printer.name : service.instance
    self.init(
      name: name.onOneLine, uri: printer.uri,
      addresses: printer.endpoints.filter { $0.uri == printer.uri }.compactMap(\.address))
    found = DNSSDIdentity(word: word, service: service, uuid: printer.uuid)
    found?.isPart = word.map { !printer.isCalled($0) } ?? false
  }

  /// A whole name by which it is found again, and which refers to the same printer for the same user.
  package var words: String {
    let word = found?.isPart == true ? nil : found?.word
    return role?.name ?? word ?? found?.service?.instance ?? uri
  }

  /// The same name as part of a command for users to type, quoted for their shell.
  ///
  /// A user who copies it has not chosen its scheme: one that encrypts is left out unless a user wrote it.
  package var commandWord: String {
    let name = role?.name.safeName ?? found?.word ?? found?.service?.instance.safeName
    return ShellWord.quoted(name ?? (isChosenEncrypted ? uri : TypedAddress.word(for: uri)))
  }

  /// The UUID that it stated when it was saved, or when it received a job; an announcement may state another one.
  var statedUUID: String? {
    saved?.uuid ?? (found?.service == nil || certificate != nil ? found?.uuid : nil)
  }

  /// Where it stays, by its address.
  var home: Security.Home {
    guard let place = PrinterURI(uri) else { return .anywhere }
    let hosts = addresses.isEmpty ? [place.host] : addresses
    guard hosts.allSatisfy({ $0 == "localhost" || $0 == "::1" || $0.hasPrefix("127.") }) else {
      return .anywhere
    }
    return place.port >= Security.firstUSBPort ? .usb : .thisMachine
  }

  /// True if a user chose a URI that encrypts: one that was typed, or saved.
  var isChosenEncrypted: Bool {
    (saved != nil || isTyped) && PrinterURI(saved?.uri ?? uri)?.isSecure == true
  }

  /// The host that a user chose, for which an authority may vouch; nil if the network announced it.
  var chosenHost: String? {
    if let saved { return saved.chosenHost }
    return found == nil ? PrinterURI(uri)?.host : nil
  }
}

extension DiscoveredPrinter {
  /// True if it claims to be the saved printer: by its UUID, or by its name if that has none.
  func claims(toBe saved: SavedPrinter) -> Bool {
    saved.uuid.map { $0 == uuid } ?? announces(saved.service)
  }

  /// A reference for each of its URIs, best first.
  ///
  /// Another host that states the name and the UUID of a printer in a domain has its endpoints in the same row.
  var places: [PrinterReference] {
    endpoints.map(\.uri).unique.map { uri in
      var place = PrinterReference(self)
      place.uri = uri
      place.addresses = endpoints.filter { $0.uri == uri }.compactMap(\.address)
      return place
    }
  }
}

extension SavedPrinter {
  /// False for a printer that was saved without contact, which has no UUID and no type.
  var isSeen: Bool { uuid != nil || !types.isEmpty }

  /// The host that a user chose; a printer saved by its URI before this was recorded has never had another.
  var chosenHost: String? {
    if let host { return host }
    return service == nil ? PrinterURI(uri)?.host : nil
  }

  /// True for a printer saved under its own name, with a number if another one had that; false for a role of it.
  var hasOwnName: Bool {
    guard let own = service?.instance.lowercased() else { return false }
    return name.lowercased() == own || name.lowercased().hasPrefix("\(own) (")
  }

  /// Returns true if a text is its URI, its UUID or its DNS-SD name.
  func isIdentified(by text: String) -> Bool {
    let word = text.lowercased()
    return uri == text || service?.instance.lowercased() == word
      || uuid.map { [$0, "urn:uuid:\($0)"].contains { $0.lowercased() == word } } == true
  }
}

extension PrinterStore {
  /// Finds the printer that a word refers to: a saved name; else the URI, UUID or DNS-SD name of a saved printer; else
  /// an unambiguous part of a saved or a DNS-SD name.
  ///
  /// Only a saved name brings its settings. Exit 64 if a part matches several, with the candidates, or if the text is
  /// blank.
  ///
  /// - `isStored`: the word is a job's, which keeps its printer: a part of a name may be another one's by now.
  package func find(_ text: String, isStored: Bool = false) throws(Failure) -> PrinterReference? {
    if let whole = findWhole(text) { return whole }
    let parts = try findParts(text)
    return isStored ? nil : try PrinterReference.only(parts, text) { $0.name }
  }

  /// Returns the printers of whose saved or DNS-SD name a text is a part; exit 64 for a blank one, a part of every name.
  func findParts(_ text: String) throws(Failure) -> [PrinterReference] {
    guard text.contains(where: { $0 != " " }) else { throw .emptyName }
    let word = text.lowercased()
    return (printers.map { PrinterReference($0) } + itselves).filter {
      $0.name.lowercased().contains(word)
    }
  }

  /// Returns the printer that a job's word refers to, as far as that is known without a search: a name is all of one that
  /// is neither saved nor a URI.
  package func place(_ word: String) -> PrinterReference {
    if let saved = findWhole(word) { return saved }
    var place = (try? PrinterReference(uri: word)) ?? PrinterReference(name: word, uri: word)
    place.isTyped = false
    if !PrinterReference.isURI(word) { place.found = PrinterReference.DNSSDIdentity(word: word) }
    return place
  }

  /// Finds it by the whole of what identifies it, as `find` does.
  package func findWhole(_ text: String) -> PrinterReference? {
    printer(named: text).map { PrinterReference($0) }
      ?? printer(as: text) { $0.isIdentified(by: text) }
  }

  /// Returns the printer of the entries that match, by its own name.
  ///
  /// - `word`: the text by which it was found; nil: none.
  func printer(as word: String?, where isIt: (SavedPrinter) -> Bool) -> PrinterReference? {
    let entries = printers.filter(isIt)
    return entries.first(where: \.hasOwnName).map { PrinterReference($0) }
      ?? entries.first.map { PrinterReference(itself: $0, word: word) }
  }

  /// The printers of which only roles are saved, by their own names.
  private var itselves: [PrinterReference] {
    Set(printers.compactMap(\.service)).compactMap { service in
      printer(as: nil) { $0.service == service }
    }.filter { $0.role == nil }
  }
}

extension PrinterReference {
  /// Returns the only candidate, or nil if there is none; exit 64 if there are several, with what to do then.
  static func only<Candidate>(
    _ candidates: [Candidate], _ text: String, _ hint: String = "Type more of the name.",
    name: (Candidate) -> String
  ) throws(Failure) -> Candidate? {
    guard candidates.count > 1 else { return candidates.first }
    let names = candidates.map(name).sorted { NaturalOrder($0) < NaturalOrder($1) }
    throw Failure(
      .ambiguousPrinter,
      "\"\(text)\" matches several printers: \(names.joined(separator: ", ")). \(hint)",
      about: text)
  }

  /// Makes a reference to a printer by its URI; exit 64 for an invalid one.
  package init(uri text: String) throws(Failure) {
    guard let uri = PrinterURI(text) else {
      throw .usage("\(text) is not a printer's URI; one looks like ipp://192.0.2.7/ipp/print.")
    }
    try TypedAddress.refuseMissingZone(uri.host, in: text)
    self.init(name: uri.host, uri: text)
    isTyped = true
  }

  /// Makes a reference to a printer of a server's list, whose answer chose the scheme.
  ///
  /// Exit 64 for an invalid URI.
  init(listed printer: DiscoveredPrinter) throws(Failure) {
    try self.init(uri: printer.uri)
    isTyped = false
  }

  /// Throws exit 64 for a URL whose scheme is not IPP's, with the one to use instead: it would be searched for as a
  /// name in vain.
  static func refuseOtherScheme(_ text: String) throws(Failure) {
    guard let colon = text.firstRange(of: "://") else { return }
    let scheme = text[..<colon.lowerBound].lowercased()
    // An address: the printer is searched for there.
    if ["http", "https"].contains(scheme) { return }
    let host = text[colon.upperBound...].prefix { !"/:".contains($0) }
    let hint =
      ["socket", "lpd"].contains(scheme) && !host.isEmpty ? "; try ipp://\(host)/ipp/print" : ""
    throw .usage(
      "\(text): airprint prints over IPP (ipp and ipps) and not over \(scheme)\(hint). A printer without IPP "
        + "needs a CUPS queue with its driver; airprint prints to that.")
  }

  package static func isURI(_ text: String) -> Bool {
    let word = text.lowercased()
    return word.hasPrefix("ipp://") || word.hasPrefix("ipps://")
  }
}
