import PrintModel
import Testing

@Suite struct ExitCodeTests {
  /// Exit codes, worst first.
  ///
  /// 143 is the same as 130, for another signal.
  private static let worstFirst: [Int32] = [
    130, 143, 70, 74, 82, 73, 77, 80, 81, 76, 75, 69, 78, 65, 66, 64, 1, 0,
  ]

  @Test func `every code has its place`() {
    #expect(Set(ExitCode.allCases.map(\.rawValue)) == Set(ExitCodeTests.worstFirst))
    #expect(ExitCode.allCases.count == ExitCodeTests.worstFirst.count)
  }

  @Test func `of two codes the worse one stands, whichever came first`() throws {
    let codes = try ExitCodeTests.worstFirst.map { try #require(ExitCode(rawValue: $0)) }
    for (place, worse) in codes.enumerated() {
      for better in codes[place...] {
        #expect(ExitCode.worst(of: [worse, better]) == worse)
        #expect(ExitCode.worst(of: [better, worse]) == worse)
      }
    }
  }

  @Test func `one code among many, and none at all`() {
    let many = Array(repeating: ExitCode.success, count: 1000) + [.notNow, .nothing]
    #expect(ExitCode.worst(of: many) == .notNow)
    #expect(ExitCode.worst(of: []) == .success)
  }
}
