internal import CCairo
internal import Glibc

/// The parts of a path that are thinner than a pixel.
///
/// Bars along the axes are widened to one pixel within the path; other slivers are returned, to be stroked.
struct HairlineFills {
  /// A part of a path: the range of its elements in the path's data.
  struct Shape {
    var elements: Range<Int>

    /// Adds the part to the context's path, closed.
    func trace(_ path: UnsafeMutablePointer<cairo_path_t>, on context: OpaquePointer) {
      guard let data = path.pointee.data else { return }
      for (type, places) in PathElements(data: data, range: elements) {
        let first = places.lowerBound
        switch (type, places.count) {
        case (CAIRO_PATH_MOVE_TO, 1):
          cairo_move_to(context, data[first].point.x, data[first].point.y)
        case (CAIRO_PATH_LINE_TO, 1):
          cairo_line_to(context, data[first].point.x, data[first].point.y)
        case (CAIRO_PATH_CURVE_TO, 3):
          let (one, two, end) = (data[first].point, data[first + 1].point, data[first + 2].point)
          cairo_curve_to(context, one.x, one.y, two.x, two.y, end.x, end.y)
        default: break
        }
      }
      cairo_close_path(context)
    }
  }

  /// Elements of a path: the type of each, and the places of its points in the path's data, behind its header.
  private struct PathElements: Sequence, IteratorProtocol {
    let data: UnsafeMutablePointer<cairo_path_data_t>
    var range: Range<Int>

    mutating func next() -> (type: cairo_path_data_type_t, places: Range<Int>)? {
      guard !range.isEmpty else { return nil }
      let header = data[range.lowerBound].header
      guard header.length > 0, Int(header.length) <= range.count else { return nil }
      let end = range.lowerBound + Int(header.length)
      defer { range = end..<range.upperBound }
      return (header.type, range.lowerBound + 1..<end)
    }
  }

  private(set) var hasBars = false
  private(set) var slivers: [Shape] = []

  private let context: OpaquePointer
  private let matrix: cairo_matrix_t
  /// True for soft edges: thin parts are faint then, and only bars are widened.
  ///
  /// The strokes of small letters are thin, too, and must not change.
  private let isSoft: Bool
  /// Points of the current part, on the surface, and their places in the path.
  private var points: [Outline.Point] = []
  private var places: [Int] = []
  private var elements = 0..<0
  private var hasCurve = false
  /// Of the whole path: the area of its parts in pixels, signed and unsigned; the largest of them; and the length of
  /// their outlines.
  private var (area, areas, largest, length) = (0.0, 0.0, 0.0, 0.0)
  private var longest = 0.0
  private var parts = 0
  private var corners = 0
  private var hasThickPart = false
  /// Indices at which parts without area begin that must leave no mark.
  private var flatParts: Set<Int> = []
  private let leavesFlatParts = HairlineStrokes.leavesFlatFills

  /// Pixels: anything shorter is a dot.
  private static let long = 3.0
  /// Pixels: cairo has rounded each point to 1/256 pixel.
  private static let flat = 1.0 / 64
  /// Pixels: a letter of ten points at 600 dpi is smaller.
  private static let small = 64.0

  init(_ context: OpaquePointer) {
    self.context = context
    isSoft = cairo_get_antialias(context) != CAIRO_ANTIALIAS_NONE
    matrix = cairo_matrix_t(of: context)
  }

  /// Finds the thin parts of `path`, and widens its bars.
  mutating func look(at path: UnsafeMutablePointer<cairo_path_t>) {
    guard path.pointee.status == CAIRO_STATUS_SUCCESS, let data = path.pointee.data else { return }
    for (type, places) in PathElements(data: data, range: 0..<Int(path.pointee.num_data)) {
      if type == CAIRO_PATH_MOVE_TO {
        endShape(data)
        elements = places.lowerBound - 1..<places.lowerBound
      }
      if type == CAIRO_PATH_CURVE_TO { hasCurve = true }
      for place in places { points.append(device(data[place])) }
      self.places.append(contentsOf: places)
      elements = elements.lowerBound..<places.upperBound
    }
    endShape(data)
  }

  private func device(_ place: cairo_path_data_t) -> Outline.Point {
    matrix.apply(place.point.x, place.point.y)
  }

  /// Pixels of thin places within thicker parts, or between two parts.
  ///
  /// A single triangle or rectangle has none. Small shapes are only searched if they are thin as a whole: letters stay
  /// as they are, and cost nothing.
  func dropouts(of path: UnsafeMutablePointer<cairo_path_t>) -> [DeviceBox] {
    guard !isSoft, hasThickPart, parts > 1 || corners > 5, longest >= HairlineFills.small || isThin
    else { return [] }
    return DropoutControl(
      in: outline(of: path), clip: DeviceBox(clipOf: context),
      isEvenOdd: cairo_get_fill_rule(context) == CAIRO_FILL_RULE_EVEN_ODD, isOpaque: isOpaque
    ).boxes
  }

  /// True if it is thinner than a pixel on average, with areas twice as large: an outline within others may be a hole
  /// or not.
  private var isThin: Bool { min(abs(area), abs(2 * largest - areas)) < length }

  private var isOpaque: Bool {
    var (red, green, blue, alpha) = (0.0, 0.0, 0.0, 0.0)
    return cairo_get_operator(context) == CAIRO_OPERATOR_OVER
      && cairo_pattern_get_rgba(cairo_get_source(context), &red, &green, &blue, &alpha)
        == CAIRO_STATUS_SUCCESS
      && alpha == 1
  }

  private func outline(of path: UnsafeMutablePointer<cairo_path_t>) -> Outline {
    var outline = Outline()
    guard let data = path.pointee.data else { return outline }
    var isFlat = false
    for (type, places) in PathElements(data: data, range: 0..<Int(path.pointee.num_data)) {
      if type == CAIRO_PATH_MOVE_TO {
        isFlat = flatParts.contains(places.lowerBound - 1)
        if !isFlat { outline.beginPart() }
      }
      if isFlat { continue }
      if type == CAIRO_PATH_CURVE_TO, places.count == 3, let first = places.first {
        outline.addCurve(
          device(data[first]), device(data[first + 1]), to: device(data[first + 2]))
      } else {
        for place in places { outline.addLine(to: device(data[place])) }
      }
    }
    return outline
  }

  /// The path as a rectangle aligned with the pixels; nil for any other path.
  func rectangle(_ path: UnsafeMutablePointer<cairo_path_t>) -> DeviceBox? {
    guard matrix.xy == 0 && matrix.yx == 0 || matrix.xx == 0 && matrix.yy == 0,
      let data = path.pointee.data, path.pointee.num_data <= 13
    else { return nil }
    var corners: [(x: Double, y: Double)] = []
    for (type, places) in PathElements(data: data, range: 0..<Int(path.pointee.num_data)) {
      guard type != CAIRO_PATH_CURVE_TO else { return nil }
      if let first = places.first { corners.append((data[first].point.x, data[first].point.y)) }
    }
    // Points after the fourth one only close it; cairo begins another part after a closed one.
    guard corners.count >= 4, corners.dropFirst(4).allSatisfy({ $0 == corners[0] }) else {
      return nil
    }
    let (a, b, c, d) = (corners[0], corners[1], corners[2], corners[3])
    let isRectangle =
      a.x == b.x && b.y == c.y && c.x == d.x && d.y == a.y
      || a.y == b.y && b.x == c.x && c.y == d.y && d.x == a.x
    guard isRectangle else { return nil }
    return DeviceBox(corners.map { DeviceBox.place($0.x, $0.y, on: context) })
  }

  private mutating func endShape(_ data: UnsafeMutablePointer<cairo_path_data_t>) {
    defer {
      points.removeAll(keepingCapacity: true)
      places.removeAll(keepingCapacity: true)
      hasCurve = false
    }
    guard points.count > 1, var last = points.last else { return }
    if leavesFlatParts, isFlat {
      flatParts.insert(elements.lowerBound)
      return
    }
    var (left, right, top, bottom) = (last.x, last.x, last.y, last.y)
    var (area, length) = (0.0, 0.0)
    for point in points {
      left = min(left, point.x)
      right = max(right, point.x)
      top = min(top, point.y)
      bottom = max(bottom, point.y)
      area += last.x * point.y - point.x * last.y
      let (x, y) = (point.x - last.x, point.y - last.y)
      length += (x * x + y * y).squareRoot()
      last = point
    }
    let (width, height) = (right - left, bottom - top)
    add(area, length, max(width, height))
    let isLong = max(width, height) >= HairlineFills.long
    guard length.isFinite, isLong || !isSoft else { return }
    if min(width, height) < 1 {
      if hasCurve {
        addSliver()
      } else {
        thicken(data, (left, right), (top, bottom))
      }
    } else if !isSoft, isLong, abs(area) < length {
      // The area of a sliver is half its outline's length times its thickness.
      addSliver()
    } else {
      hasThickPart = true
    }
  }

  /// True when all points of the current part lie on one line.
  private var isFlat: Bool {
    let start = points[0]
    let far = points.map { (x: $0.x - start.x, y: $0.y - start.y) }
      .max { hypot($0.x, $0.y) < hypot($1.x, $1.y) }
    guard let far else { return true }
    let length = hypot(far.x, far.y)
    return points.allSatisfy {
      abs(($0.x - start.x) * far.y - ($0.y - start.y) * far.x) <= HairlineFills.flat * length
    }
  }

  /// Adds a part to the totals of the path.
  private mutating func add(_ area: Double, _ length: Double, _ longer: Double) {
    self.area += area
    areas += abs(area)
    largest = max(largest, abs(area))
    self.length += length
    longest = max(longest, longer)
    parts += 1
    corners += points.count
  }

  private mutating func addSliver() {
    guard !isSoft else { return }
    slivers.append(Shape(elements: elements))
  }

  /// Makes a bar as thick as the pixel that contains its middle.
  private mutating func thicken(
    _ data: UnsafeMutablePointer<cairo_path_data_t>, _ across: (Double, Double),
    _ down: (Double, Double)
  ) {
    func grown(_ span: (Double, Double)) -> (Double, Double) {
      guard span.1 - span.0 < 1 else { return span }
      let pixel = ((span.0 + span.1) / 2).rounded(.down)
      return (pixel, pixel + 1)
    }
    let (horizontal, vertical) = (grown(across), grown(down))
    var corners = [
      (horizontal.0, vertical.0), (horizontal.1, vertical.0), (horizontal.1, vertical.1),
      (horizontal.0, vertical.1),
    ]
    guard places.count >= 4 else {
      // A filled line has two points, and no room for a bar's four.
      slivers.append(Shape(elements: elements))
      return
    }
    while corners.count < places.count { corners.append(corners[corners.count == 4 ? 0 : 3]) }
    for (place, corner) in zip(places, corners) {
      var (x, y) = corner
      cairo_device_to_user(context, &x, &y)
      data[place].point.x = x
      data[place].point.y = y
    }
    hasBars = true
  }
}
