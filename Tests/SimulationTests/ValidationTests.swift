import FoundationEssentials
import PrintModel
import TestSupport
import Testing

@testable import IPP
@testable import Simulation

/// The validation of jobs by a simulated printer (RFC 8011 §4.1.7, §4.2.1.2).
@Suite struct ValidationTests {
  private func verdict(
    _ job: [Attribute], _ operation: [Attribute] = [], profile: String = "laser",
    recorded: [Attribute] = []
  ) throws -> SimulatedPrinter.Verdict {
    var profile = try Profile.named(profile)
    profile.recorded = AttributeSet(recorded)
    let printer = SimulatedPrinter(
      profile, Identity(name: "Sim", location: "", port: 8631),
      SimulatedPrinter.Options(
        folder: try OwnFolder(Scratch.shared.path), draw: { _ in },
        decode: { (_) throws(Failure) in throw Failure(.document, "No raster is read here.") })
    ) { _ in }
    let message = Request(.printJob, operationAttributes: operation, jobAttributes: job).encode()
    var reader = ByteReader(message.bytes)
    return printer.validate(ReceivedRequest(try ReceivedMessage(from: &reader)))
  }

  private static let a5 = [
    Attribute(
      "media-col",
      .collection([
        Attribute(
          "media-size",
          .collection([
            Attribute("x-dimension", .integer(14_800)), Attribute("y-dimension", .integer(21_000)),
          ]))
      ]))
  ]

  @Test(arguments: [
    Attribute("media", .keyword("iso_a4_210x297mm")),
    // Within the limits of the manual feed tray.
    Attribute("media", .keyword("custom_x_150x200mm")), Attribute("copies", .integer(999)),
    Attribute("sides", .keyword("two-sided-long-edge")),
    Attribute("print-quality", .enumeration(5)),
    Attribute("printer-resolution", .resolution(Resolution(600))),
    Attribute("page-ranges", .range(1...3)), Attribute("job-priority", .integer(100)),
    Attribute("overrides", .collection([])),
  ])
  func `the laser takes it`(_ attribute: Attribute) throws {
    let verdict = try verdict([attribute])
    #expect(verdict.response.status == .ok && verdict.accepted.map(\.name) == [attribute.name])
  }

  @Test(arguments: [
    Attribute("media", .keyword("iso_a0_841x1189mm")), Attribute("media", .keyword("paper")),
    Attribute("copies", .integer(1_000)), Attribute("copies", .integer(0)),
    Attribute("print-color-mode", .keyword("color")), Attribute("print-quality", .enumeration(6)),
    Attribute("printer-resolution", .resolution(Resolution(1_200))),
    Attribute("page-ranges", .range(0...3)), Attribute("job-priority", .integer(101)),
    Attribute("job-hold-until", .keyword("night")), Attribute("no-such-attribute", .keyword("x")),
  ])
  func `the laser leaves it out, and refuses the job where that was requested`(
    _ attribute: Attribute
  ) throws {
    let good = Attribute("copies", .integer(2))
    let other = attribute.name == "copies" ? Attribute("sides", .keyword("one-sided")) : good
    let left = try verdict([other, attribute])
    #expect(left.response.status == .ignoredOrSubstituted)
    #expect(left.response.unsupported.all.map(\.name) == [attribute.name])
    #expect(left.accepted.map(\.name) == [other.name])
    let refused = try verdict(
      [other, attribute], [Attribute("ipp-attribute-fidelity", .boolean(true))])
    #expect(refused.response.status == .attributesOrValues && refused.accepted.isEmpty)
    #expect(refused.response.unsupported.all.map(\.name) == [attribute.name])
  }

  @Test(arguments: [
    (["copies"], Status.ignoredOrSubstituted), (["sides", "copies"], .attributesOrValues),
    (["sides"], .attributesOrValues), ([], .ignoredOrSubstituted),
  ])
  func `a mandatory attribute that can't be granted refuses the job`(
    _ names: [String], _ status: Status
  ) throws {
    let mandatory = Attribute("job-mandatory-attributes", names.map { .keyword($0) })
    let verdict = try verdict(
      [Attribute("copies", .integer(2)), Attribute("sides", .keyword("inside-out"))],
      names.isEmpty ? [] : [mandatory])
    #expect(verdict.response.status == status)
    #expect(verdict.response.unsupported.all.map(\.name) == ["sides"])
  }

  @Test(arguments: [
    ([], Status.badRequest),
    (
      [Attribute("client-name", .name("x")), Attribute("client-type", .enumeration(3))], .badRequest
    ),
    (
      [
        Attribute("client-name", .keyword("x")), Attribute("client-type", .enumeration(3)),
        Attribute("client-string-version", .string(.text, "1")),
      ], .badRequest
    ),
    (
      [
        Attribute("client-name", .name("x")), Attribute("client-type", .enumeration(3)),
        Attribute("client-string-version", .string(.text, "1")),
      ], .ok
    ),
  ])
  func `client-info has its members in their syntax`(
    _ members: [Attribute], _ status: Status
  ) throws {
    let verdict = try verdict([], [Attribute("client-info", .collection(members))])
    #expect(verdict.response.status == status)
  }

  @Test(arguments: [
    (Attribute("job-account-id", .name("42")), Status.ok),
    (Attribute("job-accounting-user-id", .name("anna")), .ok),
    (Attribute("job-account-id", .integer(42)), .ignoredOrSubstituted),
    (Attribute("job-account-type", .keyword("group")), .ok),
    (Attribute("job-account-type", .keyword("rich")), .ignoredOrSubstituted),
  ])
  func `an account is any name`(_ account: Attribute, _ status: Status) throws {
    #expect(try verdict([account]).response.status == status)
  }

  @Test func `the label printer takes what labels need`() throws {
    let good = [
      Attribute("print-darkness", .integer(-100)), Attribute("print-speed", .integer(2_540)),
      Attribute("label-mode", .keyword("peel-off")), Attribute("label-tear-offset", .integer(-200)),
    ]
    #expect(try verdict(good, profile: "label").response.status == .ok)
    for bad in [Attribute("print-darkness", .integer(101)), Attribute("print-speed", .integer(1))] {
      #expect(
        try verdict([bad], profile: "label").response.unsupported.all.map(\.name) == [bad.name])
    }
  }

  @Test func `what it does not combine is left out, and refused where that was requested`() throws {
    let sides = Attribute("sides", .keyword("two-sided-long-edge"))
    let constraint = Attribute(
      "job-constraints-supported",
      .collection([sides, Attribute("media", .keyword("iso_a5_148x210mm"))]))
    let job = Self.a5 + [sides, Attribute("copies", .integer(2))]
    let left = try verdict(job, recorded: [constraint])
    #expect(left.response.status == .conflictSubstituted)
    #expect(left.response.unsupported.all.map(\.name) == ["sides"])
    #expect(left.accepted.map(\.name) == ["media-col", "copies"])
    let refused = try verdict(
      job, [Attribute("ipp-attribute-fidelity", .boolean(true))], recorded: [constraint])
    #expect(refused.response.status == .conflictingAttributes && refused.accepted.isEmpty)
    #expect(try verdict([sides], recorded: [constraint]).response.status == .ok)
  }

  /// The first without fidelity, the second with it.
  @Test func `every conflict counts, and one within the medium, too`() throws {
    let sides = Attribute("sides", .keyword("two-sided-long-edge"))
    let quality = Attribute("print-quality", .enumeration(5))
    let medium = Attribute("media", .keyword("iso_a5_148x210mm"))
    func constraints(_ entries: [Attribute]...) -> [Attribute] {
      [Attribute("job-constraints-supported", entries.map { .collection($0) })]
    }
    let cases = [
      (constraints([sides, medium], [quality, medium]), ["sides", "print-quality"]),
      (constraints([sides, quality], [quality, medium]), ["sides", "print-quality"]),
      (constraints([medium]), ["media-col"]),
    ]
    for (recorded, names) in cases {
      let job = Self.a5 + [sides, quality, Attribute("copies", .integer(2))]
      let left = try verdict(job, recorded: recorded)
      #expect(left.response.status == .conflictSubstituted)
      #expect(left.response.unsupported.all.map(\.name) == names)
      let kept = try verdict(left.accepted, recorded: recorded)
      #expect(kept.response.status == .ok && kept.accepted == left.accepted)
      let refused = try verdict(
        job, [Attribute("ipp-attribute-fidelity", .boolean(true))], recorded: recorded)
      #expect(refused.response.status == .conflictingAttributes && refused.accepted.isEmpty)
    }
  }

  /// The office printer's own lists: what it refuses with fidelity, the resolver grants.
  @Test(arguments: [
    ("photo-sides", Attribute("sides", .keyword("two-sided-long-edge"))),
    ("photo-draft", Attribute("print-quality", .enumeration(3))),
  ])
  func `a profile's resolver ends its conflict`(_ name: String, _ value: Attribute) throws {
    let profile = AttributeSet(try Profile.named("office").combinations)
    let photo = Attribute("media-type", .keyword("com.example.advanced-photo"))
    let column = Attribute("media-col", .collection([photo]))
    let fidelity = [Attribute("ipp-attribute-fidelity", .boolean(true))]
    let refused = try verdict([value, column], fidelity, profile: "office")
    #expect(refused.response.status == .conflictingAttributes && refused.accepted.isEmpty)
    let left = try verdict([value, column], profile: "office")
    #expect(left.response.status == .conflictSubstituted)
    #expect(left.accepted.map(\.name) == ["media-col"])
    let instead = try #require(JobConstraint.resolvers(in: profile)[name])
    #expect(try verdict(instead + [column], fidelity, profile: "office").response.status == .ok)
    let preset = try #require(JobPreset.list(in: profile).first)
    #expect(
      JobTrigger.list(in: profile).contains { $0.preset == preset.name && $0.isMet(by: [column]) })
    #expect(try verdict(preset.attributes, fidelity, profile: "office").response.status == .ok)
  }

  /// Each member of media-col is one that the printer lists, with a value that it lists.
  @Test(arguments: [
    ("media-source", "main", Status.ok), ("media-source", "auto", .ok),
    ("media-source", "photo", .ignoredOrSubstituted), ("media-type", "envelope", .ok),
    ("media-type", "glossy", .ignoredOrSubstituted), ("media-color", "blue", .ignoredOrSubstituted),
  ])
  func `a medium has only what the printer lists`(
    _ name: String, _ value: String, _ status: Status
  ) throws {
    let column = Attribute("media-col", .collection([Attribute(name, .keyword(value))]))
    #expect(try verdict([column]).response.status == status)
  }

  @Test(arguments: [
    ("job-sheets", "standard", Status.ok), ("job-sheets", "secret", .ignoredOrSubstituted),
    ("media-color", "blue", .ignoredOrSubstituted),
  ])
  func `a collection has only what the printer lists`(
    _ name: String, _ value: String, _ status: Status
  ) throws {
    let sheets = Attribute("job-sheets-col", .collection([Attribute(name, .keyword(value))]))
    let listed = [
      Attribute("job-sheets-col-supported", .keyword("job-sheets")),
      Attribute("job-sheets-supported", .keyword("none"), .keyword("standard")),
    ]
    #expect(try verdict([sheets], recorded: listed).response.status == status)
  }

  @Test func `a size may be asked for by its lengths`() throws {
    #expect(try verdict(Self.a5).response.status == .ok)
    // The roll is 80 mm wide, and can't hold such a sheet.
    #expect(try verdict(Self.a5, profile: "receipt").response.status == .ignoredOrSubstituted)
  }

  @Test(arguments: [(8_000, 10_000, true), (8_000, 300_000, false), (7_000, 10_000, false)])
  func `a roll is cut within its bounds, and as wide as it is`(
    _ width: Int, _ length: Int, _ isGranted: Bool
  ) throws {
    let size = [
      Attribute("x-dimension", .integer(width)), Attribute("y-dimension", .integer(length)),
    ]
    let column = Attribute("media-col", .collection([Attribute("media-size", .collection(size))]))
    let status = try verdict([column], profile: "receipt").response.status
    #expect(status == (isGranted ? .ok : .ignoredOrSubstituted))
  }

  @Test(arguments: [
    (Attribute("document-format", .mediaType("text/html")), Status.documentFormatNotSupported),
    (Attribute("compression", .keyword("compress")), .compressionNotSupported),
    (Attribute("job-password-encryption", .keyword("md5")), .attributesOrValues),
  ])
  func `a document that can't be read is refused whatever else is asked for`(
    _ attribute: Attribute, _ status: Status
  ) throws {
    let verdict = try verdict([Attribute("copies", .integer(2))], [attribute])
    #expect(verdict.response.status == status && verdict.accepted.isEmpty)
    #expect(verdict.response.unsupported.all.map(\.name) == [attribute.name])
  }

  @Test(arguments: [
    Attribute("document-format", .mediaType("application/pdf")),
    Attribute("document-format", .mediaType("application/octet-stream")),
    Attribute("compression", .keyword("gzip")), Attribute("compression", .keyword("none")),
    Attribute("job-password-encryption", .keyword("sha2-256")),
  ])
  func `a document that can be read is taken`(_ attribute: Attribute) throws {
    #expect(try verdict([], [attribute]).response.status == .ok)
  }
}

/// Properties that are the same each time a printer is simulated.
@Suite struct SimulatedIdentityTests {
  private func uuid(_ name: String) -> String {
    Identity(name: name, location: "", port: 8631).uuid
  }

  @Test func `a printer of the same name is the same printer, of another name another`() {
    #expect(uuid("Sim Laser") == uuid("Sim Laser"))
    #expect(uuid("Sim Laser") != uuid("Sim Laser 2"))
    // RFC 9562 §5.8: version 8, variant 10.
    let parts = uuid("Sim Laser").split(separator: "-").map(String.init)
    #expect(parts.suffix(5).dropFirst(2).first?.hasPrefix("8") == true, "\(parts)")
    #expect(["8", "9", "a", "b"].contains(parts.suffix(2).first?.lowercased().prefix(1) ?? ""))
  }

  @Test func `jobs are counted on from what a folder holds`() throws {
    let folder = "\(Scratch.shared.path)/counted-\(UUID().uuidString)"
    #expect(JobFolder.firstFree(in: folder) == 1)
    for name in ["job-3", "job-12", "job-x", "other-99"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
    }
    #expect(JobFolder.firstFree(in: folder) == 13)
  }

  @Test func `a profile that does not exist is exit 64 with those that do`() {
    #expect { try Profile.named("fax") } throws: { error in
      let failure = error as? Failure
      return failure?.code == .usage && failure?.message.contains("laser, inkjet") == true
    }
    #expect(throws: Never.self) { try Profile.named("LASER") }
  }

  @Test func `urf-supported says what the profile has`() throws {
    #expect(
      try Profile.named("laser").urf == [
        "V1.4", "CP255", "W8", "DM1", "IS1-2-19", "RS300-600", "PQ3-4-5", "IFU0", "OB10",
      ])
    #expect(
      try Profile.named("receipt").urf == [
        "V1.4", "CP255", "W8", "IS9", "RS203", "PQ3-4-5", "IFU0", "OB10", "FN3-11",
      ])
  }
}
