internal import PrintModel

/// Lines of text in a column of their own: an address, a sender, a label.
struct TextBlock {
  /// Left edge in points from the page's left, and the column's width.
  var x: Double
  var width: Double
  var style: TextStyle
  var entries: [TextEntry]
}

/// Places a few lines on an envelope or a label.
struct BlockSetter {
  let box: PageBox

  /// Machines read address lines: 10 to 12 points, no ornament (UPU S42; USPS DMM 202 §2).
  private static let addressSize = 12.0
  private static let senderSize = 8.0
  /// From the smallest readable label to a poster.
  private static let labelSizes = 5.0...96.0

  /// The blocks of one envelope or label; nil for text that is neither an address nor a label, because it does not fit
  /// even in the smallest type.
  func blocks(_ lines: [String]) throws(Failure) -> [TextBlock]? {
    let groups = BlockSetter.groups(lines)
    guard let last = groups.last else { return [] }
    if box.arrangement == .label {
      return try label(Array(lines.trimming { $0.allSatisfy(\.isWhitespace) })).map { [$0] }
    }
    guard let address = try block(last, size: BlockSetter.addressSize, in: addressField) else {
      return nil
    }
    guard groups.count > 1 else { return [address] }
    let sender = groups.dropLast().joined(separator: [""])
    let corner = Rectangle(
      x: box.content.x + 12, y: box.content.y + 12, width: box.content.width / 2 - 24,
      height: box.content.height / 3)
    return try block(Array(sender), size: BlockSetter.senderSize, in: corner).map { [$0, address] }
  }

  /// Area where mail services expect the address, in points.
  private var addressField: Rectangle {
    let (width, height) = (box.size.width, box.size.height)
    let (left, top, bottom): (Double, Double, Double) =
      box.arrangement == .envelopeOfNorthAmerica
      ? (width * 0.42, max(height - 198, height * 0.35), height - 45)
      : (width * 0.5, min(113.4, height * 0.45), height - 42.5)
    let right = min(width - 42.5, box.content.x + box.content.width)
    return Rectangle(
      x: left, y: top, width: max(1, right - left), height: max(1, bottom - top))
  }

  /// Lines from the top of a field, in smaller type if they don't fit.
  private func block(
    _ lines: [String], size: Double, in field: Rectangle
  ) throws(Failure) -> TextBlock? {
    let most = box.text.size ?? size
    guard let (style, heights) = try fitting(lines, most, in: field) else { return nil }
    return TextBlock(
      x: field.x, width: field.width, style: style, entries: entries(lines, heights, top: field.y))
  }

  /// Centered lines, as large as they fit a little inside of the content area.
  private func label(_ lines: [String]) throws(Failure) -> TextBlock? {
    var field = box.content
    if !box.hasAskedMargins {
      let space = min(Hundredths(100).points, min(field.width, field.height) / 20)
      field = Rectangle(
        x: field.x + space, y: field.y + space, width: field.width - 2 * space,
        height: field.height - 2 * space)
    }
    let most = box.text.size ?? BlockSetter.labelSizes.upperBound
    guard let (style, heights) = try fitting(lines, most, in: field) else { return nil }
    let room = field.height - heights.joined().reduce(0, +)
    return TextBlock(
      x: field.x, width: field.width, style: style,
      entries: entries(lines, heights, top: field.y + max(0, room / 2)))
  }

  /// The largest size up to `most` at which all lines fit without wrapping, and the heights of their lines at that
  /// size.
  ///
  /// Lines that wrap at every size are set in the smallest; nil if they don't fit the field even then.
  private func fitting(
    _ lines: [String], _ most: Double, in field: Rectangle
  ) throws(Failure) -> (TextStyle, [[Double]])? {
    func heights(_ size: Double) throws(Failure) -> (TextStyle, [[Double]]) {
      var style = box.text
      style.family = style.family ?? "Sans"
      style.size = size
      let setter = try TextSetter(width: field.width, isRoll: false, style: style)
      return (style, lines.map { setter.heights(of: TextLine($0)) })
    }
    func fits(_ heights: [[Double]]) -> Bool {
      heights.allSatisfy { $0.count <= 1 } && heights.joined().reduce(0, +) <= field.height
    }
    var best = try heights(most)
    if fits(best.1) { return best }
    var (small, large) = (min(BlockSetter.labelSizes.lowerBound, most), most)
    best = try heights(small)
    guard best.1.joined().reduce(0, +) <= field.height else { return nil }
    // To about a sixteenth of a point.
    for _ in 0..<11 {
      let middle = (small + large) / 2
      let tried = try heights(middle)
      if fits(tried.1) { (small, best) = (middle, tried) } else { large = middle }
    }
    return best
  }

  private func entries(_ lines: [String], _ heights: [[Double]], top: Double) -> [TextEntry] {
    var y = top
    return zip(lines, heights).map { line, heights in
      defer { y += heights.reduce(0, +) }
      return TextEntry(paragraph: TextLine(line), lines: 0..<heights.count, top: y)
    }
  }

  /// Splits lines at blank lines.
  private static func groups(_ lines: [String]) -> [[String]] {
    lines.split { $0.allSatisfy(\.isWhitespace) }.map(Array.init)
  }
}
