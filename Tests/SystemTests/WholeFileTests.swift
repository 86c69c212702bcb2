import System
import Testing

@Suite struct WholeFileTests {
  /// FoundationEssentials returns its first page only.
  @Test func `a file of /proc is read to its end`() {
    let maps = wholeFile("/proc/self/maps")
    #expect(maps.count > 8_192, "\(maps.count)")
    #expect(maps.last == UInt8(ascii: "\n"))
    #expect(wholeFile("/proc/self/maps", most: 1) == [maps[0]])
    #expect(wholeFile("/proc/self/nothing").isEmpty)
  }
}
