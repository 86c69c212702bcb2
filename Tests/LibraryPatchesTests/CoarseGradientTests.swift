import CCairo
import LateLibraries
import Testing

@testable import LibraryPatches

/// Gradients drawn at a quarter of the resolution, compared with those at full resolution.
@Suite struct CoarseGradientTests {
  private static let side = 400

  private enum Source {
    case line(Double)
    case circles(Double, Double)
    case apart, plain
  }

  /// - `bends`: true to add a color between the ends.
  private func source(_ source: Source, bends: Bool) -> OpaquePointer? {
    let pattern: OpaquePointer? =
      switch source {
      case .line(let length): cairo_pattern_create_linear(20, 30, 20 + length, 30 + length / 3)
      case .circles(let inner, let outer):
        cairo_pattern_create_radial(200, 200, inner, 210, 190, outer)
      // The smaller circle is not inside the larger one.
      case .apart: cairo_pattern_create_radial(50, 200, 10, 350, 200, 60)
      case .plain: cairo_pattern_create_rgb(1, 0, 0)
      }
    cairo_pattern_add_color_stop_rgb(pattern, 0, 0.9, 0.1, 0.3)
    if bends { cairo_pattern_add_color_stop_rgb(pattern, 0.4, 0.2, 0.8, 0.5) }
    cairo_pattern_add_color_stop_rgba(pattern, 1, 0.1, 0.3, 1, 0.8)
    cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD)
    return pattern
  }

  private func context() throws -> (surface: OpaquePointer, context: OpaquePointer) {
    try GraphicsLibraries.drawing.load()
    let surface = try #require(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(Self.side), Int32(Self.side)))
    let context = try #require(cairo_create(surface))
    cairo_set_antialias(context, CAIRO_ANTIALIAS_NONE)
    return (surface, context)
  }

  /// Returns rows of a picture of a filled shape, drawn normally or coarsely; nil if it isn't drawn coarsely.
  private func picture(
    of kind: Source, coarsely: Bool, scale: Double = 1, side: Double = 300,
    bends: Bool = false, change: (OpaquePointer) -> Void = { _ in }
  ) throws -> [UInt8]? {
    let (surface, context) = try context()
    let pattern = source(kind, bends: bends)
    defer {
      cairo_pattern_destroy(pattern)
      cairo_destroy(context)
      cairo_surface_destroy(surface)
    }
    cairo_scale(context, scale, scale)
    cairo_set_source(context, pattern)
    cairo_rectangle(context, 33, 47, side, side)
    change(context)
    if coarsely {
      guard let coarse = CoarseGradient.pattern(for: context) else { return nil }
      cairo_set_source(context, coarse)
      cairo_pattern_destroy(coarse)
    }
    cairo_fill(context)
    cairo_surface_flush(surface)
    let bytes = try #require(cairo_image_surface_get_data(surface))
    let stride = Int(cairo_image_surface_get_stride(surface))
    // Every seventh row: the others don't differ.
    return Swift.stride(from: 0, to: Self.side, by: 7).flatMap {
      UnsafeBufferPointer(start: bytes + $0 * stride, count: stride)
    }
  }

  /// Where a gradient bends, it is rounded over a few pixels, which differ by at most 4 of 255 each.
  @Test(arguments: [false, true])
  func `gentle gradients differ little`(_ bends: Bool) throws {
    let gentle: [(Source, Double)] = [
      (.line(300), 1), (.line(900), 1), (.line(150), 2), (.circles(20, 260), 1),
      (.circles(5, 130), 1.5),
    ]
    for (kind, scale) in gentle {
      let exact = try #require(try picture(of: kind, coarsely: false, scale: scale, bends: bends))
      let coarse = try #require(
        try picture(of: kind, coarsely: true, scale: scale, bends: bends), "\(kind)")
      let differences = zip(exact, coarse).map { abs(Int($0) - Int($1)) }
      #expect(differences.max() ?? 0 <= (bends ? 8 : 2), "\(kind) at \(scale)")
      // It is not a uniform area.
      #expect(Set(coarse).count > 50, "\(kind)")
    }
  }

  @Test func `others are left to cairo`() throws {
    for kind in [.line(12), .circles(100, 104), .apart, .plain] as [Source] {
      #expect(try picture(of: kind, coarsely: true) == nil, "\(kind)")
    }
    // Few pixels; soft edges; a gradient that ends, or repeats; one that is squeezed.
    #expect(try picture(of: .line(300), coarsely: true, side: 90) == nil)
    let changes: [(OpaquePointer) -> Void] = [
      { cairo_set_antialias($0, CAIRO_ANTIALIAS_DEFAULT) },
      { cairo_pattern_set_extend(cairo_get_source($0), CAIRO_EXTEND_NONE) },
      { cairo_pattern_set_extend(cairo_get_source($0), CAIRO_EXTEND_REPEAT) },
      {
        var squeezed = cairo_matrix_t(xx: 1, yx: 0, xy: 0, yy: 3, x0: 0, y0: 0)
        cairo_pattern_set_matrix(cairo_get_source($0), &squeezed)
      },
      {
        cairo_new_path($0)
        cairo_rectangle($0, 0, 0, 40, 40)
        cairo_clip($0)
        cairo_rectangle($0, 33, 47, 300, 300)
      },
    ]
    for (index, change) in changes.enumerated() {
      #expect(try picture(of: .line(300), coarsely: true, change: change) == nil, "\(index)")
    }
  }
}
