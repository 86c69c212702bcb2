import FoundationEssentials
@testable import PrintModel
import Testing

@testable import Submission

/// A job's record, read by the version that wrote it, and by older and newer ones.
@Suite struct JobRecordTests {
  private let old = """
    {"id": "abcde", "name": "n", "file": "f", "printer": "Office", "uri": "ipps://192.0.2.7/ipp/print",
     "user": "kay", "created": 1, "phase": "sent", "orphans": [{"name": "n", "user": "kay",
     "printer": "Office", "uri": "ipp://192.0.2.7/ipp/print", "addresses": [], "since": 1}]}
    """

  @Test func `a record without the printer's identity is read`() throws {
    let record = try JSONDecoder().decode(JobRecord.self, from: Data(old.utf8))
    #expect(record.certificate == nil && record.printerUUID == nil)
    #expect(record.orphans.map(\.certificate) == [nil])
  }

  @Test(arguments: ["1e30", "-1e308", "9e18", "-1", "253402300800"])
  func `a time that has no date makes no record`(_ time: String) throws {
    let edited = [
      old.replacing("\"created\": 1", with: "\"created\": \(time)"),
      old.replacing("\"since\": 1", with: "\"since\": \(time)"),
      old.replacing("\"phase\"", with: "\"ended\": \(time), \"phase\""),
    ]
    for text in edited {
      #expect(text != old)
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(JobRecord.self, from: Data(text.utf8))
      }
    }
  }

  /// A receipt's pictures are beside its copy, with their own names.
  @Test(arguments: [
    ("logo.png", true), ("pictures/logo.png", true), ("secrets/a.png", true), ("cancel", false),
    ("move", false), ("cancel/logo.png", false), ("job.json/a.png", false), ("secret/a.png", false),
    ("../a.png", false), ("a/.b/c.png", false), ("", false),
  ])
  func `a copy is none of the journal's own files`(_ name: String, _ isInside: Bool) {
    #expect(JobRecord.Copy.isInside(name) == isInside)
  }

  @Test func `a job that is sent anew has nothing of the printer's job before`() throws {
    var record = try JSONDecoder().decode(JobRecord.self, from: Data(old.utf8))
    record.phase = .created
    let initial = record
    let proof = try #require(NothingPrinted(record))
    record.identity = JobIdentity(JobStatus(id: 7, state: .pending))
    record.search = JobSearch(name: "n", user: "kay", before: [1])
    (record.sides, record.state, record.impressions, record.trouble) = (3, "canceled", 0, "jam")
    record.retract(proof)
    var expected = initial
    expected.phase = .accepted
    #expect(record == expected)
  }

  @Test func `the printer's identity is kept`() throws {
    var record = try JSONDecoder().decode(JobRecord.self, from: Data(old.utf8))
    record.certificate = Fingerprint(bytes: Array(0..<32))
    record.printerUUID = "12345678-9abc-def0-1234-56789abcdef0"
    record.service = ServiceName(instance: "Office", domain: "local")
    record.orphans[0].certificate = record.certificate
    record.orphans[0].service = record.service
    let written = try JSONEncoder().encode(record)
    #expect(try JSONDecoder().decode(JobRecord.self, from: written) == record)
    #expect(String(decoding: written, as: UTF8.self).contains("\"printerUuid\""))
  }

  @Test func `a request has the keys that it always had, those of its handling among them`() throws
  {
    var request = JobRequest()
    request.printers = ["Office"]
    request.type = "photo"
    request.options = [.init(name: "copies", value: "2")]
    request.title = "t"
    request.hasPIN = true
    request.locale = ["LANG": "C"]
    request.handling.force = true
    request.handling.strict = true
    request.handling.endsWhenSent = true
    request.handling.notifies = true
    request.handling.timeout = .seconds(60)
    request.handling.leavesOnTimeout = false
    let text = """
      {"force":true,"leaveOnTimeout":false,"locale":{"LANG":"C"},"noWait":true,"notify":true,\
      "options":[{"name":"copies","value":"2"}],"pin":true,"printers":["Office"],"strict":true,\
      "timeout":60,"title":"t","type":"photo"}
      """
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(request), as: UTF8.self) == text)
    #expect(try JSONDecoder().decode(JobRequest.self, from: Data(text.utf8)) == request)
    // Options that were not typed are not written.
    #expect(String(decoding: try encoder.encode(JobRequest()), as: UTF8.self) == #"{"options":[]}"#)
    #expect(try JSONDecoder().decode(JobRequest.self, from: Data("{}".utf8)) == JobRequest())
  }
}
