internal import CCairo
internal import CLibraryPatches
internal import Synchronization

/// Pictures that cairo has pixman composite, enlarged here instead (see `PictureScaling`).
///
/// The program's functions record how a picture is to be placed, and draw it if it is aligned with the pixels and
/// opaque. pixman draws all others.
enum FastPictureScaling {
  /// A picture's placement: its matrix, filter and repeat.
  fileprivate struct Placement {
    /// pixman_image_t; nil: none.
    var picture: OpaquePointer?
    var transform = pixman_transform_t()
    var filter: pixman_filter_t?
    var extend = PIXMAN_REPEAT_NONE
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

  private static func pixels(_ image: OpaquePointer) -> PictureScaling.Pixels? {
    guard let base = own_pixman_image_get_data()?(image),
      let width = own_pixman_image_get_width()?(image),
      let height = own_pixman_image_get_height()?(image),
      let stride = own_pixman_image_get_stride()?(image), width > 0, height > 0, stride > 0
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
      (sourceX, maskX, x) = (sourceX + left, maskX + left, x + left)
      (sourceY, maskY, y) = (sourceY + top, maskY + top, y + top)
      self.width = min(self.width - left, bound - x)
      self.height = min(self.height - top, height - y)
    }
  }

  /// Draws a recorded picture on a rectangle of `target`, or a color through a recorded mask; false: pixman must do it.
  static func place(
    _ picture: OpaquePointer, _ mask: OpaquePointer?, _ target: OpaquePointer,
    _ operation: pixman_op_t, _ rectangle: Area
  ) -> Bool {
    let notes = notes.value
    guard !notes.clipped.contains(target), notes.placement(of: mask ?? picture) != nil,
      operation == PIXMAN_OP_OVER || operation == PIXMAN_OP_SRC && mask == nil,
      let format = own_pixman_image_get_format()?(target),
      [PIXMAN_x8r8g8b8, PIXMAN_a8r8g8b8].contains(format), var pixels = pixels(target)
    else { return false }
    var part = rectangle
    part.cut(width: pixels.width, height: pixels.height)
    guard part.width > 0, part.height > 0 else { return true }
    // Eight pixels are drawn at once.
    guard part.width >= 8 else { return false }
    pixels.base = pixels.row(part.y) + 4 * part.x
    pixels.width = part.width
    pixels.height = part.height
    let drawn = scaling(notes, picture, part.sourceX, part.sourceY, part)
    guard let mask else {
      drawn?.draw(on: pixels)
      return drawn != nil
    }
    let color = drawn == nil ? solids.withLock { $0[UInt(bitPattern: picture)] } : 0
    guard let color, drawn != nil || color >> 24 == 255,
      let through = scaling(notes, mask, part.maskX, part.maskY, part, isMask: true)
    else { return false }
    through.draw(drawn, or: color, on: pixels)
    return true
  }

  /// nil: the picture has another format, is not aligned with the pixels, or ends within the rectangle.
  private static func scaling(
    _ notes: Notes, _ picture: OpaquePointer, _ x: Int, _ y: Int, _ part: Area,
    isMask: Bool = false
  ) -> PictureScaling? {
    guard let placement = notes.placement(of: picture), var pixels = pixels(picture),
      placement.extend == PIXMAN_REPEAT_PAD || placement.extend == PIXMAN_REPEAT_NONE,
      placement.filter == PIXMAN_FILTER_NEAREST || placement.filter == PIXMAN_FILTER_BILINEAR
    else { return nil }
    switch (own_pixman_image_get_format()?(picture), isMask) {
    case (PIXMAN_x8r8g8b8, false): break
    case (PIXMAN_a8, true): pixels.kind = .byteMask
    case (PIXMAN_a1, true): pixels.kind = .bitMask
    default: return nil
    }
    var (across, down, depth) = placement.transform.matrix
    // A landscape on an upright sheet: its columns are the sheet's rows.
    let isTurned = across.0 == 0
    var (width, height) = (pixels.width, pixels.height)
    if isTurned {
      swap(&width, &height)
      swap(&across, &down)
    }
    guard across.0 != 0, down.1 != 0, across.1 == 0, down.0 == 0, depth == (0, 0, 1 << 16) else {
      return nil
    }
    var scaling = PictureScaling(
      picture: pixels, across: steps(across.0, across.2, x, width, placement),
      down: steps(down.1, down.2, y, height, placement))
    guard
      scaling.across.goesOn || isMask
        || scaling.across.isInside(part.width) && scaling.down.isInside(part.height)
    else { return nil }
    guard isTurned else { return scaling }
    let turned = pixels.turned(
      columns: scaling.across.range(part.width), rows: scaling.down.range(part.height))
    guard let turned else { return nil }
    scaling.picture = turned
    return scaling
  }

  /// The places of the pixels' centers, rounded as in pixman.
  private static func steps(
    _ scale: Int32, _ shift: Int32, _ first: Int, _ length: Int, _ placement: Placement
  ) -> PictureScaling.Steps {
    let scale = Int(scale)
    let place = scale * first + Int(shift) + (scale << 15 + 1 << 15) >> 16
    let isNearest = placement.filter == PIXMAN_FILTER_NEAREST
    // From a place to the first of the two pixels around it; if both are equally near, the first one counts.
    let back = isNearest ? 1 : 1 << 15
    return PictureScaling.Steps(
      first: place - back, step: scale, length: length,
      goesOn: placement.extend == PIXMAN_REPEAT_PAD, isNearest: isNearest)
  }
}

/// Replaces pixman's function (see `FastPictureScaling`).
@_cdecl("pixman_image_set_transform")
public func notePictureTransform(
  _ image: OpaquePointer?, _ transform: UnsafeRawPointer?
) -> Int32 {
  let transform = transform?.assumingMemoryBound(to: pixman_transform_t.self)
  var placement = FastPictureScaling.Placement(picture: transform == nil ? nil : image)
  if let transform { placement.transform = transform.pointee }
  FastPictureScaling.notes.value.place(placement, of: image)
  return own_pixman_image_set_transform()?(image, transform) ?? 0
}

/// Replaces pixman's function (see `FastPictureScaling`).
@_cdecl("pixman_image_set_filter")
public func notePictureFilter(
  _ image: OpaquePointer?, _ filter: UInt32, _ parameters: UnsafePointer<Int32>?, _ count: Int32
) -> Int32 {
  let filter = pixman_filter_t(filter)
  FastPictureScaling.notes.value.change(image) { $0.filter = filter }
  return own_pixman_image_set_filter()?(image, filter, parameters, count) ?? 0
}

/// Replaces pixman's function (see `FastPictureScaling`).
@_cdecl("pixman_image_set_repeat")
public func notePictureRepeat(_ image: OpaquePointer?, _ extend: UInt32) {
  let extend = pixman_repeat_t(extend)
  FastPictureScaling.notes.value.change(image) { $0.extend = extend }
  own_pixman_image_set_repeat()?(image, extend)
}

/// Replaces pixman's function (see `FastPictureScaling`).
@_cdecl("pixman_image_set_clip_region32")
public func notePictureClip(_ image: OpaquePointer?, _ region: UnsafeMutableRawPointer?) -> Int32 {
  FastPictureScaling.notes.value.clip(image, region != nil)
  let region = region?.assumingMemoryBound(to: pixman_region32_t.self)
  return own_pixman_image_set_clip_region32()?(image, region) ?? 0
}

/// Replaces pixman's function (see `FastPictureScaling`): the address of a released picture may be used for another one.
@_cdecl("pixman_image_unref")
public func notePictureEnd(_ image: OpaquePointer?) -> Int32 {
  let isGone = own_pixman_image_unref()?(image) ?? 0
  if isGone != 0 {
    FastPictureScaling.notes.value.change(image) { $0.picture = nil }
    FastPictureScaling.notes.value.clip(image, false)
    FastPictureScaling.solids.withLock { _ = $0.removeValue(forKey: UInt(bitPattern: image)) }
  }
  return isGone
}

/// Replaces pixman's function (see `FastPictureScaling`).
@_cdecl("pixman_image_create_solid_fill")
public func noteSolidPicture(_ color: UnsafeRawPointer?) -> OpaquePointer? {
  let color = color?.assumingMemoryBound(to: pixman_color_t.self)
  let picture = own_pixman_image_create_solid_fill()?(color)
  if let color = color?.pointee {
    let bytes = [color.alpha, color.red, color.green, color.blue].map { UInt32($0 >> 8) }
    FastPictureScaling.noteSolid(picture, bytes.reduce(0) { $0 << 8 | $1 })
  }
  return picture
}

/// Replaces pixman's function (see `FastPictureScaling`).
@_cdecl("pixman_image_composite32")
public func placePicture(
  _ operation: UInt32, _ picture: OpaquePointer?, _ mask: OpaquePointer?, _ target: OpaquePointer?,
  _ pictureX: Int32, _ pictureY: Int32, _ maskX: Int32, _ maskY: Int32, _ x: Int32, _ y: Int32,
  _ width: Int32, _ height: Int32
) {
  let operation = pixman_op_t(operation)
  if let picture, let target,
    FastPictureScaling.place(
      picture, mask, target, operation,
      FastPictureScaling.Area(
        sourceX: Int(pictureX), sourceY: Int(pictureY), maskX: Int(maskX), maskY: Int(maskY),
        x: Int(x), y: Int(y), width: Int(width), height: Int(height)))
  {
    return
  }
  own_pixman_image_composite32()?(
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
}

/// Replaces pixman's function (see `ShownPictures`).
@_cdecl("pixman_image_create_bits")
public func createPixels(
  _ format: UInt32, _ width: Int32, _ height: Int32, _ bits: UnsafeMutablePointer<UInt32>?,
  _ stride: Int32
) -> OpaquePointer? {
  let isCopy = bits == nil && ShownPictures.areDestroyed.value
  return own_pixman_image_create_bits()?(
    pixman_format_code_t(format), isCopy ? 1 : width, isCopy ? 1 : height, bits,
    isCopy ? 0 : stride)
}
