import DNSSD
import PrintModel
import Testing

@testable import Discovery

@Suite struct PackedAdvertisementTests {
  @Test(arguments: [
    [],
    [
      "rp=printers/Büro", "priority=7", "UUID=cfe92100-67c4-11d4-a45f-dccd2f1b3a2e", "ty=Laser 5",
      "note=2nd floor", "kind=receipt,roll,large-format", "Color=T", "Duplex=F",
      "pdl=image/urf,application/pdf", "URF=W8,DM1", "air=username,password", "usb_SER=X",
      "printer-type=0x1",
    ],
    ["note=" + String(repeating: "ü", count: 120), "Color=F", "Duplex=T", "URF=none", "rp=/"],
    (0..<60).map { "k\($0)=v" } + ["pdl=" + (0..<60).map { "a/\($0)" }.joined(separator: ",")],
  ])
  func `an advertisement comes back as it was`(_ txt: [String]) throws {
    let addresses = ["192.0.2.7", "2001:db8::7", "fe80::7%eth0"]
    for (isUniversal, type) in [(false, "_ipp._tcp"), (true, "_ipps._tcp")] {
      let (service, details) = sighting("Laser", type, port: 65_535, at: addresses, txt: txt)
      let before = try #require(Advertisement(service, details, isUniversal: isUniversal))
      let packed = PackedAdvertisement(before)
      #expect(packed.advertisement(of: service) == before)
      // The same facts are the same bytes, in which order ever a set has its types.
      #expect(packed == PackedAdvertisement(packed.advertisement(of: service)))
    }
  }

  @Test func `another host, address or fact is another advertisement`() throws {
    let one = sighting("Laser", txt: ["note=a"])
    let others = [
      sighting("Laser", host: "other.local", txt: ["note=a"]), sighting("Laser", txt: ["note=b"]),
      sighting("Laser", at: ["192.0.2.8"], txt: ["note=a"]), sighting("Laser", txt: []),
    ]
    let packed = try ([one] + others).map { service, details in
      PackedAdvertisement(
        try #require(Advertisement(service, details, isUniversal: false)))
    }
    #expect(!packed.dropFirst().contains(packed[0]))
  }
}
