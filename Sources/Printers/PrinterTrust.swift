package import AirprintContext
internal import ForeignText
package import IPP
package import PrintModel
internal import Settings

/// Facts about a printer's identity, and where they are stored: certificates, the oldest TLS, and if the administrator
/// saved it.
package struct PrinterTrust {
  private let context: Context

  package init(_ context: Context) { self.context = context }

  /// Returns the settings for a connection to `target`: the pinned certificate, and the source of credentials.
  ///
  /// Exit 78 if the settings are invalid.
  package func security(of target: PrinterReference) throws(Failure) -> Security {
    let known = try knowledge(of: target)
    // The saved printer that has or would get this certificate: another one must be accepted for it.
    let holder = target.saved ?? known?.saved
    let word = holder.map { ShellWord.quoted($0.name.safeName) } ?? target.commandWord
    let source = CredentialSource(context, target, pin: known?.pin)
    var security = Security(
      pin: known?.pin, host: target.chosenHost,
      lowestTLS: try lowestTLS(of: target) ?? .usual,
      remedy: try isSystems(holder)
        ? "sudo airprint trust --system \(word)" : "airprint trust \(word)",
      login: "airprint login \(target.commandWord)"
    ) { (shown) throws(Failure) in try source.credentials(for: shown) }
    security.isAnonymous = context.isLookingAround
    security.trustsUpgrade =
      PrinterURI(target.saved?.uri ?? target.uri)?.isSecure != false
      || !target.isKnownWithoutEncryption(context)
    return security
  }

  /// Returns the TLS version that was set when the printer was picked (`--tls`), whichever of its names is used now.
  func lowestTLS(of target: PrinterReference) throws(Failure) -> TLSVersion? {
    if let own = target.saved?.lowestTLS { return own }
    // Compare the address, not the text: one may contain the default port.
    let place = PrinterURI(target.uri)
    let same = try context.settings.printers().printers.filter {
      $0.uri == target.uri || place != nil && PrinterURI($0.uri) == place
    }
    return same.lazy.compactMap(\.lowestTLS).first
  }

  /// Returns the certificate by which `target` is known: from where it is saved; from the name by which it was given;
  /// or from a saved printer with another name, address or scheme of it.
  ///
  /// Exit 78 if a file of certificates or printers can't be read.
  package func pin(of target: PrinterReference) throws(Failure) -> Fingerprint? {
    try knowledge(of: target)?.pin
  }

  /// Returns the same certificate, with the saved printer to which it belongs.
  private func knowledge(
    of target: PrinterReference
  ) throws(Failure) -> (pin: Fingerprint, saved: SavedPrinter?)? {
    if let pin = target.saved?.certificate { return (pin, target.saved) }
    if let pin = target.certificate { return (pin, nil) }
    let pins = CertificatePins(context.places)
    for key in target.names {
      if let pin = try pins.certificate(of: key) { return (pin, nil) }
    }
    if target.saved == nil,
      let twin = try context.settings.printers().printers.first(where: { target.isMaybe($0) }),
      let pin = twin.certificate
    {
      return (pin, twin)
    }
    for key in target.marks {
      if let pin = try pins.certificate(of: key) { return (pin, nil) }
    }
    return nil
  }

  /// Returns true if a saved printer is in the administrator's file, and not in the user's.
  func isSystems(_ saved: SavedPrinter?) throws(Failure) -> Bool {
    guard let saved else { return false }
    return !(try context.settings.printers().user.printers.contains { $0.name == saved.name })
  }

  /// Stores the certificate that a printer presented, in place of `old`, and returns a message about that.
  ///
  /// If it can't be stored, the printer is used anyway, and the message reports that.
  func keep(
    _ peer: VerifiedPeer, for target: PrinterReference, instead old: Fingerprint?
  ) -> String {
    let shown = peer.fingerprint
    let name = target.saved?.name ?? target.name
    let news = "\(name) has a new certificate, and an authority vouches for it"
    do throws(Failure) {
      try pin(shown, to: target)
      if let old {
        try CredentialStore(context).move(from: .encrypted(old), to: .encrypted(shown), of: target)
      }
      return "\(old == nil ? "\(name): certificate saved" : news) (SHA-256 \(shown.short))."
    } catch {
      return old == nil
        ? "\(name): its certificate can't be saved: \(error.message)"
        : "\(news), but it can't be saved: \(error.message)"
    }
  }

  /// Stores a certificate where `pin(of:)` finds it: with the saved printer, or under the name by which it was given.
  ///
  /// nil removes it. The administrator's file is only changed with `system`. With a saved printer, its former
  /// certificate is also replaced where it is stored under other identifiers, from the time before it was saved.
  func pin(
    _ certificate: Fingerprint?, to target: PrinterReference, system: Bool = false
  ) throws(Failure) {
    let pins = CertificatePins(context.places)
    let own = target.names + target.marks
    let isOthers = try system ? false : isSystems(target.saved)
    guard let saved = target.saved, !isOthers else {
      for key in own { try pins.keep(certificate, of: key) }
      return
    }
    try context.settings.changePrinters(system: system) { file in
      guard var entry = file.printers.first(where: { $0.name == saved.name }) else { return }
      entry.certificate = certificate
      file.save(entry)
    }
    guard let former = saved.certificate else { return }
    for key in own + saved.identifiers where (try? pins.certificate(of: key)) == former {
      try pins.keep(certificate, of: key)
    }
  }
}

extension SavedPrinter {
  /// The identifiers under which its certificate may have been stored before it was saved, other than its place.
  fileprivate var identifiers: [CertificatePins.Key] {
    [name, service?.instance].compactMap { $0 }.map { .name($0) }
      + (uuid.map { [.uuid($0)] } ?? [])
  }
}

extension PrinterReference {
  /// The names by which a user may refer to it, the typed one first.
  fileprivate var names: [CertificatePins.Key] {
    let names = [found?.word, found?.service?.instance].compactMap { $0 }
    return names.map { .name($0) }
  }

  /// Other identifiers of it.
  fileprivate var marks: [CertificatePins.Key] {
    let uuid = saved == nil ? found?.uuid : nil
    return (uuid.map { [.uuid($0)] } ?? [])
      + (place.map { [.place(host: $0.host, port: $0.port)] } ?? [])
  }

  private var place: PrinterURI? { PrinterURI(saved?.uri ?? uri) }

  /// Returns true if the printer was used, or accepted its password, over a connection that was not encrypted.
  func isKnownWithoutEncryption(_ context: Context) -> Bool {
    guard let place else { return false }
    return saved?.isSeen == true && !place.isSecure
      || CertificatePins(context.places).isKnownWithout(.place(host: place.host, port: place.port))
  }

  /// Returns true if a saved printer with a certificate may be this one: by its UUID; if no UUID contradicts that, by
  /// its name on the network, or by its host and port, with either scheme.
  fileprivate func isMaybe(_ saved: SavedPrinter) -> Bool {
    guard saved.certificate != nil else { return false }
    if let mine = found?.uuid, let theirs = saved.uuid { return mine == theirs }
    if let service = found?.service, service == saved.service { return true }
    guard let place, let theirs = PrinterURI(saved.uri) else { return false }
    return place.host.lowercased() == theirs.host.lowercased() && place.port == theirs.port
  }
}
