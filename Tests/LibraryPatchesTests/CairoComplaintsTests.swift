import Glibc
import LateLibraries
import Testing

@testable import LibraryPatches

@Suite(.serialized) struct CairoComplaintsTests {
  /// Standard output is a worker's connection to its parent.
  @Test func `what a library prints goes to standard error`() throws {
    try GraphicsLibraries.pdf.load()
    CairoComplaints.listen()
    _ = CairoComplaints.take()
    puts("some font thing failed")
    #expect(CairoComplaints.take())
  }
}
