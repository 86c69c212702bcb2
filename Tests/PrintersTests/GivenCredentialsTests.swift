import AirprintContext
import FoundationEssentials
import IPP
import PrintModel
import Submission
import TestSupport
import Testing

@testable import Printers

/// Credentials that are given to one command, and what a printer without encryption may ask for.
@Suite struct GivenCredentialsTests {
  private func context(_ variables: [String: String] = [:]) -> Context {
    let home = "\(Scratch.shared.path)/\(UUID().uuidString)"
    return Context(environment: variables.merging(["HOME": home]) { $1 })
  }

  private func job(_ certificate: Fingerprint?, _ passwordFile: String?) -> JobRecord {
    var job = JobRecord(
      name: "d", file: "d", printer: "A", uri: "ipps://192.0.2.7/ipp/print", addresses: [],
      user: "kay", created: 0)
    (job.certificate, job.passwordFile) = (certificate, passwordFile)
    return job
  }

  @Test(arguments: [["AIRPRINT_PASSWORD_FILE": "/b"], ["CREDENTIALS_DIRECTORY": "FOLDER"], [:]])
  func `those for one printer are none for another one's job`(_ variables: [String: String]) throws
  {
    let folder = "\(Scratch.shared.path)/\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data("b".utf8).write(to: URL(filePath: "\(folder)/airprint-password"))
    var context = context(variables.mapValues { $0 == "FOLDER" ? folder : $0 })
    if variables.isEmpty { context.passwordFile = "/b" }
    #expect(context.givenPasswordFile?.isEmpty == false)
    let key = Fingerprint(bytes: Array(repeating: UInt8(7), count: 32))
    #expect(job(key, nil).context(context).givenCredentials == nil)
    #expect(job(key, "/a").context(context).givenCredentials?.file == "/a")
    // Without a key, nothing proves that it is still the printer.
    #expect(job(nil, "/a").context(context).givenCredentials == nil)
  }

  @Test func `a document that goes out without encryption ends the first contact`() throws {
    let target = try PrinterReference(uri: "ipp://192.0.2.7/ipp/print")
    let context = context()
    let security = try PrinterTrust(context).security(of: target)
    #expect(security.trustsFirst)
    security.whenPlain()
    #expect(try !PrinterTrust(context).security(of: target).trustsFirst)
  }
}
