package import AirprintContext
package import PrintModel
package import Submission

/// A job, or the rest of one, with facts about its printer.
package protocol PlacedJob {
  var printer: String { get }
  var uri: String { get }
  var addresses: [String] { get }
  var printerUUID: String? { get }
  var certificate: Fingerprint? { get }
  var passwordFile: String? { get }
}

extension JobRecord: PlacedJob {}
extension JobRecord.Orphan: PlacedJob { package var passwordFile: String? { nil } }

extension PlacedJob {
  /// Returns the context for its printer, which this command did not name: it receives the credentials with which the
  /// job was begun, and only if it has to present the key that it had then.
  package func context(_ context: Context) -> Context {
    context.giving(certificate == nil ? nil : passwordFile)
  }
}

extension PrinterReference {
  /// Makes a reference to the printer of a job's record, at its current address.
  ///
  /// It is found where it is saved, by its UUID and certificate at that time, or by its UUID and name; else at the
  /// address where it received the job. Exit 78 if printers.toml is invalid.
  package init(of job: some PlacedJob, _ context: Context) throws(Failure) {
    let saved = try context.settings.printers().printers.filter { saved in
      guard let uuid = job.printerUUID, let theirs = saved.uuid else {
        return saved.uri == job.uri
      }
      let isSame = job.certificate.map { $0 == saved.certificate } ?? false
      return uuid == theirs && (isSame || saved.name == job.printer || saved.uri == job.uri)
    }
    let named = saved.first { $0.name == job.printer }
    if let same = named ?? saved.first(where: { $0.uri == job.uri }) ?? saved.first {
      self.init(same)
      // The settings of another name are not the job's.
      if named == nil { (role, name) = (nil, job.printer) }
    } else {
      self.init(name: job.printer, uri: job.uri, addresses: job.addresses)
    }
    found = DNSSDIdentity(uuid: job.printerUUID)
    certificate = job.certificate
  }
}
