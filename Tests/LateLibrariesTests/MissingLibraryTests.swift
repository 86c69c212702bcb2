@testable import LateLibraries
import Testing

/// The missing file, parsed from the dynamic loader's message.
@Suite struct MissingLibraryTests {
  @Test(arguments: [
    ("libgif.so.7: cannot open shared object file: No such file or directory", "libgif.so.7"),
    // A library that another one needs.
    (
      "libavahi-client.so.3: cannot open shared object file: No such file or directory",
      "libavahi-client.so.3"
    ),
    ("/lib/x86_64-linux-gnu/libcairo.so.2: file too short", "libcairo.so.2"),
    (
      "/lib/libz.so.1: version `ZLIB_1.3' not found (required by /lib/libpng16.so.16)", "libz.so.1"
    ),
    ("no reason given", "libgif.so.7"),
    ("", "libgif.so.7"),
  ])
  func `the file that is missing, not the one that was requested`(
    reason: String, culprit: String
  ) {
    let missing = LateLibrary.Missing(file: "libgif.so.7", reason: reason)
    #expect(missing.culprit == culprit)
  }
}
