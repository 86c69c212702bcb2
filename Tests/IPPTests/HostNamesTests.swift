import System
import Testing

@testable import IPP

/// Names that need no resolver.
@Suite struct HostNamesTests {
  @Test(arguments: ["localhost", "LocalHost", "localhost.", "till.localhost", "till.localhost."])
  func `localhost is this machine without a resolver`(_ name: String) throws {
    #expect(
      try numericAddresses(of: name, patience: .seconds(5), Cancellation()) == ["127.0.0.1", "::1"])
  }

  @Test(arguments: ["localhost.invalid", "nolocalhost.invalid"])
  func `other names are looked up`(_ name: String) {
    #expect(throws: IPPError.self) {
      try numericAddresses(of: name, patience: .milliseconds(300), Cancellation())
    }
  }
}
