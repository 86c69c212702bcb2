import AirprintContext
import PrintModel
import Testing

/// Certificates of printers that are not saved.
@Suite struct CertificatePinsTests {
  @Test func `a place, a name and a UUID are three keys`() throws {
    let folders = try Folders()
    var places = folders.places
    places.state = "\(folders.path)/state"
    let pins = CertificatePins(places)
    let keys: [CertificatePins.Key] = [
      .place(host: "name", port: 631), .name("631"), .uuid("631"), .name("../a/b ü"),
      .name(String(repeating: "ü", count: 100)),
    ]
    for (index, key) in keys.enumerated() {
      #expect(try pins.certificate(of: key) == nil)
      try pins.keep(Fingerprint(bytes: Array(repeating: UInt8(index), count: 32)), of: key)
    }
    for (index, key) in keys.enumerated() {
      #expect(try pins.certificate(of: key)?.bytes.first == UInt8(index))
    }
    #expect(try pins.certificate(of: .name("../A/b Ü"))?.bytes.first == 3)
    #expect(throws: Failure.self) {
      try pins.keep(Fingerprint(bytes: Array(repeating: 9, count: 32)), of: keys[0]) {
        () throws(Failure) in throw Failure(.notAllowed, "Changed.")
      }
    }
    #expect(try pins.certificate(of: keys[0])?.bytes.first == 0)
    #expect(pins.all.count == keys.count)
    try pins.keep(nil, of: keys[0])
    #expect(try pins.certificate(of: keys[0]) == nil)
    #expect(pins.all.count == keys.count - 1)
  }

  /// It is no settings file: another variable moves it.
  @Test func `73: the folder can't be made`() throws {
    let folders = try Folders(user: ["config.toml": ""])
    var places = folders.places
    places.state = "\(places.configuration)/config.toml/below"
    let failure = #expect(throws: Failure.self) {
      try CertificatePins(places).keep(Fingerprint(bytes: Array(0..<32)), of: .uuid("1"))
    }
    #expect(failure?.code == .cannotWrite)
    #expect(failure?.message.contains("Set XDG_STATE_HOME to a folder") == true)
  }

  @Test func `a printer that took a password without encryption is remembered until it encrypts`()
    throws
  {
    let folders = try Folders()
    var places = folders.places
    places.state = "\(folders.path)/state"
    let pins = CertificatePins(places)
    let key = CertificatePins.Key.place(host: "printer.local", port: 631)
    #expect(!pins.isKnownWithout(key))
    try pins.keep(nil, of: key)
    #expect(pins.isKnownWithout(key))
    #expect(try pins.certificate(of: key) == nil && pins.all.isEmpty)
    try pins.keep(Fingerprint(bytes: Array(0..<32)), of: key)
    #expect(!pins.isKnownWithout(key))
  }
}
