internal import CPango  // cairo, which all modules of its kin have
internal import CPoppler

/// The parts of a path that are thinner than a pixel.
///
/// Bars along the axes are made one pixel thick where they stand in the path; other slivers are given back, to be
/// stroked.
struct ThinShapes {
  /// A part of a path, in user space.
  struct Shape {
    var points: [(x: Double, y: Double)] = []

    func trace(on context: OpaquePointer) {
      guard let first = points.first else { return }
      cairo_move_to(context, first.x, first.y)
      for point in points.dropFirst() { cairo_line_to(context, point.x, point.y) }
      cairo_close_path(context)
    }
  }

  private(set) var hasBars = false
  private(set) var slivers: [Shape] = []

  private let context: OpaquePointer
  private var matrix = cairo_matrix_t()
  /// Edges are soft: what is thin is faint, and only bars are made to be seen.
  ///
  /// The strokes of small letters are thin too, and are to stay as they are.
  private let isSoft: Bool
  /// The points of the part that is looked at, on the surface, and where they stand in the path.
  private var points: [(x: Double, y: Double)] = []
  private var places: [Int] = []
  private var hasCurve = false

  /// Pixels: what is not longer is a dot.
  private static let long = 3.0

  init(_ context: OpaquePointer) {
    self.context = context
    isSoft = cairo_get_antialias(context) != CAIRO_ANTIALIAS_NONE
    cairo_get_matrix(context, &matrix)
  }

  /// Finds the thin parts of `path`, and changes the bars in it.
  mutating func look(at path: UnsafeMutablePointer<cairo_path_t>) {
    guard path.pointee.status == CAIRO_STATUS_SUCCESS, let data = path.pointee.data else { return }
    let count = Int(path.pointee.num_data)
    var index = 0
    while index < count {
      let header = data[index].header
      guard header.length > 0 else { break }
      if header.type == CAIRO_PATH_MOVE_TO { endShape(data) }
      if header.type == CAIRO_PATH_CURVE_TO { hasCurve = true }
      for place in index + 1..<min(count, index + Int(header.length)) {
        let point = data[place].point
        points.append(
          (
            x: matrix.xx * point.x + matrix.xy * point.y + matrix.x0,
            y: matrix.yx * point.x + matrix.yy * point.y + matrix.y0
          ))
        places.append(place)
      }
      index += Int(header.length)
    }
    endShape(data)
  }

  /// The rectangle along the pixels' rows and columns that a path is; nil for any other path.
  func rectangle(_ path: UnsafeMutablePointer<cairo_path_t>) -> DeviceBox? {
    guard matrix.xy == 0 && matrix.yx == 0 || matrix.xx == 0 && matrix.yy == 0,
      let data = path.pointee.data, path.pointee.num_data <= 13
    else { return nil }
    var corners: [(x: Double, y: Double)] = []
    var index = 0
    while index < Int(path.pointee.num_data) {
      let header = data[index].header
      guard header.length > 0, header.type != CAIRO_PATH_CURVE_TO else { return nil }
      // cairo begins another part where the first is closed.
      if header.length > 1, corners.count < 5 {
        corners.append((data[index + 1].point.x, data[index + 1].point.y))
      }
      index += Int(header.length)
    }
    let isRectangle =
      corners.count >= 4
      && (0..<4).allSatisfy { index in
        let (one, next) = (corners[index], corners[(index + 1) % 4])
        return one.x == next.x || one.y == next.y
      }
    guard isRectangle else { return nil }
    return DeviceBox(corners.map { DeviceBox.place($0.x, $0.y, on: context) })
  }

  private mutating func endShape(_ data: UnsafeMutablePointer<cairo_path_data_t>) {
    defer {
      points.removeAll(keepingCapacity: true)
      places.removeAll(keepingCapacity: true)
      hasCurve = false
    }
    guard points.count > 1 else { return }
    var (left, right, top, bottom) = (points[0].x, points[0].x, points[0].y, points[0].y)
    var (area, length) = (0.0, 0.0)
    var last = points[points.count - 1]
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
    let isLong = max(width, height) >= ThinShapes.long
    guard length.isFinite, isLong || !isSoft else { return }
    if min(width, height) < 1 {
      if hasCurve {
        addSliver(data)
      } else {
        thicken(data, (left, right), (top, bottom))
      }
    } else if !isSoft, isLong, abs(area) < length {
      // The area of a sliver is half of its outline times its thickness.
      addSliver(data)
    }
  }

  private mutating func addSliver(_ data: UnsafeMutablePointer<cairo_path_data_t>) {
    guard !isSoft else { return }
    slivers.append(Shape(points: places.map { (x: data[$0].point.x, y: data[$0].point.y) }))
  }

  /// Makes a bar as thick as the pixel that its middle lies in.
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
      // A line that is filled has two points, and no room for a bar's four.
      slivers.append(Shape(points: places.map { (x: data[$0].point.x, y: data[$0].point.y) }))
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
