package import AirprintContext
package import PrintModel
package import Submission

/// A job, or the rest of one, with facts about its printer.
package protocol PlacedJob {
  var printer: String { get }
  var uri: String { get }
  var addresses: [String] { get }
  var service: ServiceName? { get }
  var printerUUID: String? { get }
  var certificate: Fingerprint? { get }
  var givenPassword: GivenPassword? { get }
}

extension JobRecord: PlacedJob {}
extension JobRecord.Orphan: PlacedJob { package var givenPassword: GivenPassword? { nil } }

extension PlacedJob {
  /// Returns the context for its printer, which receives the credentials with which the job was begun, and only if it has
  /// to present the key that it had then.
  ///
  /// - `isNamed`: the command is about this job, or named its printer: `--password-file` replaces them, and what the
  ///   environment names serves if their file no longer has them, and no login is saved.
  package func context(_ context: Context, isNamed: Bool = false) -> Context {
    let own = context.giving(certificate == nil ? nil : givenPassword)
    guard isNamed, let given = context.givenCredentials else { return own }
    let isTyped = given.file == context.passwordFile && context.givenPassword == nil
    if !isTyped, own.givenCredentials != nil, (try? Credentials.given(to: own)) != nil {
      return own
    }
    var all = context
    all.givesLast = !isTyped
    return all
  }

  /// Returns true if it went to this saved printer: by its URI, unless its UUID contradicts that; or by its UUID, and its
  /// certificate at that time, or its name if it presented none: printers of one model may state one UUID.
  package func went(to saved: SavedPrinter) -> Bool {
    guard let printerUUID, let theirs = saved.uuid else { return saved.uri == uri }
    let isSame = certificate == nil ? saved.name == printer : saved.certificate == certificate
    return printerUUID == theirs && (isSame || saved.uri == uri)
  }
}

extension JobRecord {
  /// Records the printer to which it is sent next, with the certificate by which that is known.
  package mutating func aim(at target: PrinterReference, knownBy certificate: Fingerprint? = nil) {
    (printer, uri, addresses) = (target.name, target.uri, target.addresses)
    (service, printerUUID) = (target.found?.service, target.saved?.uuid ?? target.found?.uuid)
    self.certificate = certificate
  }
}

extension PrinterReference {
  /// Makes a reference to the printer of a job's record, at its current address.
  ///
  /// It is found where it is saved; else at the address where it received the job, and by the name under which it was
  /// found, if it has to present a key: any other may have the name by now. Exit 78 if printers.toml is invalid.
  package init(of job: some PlacedJob, _ context: Context) throws(Failure) {
    let known = try context.settings.printers().printers.filter(job.went(to:))
    let named = known.first { $0.name == job.printer }
    if let same = named ?? known.first(where: { $0.uri == job.uri }) ?? known.first {
      self.init(same)
      // The settings of another name are not the job's.
      if named == nil { (role, name) = (nil, job.printer) }
    } else {
      self.init(name: job.printer, uri: job.uri, addresses: job.addresses)
    }
    certificate = job.certificate
    found = DNSSDIdentity(
      service: saved == nil && certificate != nil ? job.service : nil, uuid: job.printerUUID)
  }
}
