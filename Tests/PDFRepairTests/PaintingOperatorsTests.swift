import Testing

@testable import PDFRepair

/// The distinction between pages that are meant to be blank and those that may draw something.
@Suite struct PaintingOperatorsTests {
  @Test(arguments: [
    ("", false), ("q Q", false), ("q 1 0 0 1 5 5 cm /GS0 gs 0.5 g Q\n", false),
    ("0 0 9 9 re W n", false), ("BT /F1 12 Tf ET", false), ("1 1 1 rg 0 0 9 9 re f", true),
    ("0 0 m 9 9 l S", true), ("0 0 9 9 re f*", true), ("BT (a)Tj ET", true), ("[(a)]TJ", true),
    ("(a)'", true), ("1 2(a)\"", true), ("/X Do", true), ("/X Do/Y gs", true), ("/S sh", true),
    ("BI /W 1 /H 1 ID \u{1} EI", true), ("9 9 l 2S", true), ("0 0 9 9 re B%comment", true),
  ])
  func `operators that leave marks`(_ content: String, _ expected: Bool) {
    #expect(PDFObjects.mayPaint(Array(content.utf8)) == expected, "\(content)")
  }
}
