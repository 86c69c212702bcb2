import Testing

@testable import PDFRepair

/// Q operators without a matching q.
@Suite struct UnbalancedGraphicsStatesTests {
  @Test(
    arguments: [
      ("q Q", nil), ("Q", " "), ("q Q Q q Q", "q Q   q Q"), ("q q Q", nil),
      ("1 0 0 rg Q f", "1 0 0 rg   f"),
      ("(Q) <51> << /Q /Q >> % Q", nil), ("(\\)Q) Q", "(\\)Q)  "), ("((Q)Q)Q", "((Q)Q) "),
      ("% q\nQ", "% q\n "), ("9 9 9 rgQ", nil), ("0Q", "0 "), ("[Q", "[ "), ("<<Q", "<< "),
      ("BI /W 1 ID Q EI Q", "BI /W 1 ID Q EI  "), ("BI ID q", nil), ("BI ID q EIQ Q EI", nil),
      ("(Q", nil), ("<", nil), ("<Q", nil), ("/", nil), ("%", nil), ("ID", nil), ("", nil),
      ("(\\", nil),
    ] as [(String, String?)])
  func `become spaces`(_ content: String, _ expected: String?) {
    let repaired = UnbalancedGraphicsStates.repaired(Array(content.utf8))
    #expect(repaired.map { String(decoding: $0, as: UTF8.self) } == expected)
  }
}
