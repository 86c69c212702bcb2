internal import CCairo
internal import Synchronization

/// Pictures that cairo has pixman composite, enlarged here instead (see `PictureScaling`).
///
/// The program's functions record how a picture is to be placed, and draw it if it is aligned with the pixels and
/// opaque. pixman draws all others.
enum FastPictureScaling {
  /// pixman_transform_t: three rows of 65536ths.
  fileprivate typealias Matrix = (
    Int32, Int32, Int32, Int32, Int32, Int32, Int32, Int32, Int32
  )

  /// A picture's placement: its matrix, filter and repeat.
  fileprivate struct Placement {
    /// pixman_image_t; nil: none.
    var picture: OpaquePointer?
    var matrix: Matrix = (0, 0, 0, 0, 0, 0, 0, 0, 0)
    /// pixman_filter_t and pixman_repeat_t.
    var filter: Int32 = -1
    var extend: Int32 = 0
  }

  fileprivate struct Notes {
    /// The last two placements, which may be a picture and its mask.
    var (latest, former) = (Placement(), Placement())
    /// Pictures with a clip: nested groups may have several.
    private(set) var clipped: Set<OpaquePointer> = []

    mutating func clip(_ picture: OpaquePointer?, _ isClipped: Bool) {
      guard let picture else { return }
      if isClipped {
        clipped.insert(picture)
      } else if !clipped.isEmpty {
        clipped.remove(picture)
      }
    }

    mutating func place(_ placement: Placement, of picture: OpaquePointer?) {
      if latest.picture != picture { former = latest }
      latest = placement
    }

    mutating func change(_ picture: OpaquePointer?, _ body: (inout Placement) -> Void) {
      guard let picture else { return }
      if latest.picture == picture { body(&latest) }
      if former.picture == picture { body(&former) }
    }

    func placement(of picture: OpaquePointer) -> Placement? {
      latest.picture == picture ? latest : former.picture == picture ? former : nil
    }
  }

  private enum Filter {
    static let nearest: Int32 = 3
    static let bilinear: Int32 = 4
  }
  private enum CompositeOperator {
    static let source: Int32 = 1
    static let over: Int32 = 3
  }
  private enum Format {
    static let xrgb: Int32 = 0x2002_0888
    static let argb: Int32 = 0x2002_8888
    static let bytes: Int32 = 0x0801_8000
    static let bits: Int32 = 0x0101_1000
  }
  /// pixman_repeat_t.
  private enum Extend {
    static let none: Int32 = 0
    static let edge: Int32 = 2
  }

  fileprivate static let notes = PerThread(Notes())

  /// Pictures of one color, of which cairo caches 16 and some of its own, with their colors.
  ///
  /// Any thread may have created them.
  fileprivate static let solids = Mutex<[UInt: UInt32]>([:])

  fileprivate static func noteSolid(_ picture: OpaquePointer?, _ color: UInt32) {
    guard let picture else { return }
    solids.withLock { solids in
      if solids.count < 1 << 12 { solids[UInt(bitPattern: picture)] = color }
    }
  }

  // MARK: pixman's own functions

  fileprivate typealias Ask = @convention(c) (OpaquePointer?) -> Int32
  fileprivate typealias SetField = @convention(c) (OpaquePointer?, UnsafeRawPointer?) -> Int32

  fileprivate static let setTransform: SetField? = libraryFunction("pixman_image_set_transform")
  fileprivate static let setClip: SetField? = libraryFunction("pixman_image_set_clip_region32")
  fileprivate static let setFilter:
    (@convention(c) (OpaquePointer?, Int32, UnsafeRawPointer?, Int32) -> Int32)? =
      libraryFunction("pixman_image_set_filter")
  fileprivate static let setRepeat: (@convention(c) (OpaquePointer?, Int32) -> Void)? =
    libraryFunction("pixman_image_set_repeat")
  fileprivate static let createSolid: (@convention(c) (UnsafePointer<UInt16>?) -> OpaquePointer?)? =
    libraryFunction("pixman_image_create_solid_fill")
  fileprivate static let unref: Ask? = libraryFunction("pixman_image_unref")
  static let composite:
    (
      @convention(c) (
        Int32, OpaquePointer?, OpaquePointer?, OpaquePointer?, Int32, Int32, Int32, Int32, Int32,
        Int32, Int32, Int32
      ) -> Void
    )? = libraryFunction("pixman_image_composite32")

  private static let format: Ask? = libraryFunction("pixman_image_get_format")
  private static let width: Ask? = libraryFunction("pixman_image_get_width")
  private static let height: Ask? = libraryFunction("pixman_image_get_height")
  private static let stride: Ask? = libraryFunction("pixman_image_get_stride")
  private static let data: (@convention(c) (OpaquePointer?) -> UnsafeMutableRawPointer?)? =
    libraryFunction("pixman_image_get_data")

  private static func pixels(_ image: OpaquePointer) -> PictureScaling.Pixels? {
    guard let base = data?(image), let width = width?(image), let height = height?(image),
      let stride = stride?(image), width > 0, height > 0, stride > 0
    else { return nil }
    return PictureScaling.Pixels(
      base: base, width: Int(width), height: Int(height), stride: Int(stride))
  }

  // MARK: Placing

  /// A rectangle of the target, with the places in the picture and in its mask that are drawn on its first pixel.
  struct Area {
    var (sourceX, sourceY, maskX, maskY): (Int, Int, Int, Int)
    var (x, y, width, height): (Int, Int, Int, Int)

    /// Cuts off everything beyond `bound` × `height` pixels.
    fileprivate mutating func cut(width bound: Int, height: Int) {
      let (left, top) = (max(0, -x), max(0, -y))
      sourceX += left
      sourceY += top
      maskX += left
      maskY += top
      x += left
      y += top
      self.width = min(self.width - left, bound - x)
      self.height = min(self.height - top, height - y)
    }
  }

  /// Draws a recorded picture on a rectangle of `target`, or a color through a recorded mask; false: pixman must do it.
  static func place(
    _ picture: OpaquePointer, _ mask: OpaquePointer?, _ target: OpaquePointer, _ operation: Int32,
    _ rectangle: Area
  ) -> Bool {
    let notes = notes.value
    guard !notes.clipped.contains(target),
      notes.placement(of: mask ?? picture) != nil,
      operation == CompositeOperator.over || operation == CompositeOperator.source && mask == nil,
      let targetFormat = format?(target), [Format.xrgb, Format.argb].contains(targetFormat),
      var pixels = pixels(target)
    else { return false }
    var part = rectangle
    part.cut(width: pixels.width, height: pixels.height)
    guard part.width > 0, part.height > 0 else { return true }
    pixels.base = pixels.row(part.y) + 4 * part.x
    pixels.width = part.width
    pixels.height = part.height
    guard let mask else {
      guard let scaling = scaling(notes, picture, part.sourceX, part.sourceY, part) else {
        return false
      }
      scaling.draw(on: pixels)
      return true
    }
    guard let through = scaling(notes, mask, part.maskX, part.maskY, part, isMask: true) else {
      return false
    }
    if let scaling = scaling(notes, picture, part.sourceX, part.sourceY, part) {
      scaling.draw(on: pixels, through: through)
      return true
    }
    guard let color = solids.withLock({ $0[UInt(bitPattern: picture)] }), color >> 24 == 255 else {
      return false
    }
    through.draw(color, on: pixels)
    return true
  }

  /// nil: the picture has another format, is not aligned with the pixels, or ends within the rectangle.
  private static func scaling(
    _ notes: Notes, _ picture: OpaquePointer, _ x: Int, _ y: Int, _ part: Area,
    isMask: Bool = false
  ) -> PictureScaling? {
    guard let placement = notes.placement(of: picture), var pixels = pixels(picture),
      placement.extend == Extend.edge || placement.extend == Extend.none
    else { return nil }
    switch (format?(picture), isMask) {
    case (Format.xrgb, false): break
    case (Format.bytes, true): pixels.kind = .byteMask
    case (Format.bits, true): pixels.kind = .bitMask
    default: return nil
    }
    var matrix = placement.matrix
    let isNearest = placement.filter == Filter.nearest
    // A landscape on an upright sheet: its columns are the sheet's rows.
    let isTurned = matrix.0 == 0
    var (width, height) = (pixels.width, pixels.height)
    if isTurned {
      swap(&width, &height)
      matrix = (
        matrix.3, matrix.4, matrix.5, matrix.0, matrix.1, matrix.2, matrix.6, matrix.7, matrix.8
      )
    }
    guard matrix.0 != 0, matrix.4 != 0, matrix.8 == 1 << 16,
      [matrix.1, matrix.3, matrix.6, matrix.7].allSatisfy({ $0 == 0 }),
      isNearest || placement.filter == Filter.bilinear
    else { return nil }
    var scaling = PictureScaling(
      picture: pixels, across: steps(matrix.0, matrix.2, x, width, isNearest),
      down: steps(matrix.4, matrix.5, y, height, isNearest))
    if placement.extend == Extend.none {
      guard isMask || scaling.across.isInside(part.width) && scaling.down.isInside(part.height)
      else { return nil }
      scaling.across.goesOn = false
      scaling.down.goesOn = false
    }
    guard isTurned else { return scaling }
    let turned = pixels.turned(
      columns: scaling.across.range(part.width), rows: scaling.down.range(part.height))
    return turned.map { PictureScaling(picture: $0, across: scaling.across, down: scaling.down) }
  }

  /// The places of the pixels' centers, rounded as in pixman.
  private static func steps(
    _ scale: Int32, _ shift: Int32, _ first: Int, _ length: Int, _ isNearest: Bool
  ) -> PictureScaling.Steps {
    let scale = Int(scale)
    let place = scale * first + Int(shift) + (scale << 15 + 1 << 15) >> 16
    // From a place to the first of the two pixels around it; if both are equally near, the first one counts.
    let back = isNearest ? 1 : 1 << 15
    return PictureScaling.Steps(
      first: place - back, step: scale, length: length, isNearest: isNearest)
  }
}

/// Replaces pixman's function (see `FastPictureScaling`).
@_cdecl("pixman_image_set_transform")
public func notePictureTransform(
  _ image: OpaquePointer?, _ matrix: UnsafeRawPointer?
) -> Int32 {
  var placement = FastPictureScaling.Placement(picture: matrix == nil ? nil : image)
  if let matrix { placement.matrix = matrix.loadUnaligned(as: FastPictureScaling.Matrix.self) }
  FastPictureScaling.notes.value.place(placement, of: image)
  return FastPictureScaling.setTransform?(image, matrix) ?? 0
}

/// Replaces pixman's function (see `FastPictureScaling`).
@_cdecl("pixman_image_set_filter")
public func notePictureFilter(
  _ image: OpaquePointer?, _ filter: Int32, _ parameters: UnsafeRawPointer?, _ count: Int32
) -> Int32 {
  FastPictureScaling.notes.value.change(image) { $0.filter = filter }
  return FastPictureScaling.setFilter?(image, filter, parameters, count) ?? 0
}

/// Replaces pixman's function (see `FastPictureScaling`).
@_cdecl("pixman_image_set_repeat")
public func notePictureRepeat(_ image: OpaquePointer?, _ extend: Int32) {
  FastPictureScaling.notes.value.change(image) { $0.extend = extend }
  FastPictureScaling.setRepeat?(image, extend)
}

/// Replaces pixman's function (see `FastPictureScaling`).
@_cdecl("pixman_image_set_clip_region32")
public func notePictureClip(_ image: OpaquePointer?, _ region: UnsafeRawPointer?) -> Int32 {
  FastPictureScaling.notes.value.clip(image, region != nil)
  return FastPictureScaling.setClip?(image, region) ?? 0
}

/// Replaces pixman's function (see `FastPictureScaling`): the address of a released picture may be used for another one.
@_cdecl("pixman_image_unref")
public func notePictureEnd(_ image: OpaquePointer?) -> Int32 {
  let isGone = FastPictureScaling.unref?(image) ?? 0
  if isGone != 0 {
    FastPictureScaling.notes.value.change(image) { $0.picture = nil }
    FastPictureScaling.notes.value.clip(image, false)
    FastPictureScaling.solids.withLock { _ = $0.removeValue(forKey: UInt(bitPattern: image)) }
  }
  return isGone
}

/// Replaces pixman's function (see `FastPictureScaling`).
@_cdecl("pixman_image_create_solid_fill")
public func noteSolidPicture(_ color: UnsafePointer<UInt16>?) -> OpaquePointer? {
  let picture = FastPictureScaling.createSolid?(color)
  if let color {
    let bytes = (0..<4).map { UInt32(color[$0] >> 8) }
    // Red, green, blue and alpha of pixman_color_t.
    FastPictureScaling.noteSolid(
      picture, bytes[3] << 24 | bytes[0] << 16 | bytes[1] << 8 | bytes[2])
  }
  return picture
}

/// Replaces pixman's function (see `FastPictureScaling`).
@_cdecl("pixman_image_composite32")
public func placePicture(
  _ operation: Int32, _ picture: OpaquePointer?, _ mask: OpaquePointer?, _ target: OpaquePointer?,
  _ pictureX: Int32, _ pictureY: Int32, _ maskX: Int32, _ maskY: Int32, _ x: Int32, _ y: Int32,
  _ width: Int32, _ height: Int32
) {
  if let picture, let target,
    FastPictureScaling.place(
      picture, mask, target, operation,
      FastPictureScaling.Area(
        sourceX: Int(pictureX), sourceY: Int(pictureY), maskX: Int(maskX), maskY: Int(maskY),
        x: Int(x), y: Int(y), width: Int(width), height: Int(height)))
  {
    return
  }
  FastPictureScaling.composite?(
    operation, picture, mask, target, pictureX, pictureY, maskX, maskY, x, y, width, height)
}

/// Pictures that a list has shown, destroyed without another copy of their pixels.
///
/// cairo (1.16 to 1.18) copies a picture that is destroyed for the snapshot that a list took of it, although the list is
/// gone: a sheet of A4 scanned at 600 dpi in color would take 280 MB, more than a worker has. Here, such a copy has one
/// pixel. If cairo got none, it would crash.
enum ShownPictures {
  fileprivate static let areDestroyed = PerThread(false)

  static func destroy(_ picture: OpaquePointer) {
    areDestroyed.with(true) { cairo_surface_destroy(picture) }
  }

  fileprivate static let ownCreate:
    (@convention(c) (Int32, Int32, Int32, UnsafeMutableRawPointer?, Int32) -> OpaquePointer?)? =
      libraryFunction("pixman_image_create_bits")
}

/// Replaces pixman's function (see `ShownPictures`).
@_cdecl("pixman_image_create_bits")
public func createPixels(
  _ format: Int32, _ width: Int32, _ height: Int32, _ bits: UnsafeMutableRawPointer?,
  _ stride: Int32
) -> OpaquePointer? {
  bits == nil && ShownPictures.areDestroyed.value
    ? ShownPictures.ownCreate?(format, 1, 1, nil, 0)
    : ShownPictures.ownCreate?(format, width, height, bits, stride)
}
