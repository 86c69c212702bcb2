/// Operators of a content stream that leave marks (ISO 32000-1 Table 51): paths and shadings, text, pictures and forms.
enum PaintingOperators {
  private static let all = Set(
    "S s f F f* B B* b b* sh Tj TJ ' \" BI Do".split(separator: " ").map { Array($0.utf8) })

  /// True when these bytes may contain one.
  ///
  /// Names and strings that look like an operator count as one.
  static func mayBe(in content: some Collection<UInt8>) -> Bool {
    content
      .split { $0 <= 32 || "()<>[]{}/%".utf8.contains($0) }
      // A number may directly precede an operator.
      .contains { word in
        word.count < 64 && all.contains(Array(word.drop { "+-.0123456789".utf8.contains($0) }))
      }
  }
}
