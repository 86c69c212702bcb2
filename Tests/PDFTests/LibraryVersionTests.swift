import LateLibraries
import Testing

@testable import PDF

/// Versions from headers, in the format that the loaded library reports.
@Suite struct LibraryVersionTests {
  @Test func `Poppler's month has two digits`() {
    #expect(LibraryVersion.popplerVersion(26, 7, 0) == "26.07.0")
    #expect(LibraryVersion.popplerVersion(22, 12, 1) == "22.12.1")
  }
}
