internal import IPP
internal import PrintModel
internal import Settings

extension Context {
  /// What a connection to `target` has to know: the certificate that was pinned, and where credentials
  /// come from. Exit 78 for files that make no sense.
  func security(of target: Target) throws(Failure) -> Security {
    let word = ShellWord.quoted(target.saved?.name ?? target.uri)
    let isSystems = try target.saved.map { (saved) throws(Failure) in
      try self.isSystems(saved)
    }
    let vault = Vault(self, target)
    return Security(
      pin: try pin(of: target), host: PrinterURI(target.saved?.uri ?? target.uri)?.host,
      lowestTLS: try lowestTLS(of: target) ?? .usual,
      remedy: isSystems == true ? "sudo airprint trust --system \(word)" : "airprint trust \(word)",
      login: "airprint login \(word)"
    ) { () throws(Failure) in try vault.credentials() }
  }

  /// The same for the printer at the URI of a job's record.
  func security(at uri: String) throws(Failure) -> Security {
    try security(of: Target(name: uri, uri: uri, saved: try savedPrinter(at: uri)))
  }

  func savedPrinter(at uri: String) throws(Failure) -> SavedPrinter? {
    try PrinterBook(places).printers.first { $0.uri == uri }
  }

  /// What was said of the printer's TLS when it was picked (`--tls`), by whatever name it is meant now.
  func lowestTLS(of target: Target) throws(Failure) -> TLSVersion? {
    if let own = target.saved?.lowestTLS { return own }
    let same = try PrinterBook(places).printers.filter { $0.uri == target.uri }
    return same.lazy.compactMap(\.lowestTLS).first
  }

  /// The certificate by which `target` is known: where it is saved, else under its host and port.
  func pin(of target: Target) throws(Failure) -> Fingerprint? {
    if let pin = target.saved?.certificate { return pin }
    guard let uri = PrinterURI(target.saved?.uri ?? target.uri) else { return nil }
    return try CertificatePins(places).certificate(of: uri.host, port: uri.port)
  }

  /// Whether the administrator's file has a saved printer, and not the person's.
  func isSystems(_ saved: SavedPrinter) throws(Failure) -> Bool {
    !(try PrinterBook(places).user.printers.contains { $0.name == saved.name })
  }

  /// Keeps the certificate that a printer showed, `old` being the one that it had until now, and says so.
  /// Where it can't be kept the printer is used all the same, and that is said.
  func keep(_ shown: Fingerprint, for target: Target, instead old: Fingerprint?) -> String {
    let name = target.saved?.name ?? target.name
    let what =
      old == nil
      ? "\(name) is known by its certificate from now on"
      : "\(name) has a new certificate, and an authority vouches for it"
    do throws(Failure) {
      try pin(shown, to: target)
      return "\(what) (SHA-256 \(shown.text))."
    } catch {
      return "\(what), but it can't be kept: \(error.message)"
    }
  }

  /// Writes a certificate down where `pin(of:)` looks: with the saved printer, or under host and port.
  /// nil forgets it. The administrator's file is only changed with `system`.
  func pin(
    _ certificate: Fingerprint?, to target: Target, system: Bool = false
  ) throws(Failure) {
    let saved = target.saved
    let isSystems = try saved.map { (saved) throws(Failure) in try self.isSystems(saved) }
    if system || isSystems == false, let saved {
      try PrinterBook.change(places, system: system) { page in
        guard var entry = page.printers.first(where: { $0.name == saved.name }) else { return }
        entry.certificate = certificate
        page.save(entry)
      }
      return
    }
    guard let uri = PrinterURI(saved?.uri ?? target.uri) else { return }
    try CertificatePins(places).keep(certificate, of: uri.host, port: uri.port)
  }
}

/// A word as a shell reads it back.
enum ShellWord {
  static func quoted(_ word: String) -> String {
    let plain = word.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
        || "-_./:@%+,".utf8.contains(byte)
    }
    guard !plain || word.isEmpty || word.hasPrefix("-") else { return word }
    return "'"
      + word.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "'\\''") + "'"
  }
}
