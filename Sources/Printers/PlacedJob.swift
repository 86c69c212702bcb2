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
  var givenPasswords: [GivenPassword] { get }
}

extension JobRecord: PlacedJob {}
extension JobRecord.Orphan: PlacedJob { package var givenPasswords: [GivenPassword] { [] } }

extension PlacedJob {
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
  /// Returns the printer as one of those that a job of the journal is printed on: what was given with the job is for it
  /// if it was given for this printer.
  package func of(_ job: JobRecord, isNamed: Bool = false) -> PrinterReference {
    var target = self
    (target.isNamed, target.given) = (isNamed, job.givenPasswords)
    return target
  }

  /// Makes a reference to the printer of a job's record, at its current address.
  ///
  /// It is found where it is saved; else at the address where it received the job, and by the name under which it was
  /// found, if it has to present a key: any other may have the name by now. It gets what was given for it only over that
  /// key: nothing else proves that it is still the printer. Exit 78 if printers.toml is invalid.
  ///
  /// - `isNamed`: the command is about this job, or names its printer.
  package init(
    of job: some PlacedJob, isNamed: Bool = false, _ context: Context
  ) throws(Failure) {
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
    (self.isNamed, given) = (isNamed, job.givenPasswords.filter { $0.certificate != nil })
    found = DNSSDIdentity(
      service: saved == nil && certificate != nil ? job.service : nil, uuid: job.printerUUID)
  }
}
