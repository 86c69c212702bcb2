/// Places of an article number's digits below its bars (GS1 General Specifications, 5.2.3 and 5.2.6): in groups between
/// longer guard bars, and some outside.
///
/// Places are modules from the first bar.
struct ArticleNumber {
  struct Group: Equatable {
    var text: String
    /// Negative, or beyond the last bar: outside.
    var place: Range<Int>
  }

  let groups: [Group]
  let guards: [Range<Int>]
  /// Extra length of the guard bars, in modules.
  static let guardLength = 5.0

  /// nil for a code of another kind, and for a number with a wrong number of digits.
  init?(_ kind: BarcodeKind, text: String) {
    let digits = Array(text.filter { $0.isASCII && $0.isNumber })
    func group(_ part: Range<Int>, _ place: Range<Int>) -> Group {
      Group(text: String(digits[part]), place: place)
    }
    switch (kind, digits.count) {
    case (.ean13, 13):
      groups = [group(0..<1, -9 ..< -1), group(1..<7, 3..<45), group(7..<13, 50..<92)]
      guards = [0..<3, 45..<50, 92..<95]
    case (.ean8, 8):
      groups = [group(0..<4, 3..<31), group(4..<8, 36..<64)]
      guards = [0..<3, 31..<36, 64..<67]
    case (.upca, 12):
      groups = [
        group(0..<1, -9 ..< -1), group(1..<6, 10..<45), group(6..<11, 50..<85),
        group(11..<12, 96..<104),
      ]
      // The bars of the first and last digits are as long as the guards.
      guards = [0..<10, 45..<50, 85..<95]
    default: return nil
    }
  }
}
