import CCairo
import LateLibraries
import Testing

@testable import LibraryPatches

/// White rows of a display list may be skipped; rows with a mark must be drawn.
@Suite struct InkedRowsTests {
  private static let width = 300
  private static let height = 640

  /// Returns a list that `draw` has drawn on, and its recorded rows.
  private func list(
    limit: Int = .max, toOneContext: Bool = true, _ draw: (OpaquePointer) -> Void
  ) throws -> (surface: OpaquePointer, rows: InkedRows) {
    try GraphicsLibraries.drawing.load()
    var extents = cairo_rectangle_t(
      x: 0, y: 0, width: Double(Self.width), height: Double(Self.height))
    let surface = try #require(cairo_recording_surface_create(CAIRO_CONTENT_COLOR, &extents))
    let rows = InkedRows(on: surface, height: Self.height, limit: limit)
    let context = try #require(cairo_create(surface))
    // cairo's initial color is black.
    cairo_set_source_rgb(context, 1, 1, 1)
    cairo_paint(context)
    cairo_set_source_rgb(context, 0, 0, 0)
    try rows.listen(toOneContext: toOneContext) { draw(context) }
    cairo_destroy(context)
    return (surface, rows)
  }

  private func ranges(_ rows: InkedRows) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    while let next = rows.next(from: ranges.last?.upperBound ?? 0) { ranges.append(next) }
    return ranges
  }

  /// Returns the rows that are not white when the whole list is drawn.
  private func inkedRows(of surface: OpaquePointer) throws -> [Int] {
    let picture = try #require(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(Self.width), Int32(Self.height)))
    let context = try #require(cairo_create(picture))
    cairo_set_source_surface(context, surface, 0, 0)
    cairo_paint(context)
    cairo_destroy(context)
    cairo_surface_flush(picture)
    let pixels = UnsafeRawPointer(try #require(cairo_image_surface_get_data(picture)))
    let stride = Int(cairo_image_surface_get_stride(picture))
    var inked: [Int] = []
    for y in 0..<Self.height {
      var both = UInt32.max
      for x in 0..<Self.width {
        both &= pixels.load(fromByteOffset: y * stride + 4 * x, as: UInt32.self)
      }
      if both & 0xFF_FFFF != 0xFF_FFFF { inked.append(y) }
    }
    cairo_surface_destroy(picture)
    return inked
  }

  private func fill(_ y: Double, _ height: Double, _ context: OpaquePointer) {
    cairo_rectangle(context, 20, y, 100, height)
    cairo_fill(context)
  }

  /// Drawings, each with the maximum number of rows that it may cover.
  private var drawings: [(name: String, atMost: Int, draw: (OpaquePointer) -> Void)] {
    [
      ("nothing", 0, { _ in }),
      ("a bar", 48, { fill(100, 10, $0) }),
      ("the last row", 32, { fill(639, 1, $0) }),
      ("beyond the end", 32, { fill(639.5, 400, $0) }),
      ("outside", 0, { fill(700, 10, $0) }),
      (
        "a thick line", 96,
        {
          cairo_set_line_width($0, 40)
          cairo_set_line_join($0, CAIRO_LINE_JOIN_ROUND)
          cairo_move_to($0, 10, 300)
          cairo_line_to($0, 200, 300)
          cairo_stroke($0)
        }
      ),
      (
        "turned", 192,
        {
          cairo_translate($0, 150, 320)
          cairo_rotate($0, 0.7)
          cairo_rectangle($0, -40, -20, 80, 40)
          cairo_fill($0)
        }
      ),
      (
        "clipped", 48,
        {
          cairo_rectangle($0, 0, 200, 300, 20)
          cairo_clip($0)
          cairo_paint($0)
        }
      ),
      (
        "a group", 48,
        {
          cairo_push_group($0)
          fill(400, 10, $0)
          cairo_pop_group_to_source($0)
          cairo_rectangle($0, 0, 396, 300, 20)
          cairo_clip($0)
          cairo_paint($0)
        }
      ),
      (
        "a group that is dropped", 0,
        {
          cairo_push_group($0)
          fill(400, 10, $0)
          cairo_pattern_destroy(cairo_pop_group($0))
        }
      ),
      (
        "a small picture", 64,
        {
          let picture = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 10, 10)
          cairo_translate($0, 50, 500)
          cairo_scale($0, 2, 2)
          cairo_set_source_surface($0, picture, 0, 0)
          cairo_paint($0)
          cairo_surface_destroy(picture)
        }
      ),
      (
        "a mask", 48,
        {
          let mask = cairo_image_surface_create(CAIRO_FORMAT_A8, 8, 8)
          let on = cairo_create(mask)
          cairo_paint(on)
          cairo_destroy(on)
          cairo_mask_surface($0, mask, 10, 450)
          cairo_surface_destroy(mask)
        }
      ),
      (
        "all but a shape", 640,
        {
          cairo_set_operator($0, CAIRO_OPERATOR_IN)
          fill(100, 10, $0)
        }
      ),
    ]
  }

  @Test func `every row with ink is among those that are drawn`() throws {
    for (name, atMost, draw) in drawings {
      let (surface, rows) = try list(draw)
      defer { cairo_surface_destroy(surface) }
      let drawn = ranges(rows)
      let lost = try inkedRows(of: surface).filter { row in !drawn.contains { $0.contains(row) } }
      #expect(lost.isEmpty, "\(name): \(lost)")
      // The extent of a mask is not examined.
      if name != "a mask" {
        #expect(drawn.map(\.count).reduce(0, +) <= atMost, "\(name): \(drawn)")
      }
      #expect(drawn.allSatisfy { $0.upperBound <= Self.height })
    }
  }

  @Test func `short gaps are drawn, long ones are not`() throws {
    let (surface, rows) = try list {
      fill(40, 8, $0)
      fill(72, 8, $0)
      fill(400, 8, $0)
    }
    defer { cairo_surface_destroy(surface) }
    let drawn = ranges(rows)
    #expect(drawn.count == 2, "\(drawn)")
    #expect(drawn[0].contains(40) && drawn[0].contains(79) && drawn[1].contains(400), "\(drawn)")
    #expect(rows.next(from: 60)?.lowerBound == 60)
    #expect(rows.next(from: 500) == nil)
  }

  @Test func `white is nothing on white, and something on ink`() throws {
    let (surface, white) = try list {
      cairo_set_source_rgb($0, 1, 1, 1)
      cairo_paint($0)
      fill(100, 50, $0)
    }
    cairo_surface_destroy(surface)
    #expect(white.next(from: 0) == nil)
    // White that extends below the ink is drawn completely.
    let (other, both) = try list {
      fill(100, 10, $0)
      cairo_set_source_rgb($0, 1, 1, 1)
      fill(100, 200, $0)
    }
    defer { cairo_surface_destroy(other) }
    #expect(ranges(both).contains { $0.contains(100) && $0.contains(290) }, "\(ranges(both))")
  }

  @Test func `a page of more than one context may have drawn anywhere`() throws {
    let (surface, rows) = try list(toOneContext: false) { _ in }
    defer { cairo_surface_destroy(surface) }
    #expect(ranges(rows) == [0..<Self.height])
  }

  @Test func `what is beyond the limit is not drawn`() throws {
    let (surface, rows) = try list(limit: 2) {
      for row in 0..<3 { fill(Double(100 + 200 * row), 10, $0) }
    }
    defer { cairo_surface_destroy(surface) }
    #expect(rows.isOverLimit)
    #expect(try inkedRows(of: surface) == Array(100..<110) + Array(300..<310))
    let (rest, within) = try list(limit: 2) {
      for row in 0..<2 { fill(Double(100 + 200 * row), 10, $0) }
    }
    cairo_surface_destroy(rest)
    #expect(!within.isOverLimit)
  }
}
