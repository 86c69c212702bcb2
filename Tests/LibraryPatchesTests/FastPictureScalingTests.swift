import CCairo
import LateLibraries
import Testing

@testable import LibraryPatches

/// Pictures that are enlarged here are identical to pixman's results.
@Suite struct FastPictureScalingTests {
  private typealias Create =
    @convention(c) (Int32, Int32, Int32, UnsafeMutableRawPointer?, Int32) -> OpaquePointer?

  /// pixman's format codes.
  private static let (xrgb, argb): (Int32, Int32) = (0x2002_0888, 0x2002_8888)
  private static let (alpha, bits): (Int32, Int32) = (0x0801_8000, 0x0101_1000)
  private static let (nearest, bilinear): (Int32, Int32) = (3, 4)

  private struct Numbers {
    private var state: UInt32
    init(_ seed: UInt32) { state = seed }
    mutating func next(_ range: ClosedRange<Int>) -> Int {
      state = state &* 1_664_525 &+ 1_013_904_223
      return range.lowerBound + Int(state >> 8) % (range.upperBound - range.lowerBound + 1)
    }
  }

  /// Returns a copy of the values, which the caller frees.
  private func memory<Value>(_ values: [Value]) -> UnsafeMutableBufferPointer<Value> {
    let memory = UnsafeMutableBufferPointer<Value>.allocate(capacity: values.count)
    _ = memory.initialize(from: values)
    return memory
  }

  private func image(
    _ format: Int32, _ pixels: UnsafeMutableRawPointer?, _ width: Int, _ height: Int, stride: Int
  ) throws -> OpaquePointer {
    let found: Create? = libraryFunction("pixman_image_create_bits")
    let create = try #require(found)
    return try #require(create(format, Int32(width), Int32(height), pixels, Int32(stride)))
  }

  /// Returns a picture with gray and color rows, depending on `kind`.
  private func picture(
    _ numbers: inout Numbers, _ width: Int, _ height: Int, kind: Int
  ) -> [UInt32] {
    (0..<height).flatMap { _ -> [UInt32] in
      let isGray = kind == 0 || kind == 1 && numbers.next(0...1) == 0
      return (0..<width).map { _ in
        let unused = UInt32(numbers.next(0...255)) << 24
        return unused
          | (isGray
            ? UInt32(numbers.next(0...255)) * 0x01_0101 : UInt32(numbers.next(0...0xFF_FFFF)))
      }
    }
  }

  private func place(
    _ numbers: inout Numbers, _ image: OpaquePointer, _ filter: Int32, extend: Int32
  ) {
    // Enlarged twice, three times, by whole steps, slightly, not at all; and reduced.
    let usual = [21_845, 21_846, 32_768, 8_192, 65_536, 65_000, 80_000]
    let scale =
      numbers.next(0...1) == 0 ? usual[numbers.next(0...6)] : numbers.next(3_000...87_000)
    let other = numbers.next(0...1) == 0 ? scale : numbers.next(3_000...87_000)
    // Upright, mirrored, turned, or both; a mirrored picture begins where it ends.
    let lines = [scale, other].map { step in
      let isMirrored = numbers.next(0...3) == 0
      let shift = numbers.next(-500_000...500_000) + (isMirrored ? 40 * step : 0)
      return (step: isMirrored ? -step : step, shift: shift)
    }
    let isTurned = numbers.next(0...2) == 0
    let (right, below) = isTurned ? (0, 1) : (1, 0)
    let matrix = [
      lines[0].step * right, lines[0].step * below, lines[0].shift,
      lines[1].step * below, lines[1].step * right, lines[1].shift, 0, 0, 65_536,
    ].map { Int32($0) }
    _ = notePictureTransform(image, matrix)
    _ = notePictureFilter(image, filter, nil, 0)
    notePictureRepeat(image, extend)
  }

  /// The content: a picture, the same through a picture as a mask, or a color through one.
  enum Drawn: CaseIterable { case picture, pictureThroughMask, colorThroughMask }

  @Test(arguments: [nearest, bilinear], Drawn.allCases)
  func isTheSameAsPixman(filter: Int32, drawn: Drawn) throws {
    let hasMask = drawn != .picture
    try GraphicsLibraries.drawing.load()
    let composite = try #require(FastPictureScaling.composite)
    var numbers = Numbers(4_711)
    var placed = 0
    for trial in 0..<500 {
      let (width, height) = (numbers.next(1...40), numbers.next(1...40))
      let source = memory(picture(&numbers, width, height, kind: trial % 3))
      let maskWidth = numbers.next(1...10) * 4
      let shares = memory(
        (0..<maskWidth * height).map { _ in
          UInt8([numbers.next(0...255), 255, numbers.next(0...1) * 255][trial % 3])
        })
      let color = [UInt16(numbers.next(0...0xFFFF)), 0x1234, 0, 0xFFFF]
      let image =
        drawn == .colorThroughMask
        ? try #require(noteSolidPicture(color))
        : try self.image(Self.xrgb, source.baseAddress, width, height, stride: 4 * width)
      let mask = try self.image(
        trial % 2 == 0 ? Self.bits : Self.alpha, shares.baseAddress, maskWidth, height,
        stride: maskWidth)
      let extend: Int32 = trial % 5 == 0 ? 0 : 2
      if drawn != .colorThroughMask { place(&numbers, image, filter, extend: extend) }
      place(&numbers, mask, trial % 2 == 0 ? filter : Self.bilinear, extend: trial % 7 < 3 ? 0 : 2)
      let (across, down) = (numbers.next(1...120), numbers.next(1...60))
      let format = trial % 2 == 0 ? Self.xrgb : Self.argb
      let ours = memory(
        (0..<across * down).map { _ in
          UInt32(numbers.next(0...0xFFFF)) << 16 | UInt32(numbers.next(0...0xFFFF))
        })
      let theirs = memory(Array(ours))
      defer {
        for memory in [source, ours, theirs] { memory.deallocate() }
        shares.deallocate()
      }
      let operation: Int32 = trial % 4 < 2 && !hasMask ? 1 : 3
      let (sourceX, sourceY) = (numbers.next(-20...20), numbers.next(-20...20))
      let (x, y) = (numbers.next(-5...20), numbers.next(-5...20))
      let (columns, rows) = (numbers.next(1...140), numbers.next(1...80))
      let target = try self.image(format, ours.baseAddress, across, down, stride: 4 * across)
      let other = try self.image(format, theirs.baseAddress, across, down, stride: 4 * across)
      let isPlaced = FastPictureScaling.place(
        image, hasMask ? mask : nil, target, operation,
        FastPictureScaling.Area(
          sourceX: sourceX, sourceY: sourceY, maskX: sourceX, maskY: sourceY, x: x, y: y,
          width: columns, height: rows))
      composite(
        operation, image, hasMask ? mask : nil, other, Int32(sourceX), Int32(sourceY),
        Int32(sourceX), Int32(sourceY), Int32(x), Int32(y), Int32(columns), Int32(rows))
      for image in [image, mask, target, other] { _ = notePictureEnd(image) }
      guard isPlaced else { continue }
      placed += 1
      let seen: UInt32 = format == Self.xrgb ? 0xFF_FFFF : .max
      #expect(ours.map { $0 & seen } == theirs.map { $0 & seen }, "trial \(trial)")
    }
    // All but those that end inside the drawn area, and turned masks of bits.
    #expect(placed > 300)
  }

  /// Checks that pixels stay if a picture does not reach them, or they are clipped.
  @Test func leavesWhatIsCutOff() throws {
    try GraphicsLibraries.drawing.load()
    var source: [UInt32] = [0xFF00_0000, 0xFF00_00FF, 0xFF00_FF00, 0xFFFF_0000]
    let side = 64
    let surface = try #require(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(side), Int32(side)))
    defer { cairo_surface_destroy(surface) }
    try source.withUnsafeMutableBytes { source in
      let picture = try #require(
        cairo_image_surface_create_for_data(
          source.assumingMemoryBound(to: UInt8.self).baseAddress, CAIRO_FORMAT_RGB24, 2, 2, 8))
      let context = try #require(cairo_create(surface))
      defer {
        cairo_destroy(context)
        cairo_surface_destroy(picture)
      }
      // Two rectangles next to each other at different heights: pixman clips to their region.
      cairo_rectangle(context, 4, 8, 20, 30)
      cairo_rectangle(context, 30, 20, 20, 40)
      cairo_clip(context)
      cairo_scale(context, 32, 32)
      cairo_set_source_surface(context, picture, 0, 0)
      cairo_pattern_set_extend(cairo_get_source(context), CAIRO_EXTEND_PAD)
      cairo_paint(context)
    }
    cairo_surface_flush(surface)
    let data = UnsafeRawPointer(try #require(cairo_image_surface_get_data(surface)))
    let stride = Int(cairo_image_surface_get_stride(surface))
    for y in 0..<side {
      for x in 0..<side {
        let color = data.load(fromByteOffset: y * stride + 4 * x, as: UInt32.self) & 0xFF_FFFF
        let isIn =
          (4..<24).contains(x) && (8..<38).contains(y)
          || (30..<50).contains(x) && (20..<60).contains(y)
        if !isIn { #expect(color == 0, "\(x), \(y)") }
        // Each corner has its own of the picture's four colors.
        if (4..<16).contains(x), (8..<16).contains(y) { #expect(color == 0) }
        if (48..<50).contains(x), (48..<60).contains(y) { #expect(color == 0xFF_0000) }
        if (4..<16).contains(x), (48..<60).contains(y) { #expect(!isIn || color == 0xFF00) }
      }
    }
  }
}
