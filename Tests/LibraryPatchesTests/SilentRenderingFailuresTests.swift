import Glibc
import LateLibraries
import Testing

@testable import LibraryPatches

@Suite(.serialized) struct SilentRenderingFailuresTests {
  /// Standard output is a worker's connection to its parent.
  @Test func `what a library prints goes to standard error`() throws {
    try GraphicsLibraries.pdf.load()
    SilentRenderingFailures.listen()
    _ = SilentRenderingFailures.take()
    puts("some font thing failed")
    #expect(SilentRenderingFailures.take() != nil)
  }
}
