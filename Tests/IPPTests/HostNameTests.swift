import System
import Testing

@testable import IPP

/// Names that need no resolver.
@Suite struct HostNameTests {
  // With an /etc/hosts, as most machines have it, the plain name is found in any case.
  @Test(arguments: ["localhost", "LOCALHOST", "localhost.", "till.localhost", "till.localhost."])
  func `localhost is this machine, also without /etc/hosts`(_ name: String) throws {
    let addresses = try numericAddresses(of: name, timeout: .seconds(5), Cancellation())
    #expect(addresses == ["127.0.0.1", "::1"])
  }

  @Test(arguments: ["localhost.invalid", "nolocalhost.invalid"])
  func `names that only look like it are not`(_ name: String) {
    #expect(throws: IPPError.self) {
      try numericAddresses(of: name, timeout: .seconds(5), Cancellation())
    }
  }
}
