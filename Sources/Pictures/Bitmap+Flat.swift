extension Bitmap {
  /// True when a picture looks drawn or scanned: few tones, or one color that covers most of it, like white on a page
  /// of text.
  ///
  /// A photo has many tones everywhere.
  var isFlat: Bool {
    var tones = [Int](repeating: 0, count: 256)
    var colors = [Int](repeating: 0, count: 4096)
    let step = max(1, width * height / 65_536)
    var seen = 0
    for y in 0..<height {
      let row = row(y)
      for x in Swift.stride(from: y % step, to: width, by: step) {
        let pixel = Int(row[x])
        let red = (pixel >> 16) & 0xFF
        let green = (pixel >> 8) & 0xFF
        let blue = pixel & 0xFF
        let tone = (red * 299 + green * 587 + blue * 114) / 1000
        tones[tone] += 1
        colors[((red >> 4) << 8) | ((green >> 4) << 4) | (blue >> 4)] += 1
        seen += 1
      }
    }
    // A color of at least a thousandth of the picture is a tone; less is the encoder's noise.
    let used = tones.count { $0 * 1000 >= seen && $0 > 0 }
    let most = colors.max() ?? 0
    return used < 24 || most * 10 > seen * 6
  }
}
