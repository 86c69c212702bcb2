import Testing

@testable import Receipts

@Suite struct SymbolTests {
  @Test func `another libzint than was linked is refused`() {
    for (file, met, isFit) in [
      ("libzint.so.2.11", 21_101, true), ("libzint.so.2.11", 21_200, false),
      ("libzint.so.2.1", 21_100, false), ("libzint.so.2", 21_500, true), (nil, 21_500, true),
    ] as [(String?, Int32, Bool)] {
      let fits = (try? Symbol.checkVersion(linked: file, met: met)) != nil
      #expect(fits == isFit, "\(file ?? "none") \(met)")
    }
  }
}
