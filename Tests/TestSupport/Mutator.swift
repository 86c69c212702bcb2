/// Creates inputs from other inputs by cutting, splicing, and changing bytes and numbers.
///
/// The results are the same in every run.
package struct Mutator {
  private let seeds: [[UInt8]]
  private var dice: Dice

  /// - `number`: a seed; different seeds give different inputs.
  package init(seeds: [[UInt8]], number: Int = 0) {
    self.seeds = seeds
    dice = Dice(number)
  }

  /// Returns random bytes.
  package mutating func noise(_ count: ClosedRange<Int>) -> [UInt8] {
    (0..<Int.random(in: count, using: &dice)).map { _ in UInt8.random(in: 0...255, using: &dice) }
  }

  /// Returns the beginning of an input.
  package mutating func cut(_ bytes: [UInt8]) -> [UInt8] {
    Array(bytes.prefix(Int.random(in: 0..<max(1, bytes.count), using: &dice)))
  }

  /// Lengths and numbers at the edges of their ranges, and bytes with a meaning in some format.
  private static let pieces: [[UInt8]] =
    [
      [0xFF, 0xFF], [0x7F, 0xFF], [0x80, 0x00], [0x00, 0x00], [0x7F, 0xFF, 0xFF, 0xFF],
      [0x80, 0x00, 0x00, 0x00], [0xFF, 0xFF, 0xFF, 0xFF], [0x00, 0x00, 0x00, 0x00], [0x00], [0xC3],
      [0xE2, 0x80, 0xAE],
    ]
    + [
      "../", "-rf", "\n", "\u{1B}[2J", "9223372036854775807", "-1", "1e999", "%00", "%n", "[[",
      "]]",
      "\"\"\"", "=", "{}", "null", "custom_1x1mm", ",", "\\u0000",
    ].map { Array($0.utf8) }

  package mutating func next() -> [UInt8] {
    guard var bytes = seeds.randomElement(using: &dice) else { return [] }
    for _ in 0..<Int.random(in: 1...6, using: &dice) { change(&bytes) }
    return bytes
  }

  private mutating func change(_ bytes: inout [UInt8]) {
    let place = Int.random(in: 0...bytes.count, using: &dice)
    let end = min(bytes.count, place + Int.random(in: 1...16, using: &dice))
    switch Int.random(in: 0..<7, using: &dice) {
    case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
    case 1 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &dice)
    case 2: bytes.removeSubrange(place..<end)
    case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
    case 4:
      bytes.insert(contentsOf: Self.pieces.randomElement(using: &dice) ?? [], at: place)
    case 5:
      let piece = Self.pieces.randomElement(using: &dice) ?? []
      bytes.replaceSubrange(place..<min(bytes.count, place + piece.count), with: piece)
    default:
      let other = seeds.randomElement(using: &dice) ?? []
      bytes = bytes[..<place] + other.suffix(Int.random(in: 0...other.count, using: &dice))
    }
  }
}
