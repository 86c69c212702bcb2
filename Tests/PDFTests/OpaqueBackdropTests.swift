import PrintModel
import Testing

@testable import PDF

/// Pages that are painted completely before anything else.
@Suite struct OpaqueBackdropTests {
  @Test(arguments: [
    ("1 g 0 0 300 200 re f /Z gs", true),
    ("q 0 0 300 200 re W n 1 0 0 rg -1 -1 302 202 re f*", true),
    ("/C cs 1 0 0 scn 300 200 -300 -200 re f", true), ("100 0 0 100 0 0 cm 0 0 3 2 re f", true),
    ("q 2 0 0 2 9 9 cm Q 0 0 300 200 re f", true), ("0 0 5 5 re 0 0 300.02 199.95 re f", true),
    ("0 0 300 100 re f", false), ("/Z gs 0 0 300 200 re f", false),
    ("2 0 0 2 9 9 cm 0 0 300 200 re f", false), ("0 0 300 200 re S", false),
    ("0 0 9 9 re W n 0 0 300 200 re f", false), ("/X Do 0 0 300 200 re f", false),
    ("/Pattern cs /P scn 0 0 300 200 re f", false), ("0 0 300 200 re n", false),
    ("0 0 m 300 200 l f", false), ("0 1 1 0 0 0 cm 0 0 300 200 re f", false),
    ("/OC /A BDC 0 0 300 200 re f EMC", false), ("0 0 300 200 re", false), ("re f", false),
    ("", false),
  ])
  func `by a rectangle`(_ content: String, _ expected: Bool) {
    let page = Rectangle(x: 0, y: 0, width: 300, height: 200)
    #expect(OpaqueBackdrop.isPainted(by: Array(content.utf8), over: page) == expected)
  }
}
