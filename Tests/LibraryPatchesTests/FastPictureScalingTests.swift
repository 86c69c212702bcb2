import CCairo
import CLibraryPatches
import LateLibraries
import Testing

@testable import LibraryPatches

/// Pictures that are enlarged here are identical to pixman's results.
@Suite struct FastPictureScalingTests {
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
    _ format: pixman_format_code_t, _ pixels: UnsafeMutableRawPointer?, _ width: Int,
    _ height: Int, stride: Int
  ) throws -> OpaquePointer {
    let create = try #require(own_pixman_image_create_bits())
    let pixels = pixels?.assumingMemoryBound(to: UInt32.self)
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
    _ numbers: inout Numbers, _ image: OpaquePointer, _ filter: pixman_filter_t,
    extend: pixman_repeat_t
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
    _ = notePictureFilter(image, filter.rawValue, nil, 0)
    notePictureRepeat(image, extend.rawValue)
  }

  /// The content: a picture, the same through a picture as a mask, or a color through one.
  enum Drawn: CaseIterable { case picture, pictureThroughMask, colorThroughMask }

  @Test(arguments: [true, false], Drawn.allCases)
  func isTheSameAsPixman(isNearest: Bool, drawn: Drawn) throws {
    let filter = isNearest ? PIXMAN_FILTER_NEAREST : PIXMAN_FILTER_BILINEAR
    let hasMask = drawn != .picture
    try GraphicsLibraries.drawing.load()
    let composite = try #require(own_pixman_image_composite32())
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
        : try self.image(PIXMAN_x8r8g8b8, source.baseAddress, width, height, stride: 4 * width)
      let mask = try self.image(
        trial % 2 == 0 ? PIXMAN_a1 : PIXMAN_a8, shares.baseAddress, maskWidth, height,
        stride: maskWidth)
      let extend = trial % 5 == 0 ? PIXMAN_REPEAT_NONE : PIXMAN_REPEAT_PAD
      if drawn != .colorThroughMask { place(&numbers, image, filter, extend: extend) }
      place(
        &numbers, mask, trial % 2 == 0 ? filter : PIXMAN_FILTER_BILINEAR,
        extend: trial % 7 < 3 ? PIXMAN_REPEAT_NONE : PIXMAN_REPEAT_PAD)
      let (across, down) = (numbers.next(1...120), numbers.next(1...60))
      let format = trial % 2 == 0 ? PIXMAN_x8r8g8b8 : PIXMAN_a8r8g8b8
      let ours = memory(
        (0..<across * down).map { _ in
          UInt32(numbers.next(0...0xFFFF)) << 16 | UInt32(numbers.next(0...0xFFFF))
        })
      let theirs = memory(Array(ours))
      defer {
        for memory in [source, ours, theirs] { memory.deallocate() }
        shares.deallocate()
      }
      let operation = trial % 4 < 2 && !hasMask ? PIXMAN_OP_SRC : PIXMAN_OP_OVER
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
      let seen: UInt32 = format == PIXMAN_x8r8g8b8 ? 0xFF_FFFF : .max
      #expect(ours.map { $0 & seen } == theirs.map { $0 & seen }, "trial \(trial)")
    }
    // All but those that end inside the drawn area, narrow ones, and turned masks of bits.
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
