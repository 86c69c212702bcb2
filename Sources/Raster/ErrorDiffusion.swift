/// Floyd–Steinberg error diffusion, row by row: the error of making a pixel ink or paper is passed on to its neighbors,
/// so that a picture keeps its tones in one bit.
///
/// Black and white pixels stay as they are and take no error. Gray next to them, in the same row or below them, is the
/// smoothed edge of a letter and becomes whichever of both is nearer: letters and barcodes keep hard edges, even beside
/// a picture.
struct ErrorDiffusion {
  /// Error passed on by rows above, in sixteenths; one extra element at each end.
  private var here: [Int32]
  private var below: [Int32]
  private var runsLeft = false
  /// The previous row and this one before diffusion; one extra element at each end.
  private var above: [UInt8]
  private var row: [UInt8]

  init(width: Int) {
    here = Array(repeating: 0, count: width + 2)
    below = here
    above = Array(repeating: 128, count: width + 2)
    row = above
  }

  /// Gray at or beyond these limits is text or paper.
  private static let black: UInt8 = 24
  private static let white: UInt8 = 231

  private static func isPure(_ gray: UInt8) -> Bool { gray <= black || gray >= white }

  /// Turns `width` bytes of gray at `line` into black (0) and white (255).
  ///
  /// Every other row runs from right to left; otherwise patterns would run down the page.
  mutating func diffuse(_ line: UnsafeMutableRawPointer, width: Int) {
    for index in below.indices { below[index] = 0 }
    for x in 0..<width { row[x + 1] = line.load(fromByteOffset: x, as: UInt8.self) }
    let step = runsLeft ? -1 : 1
    var x = runsLeft ? width - 1 : 0
    for _ in 0..<width {
      let gray = row[x + 1]
      let isInk: Bool
      if ErrorDiffusion.isPure(gray) || ErrorDiffusion.isPure(row[x])
        || ErrorDiffusion.isPure(row[x + 2]) || ErrorDiffusion.isPure(above[x + 1])
      {
        isInk = gray < 128
      } else {
        let wanted = Int32(gray) + here[x + 1] / 16
        isInk = wanted < 128
        let error = wanted - (isInk ? 0 : 255)
        here[x + 1 + step] += error * 7
        below[x + 1 - step] += error * 3
        below[x + 1] += error * 5
        below[x + 1 + step] += error
      }
      line.storeBytes(of: isInk ? 0 : 255, toByteOffset: x, as: UInt8.self)
      x += step
    }
    swap(&here, &below)
    swap(&above, &row)
    runsLeft.toggle()
  }

  /// Does the same for white rows, which stay as they are.
  mutating func skipWhite(rows: Int) {
    guard rows > 0 else { return }
    for index in here.indices { here[index] = 0 }
    for index in above.indices.dropFirst().dropLast() { above[index] = 255 }
    if rows % 2 == 1 { runsLeft.toggle() }
  }
}
