internal import CGIF
internal import Drawing
internal import Glibc
internal import LateLibraries
internal import PrintModel

/// The first picture of a GIF file, decoded by giflib.
///
/// Anything after it is ignored, even a missing trailer.
final class GIFSource: PictureSource {
  /// Size of the screen on which the picture lies.
  let width: Int
  let height: Int
  let hasAlpha = true
  private(set) var complaint: String?

  /// The pixel for each byte value; 0 if it is transparent or not in the color table.
  private var colors = [UInt32](repeating: 0, count: 256)
  private var picture = (left: 0, top: 0, width: 0, height: 0)
  private var indices: [UInt8] = []
  private var isThere: [Bool] = []
  private var next = 0
  private(set) var isGuessed = false

  /// The stream that giflib reads from.
  private final class Source {
    let bytes: UnsafeRawBufferPointer
    var position = 0
    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }
  }

  private static let read: InputFunc = { gif, target, count in
    guard let gif, let target, let handle = gif.pointee.UserData else { return 0 }
    let source = Unmanaged<Source>.fromOpaque(handle).takeUnretainedValue()
    let taken = min(Int(count), source.bytes.count - source.position)
    guard taken > 0, let base = source.bytes.baseAddress else { return 0 }
    memcpy(target, base + source.position, taken)
    source.position += taken
    return Int32(taken)
  }

  /// Reads `bytes` completely, so that it is not needed later.
  init(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    try GraphicsLibraries.gif.load()
    let source = Source(bytes)
    var problem: Int32 = 0
    let opened = withExtendedLifetime(source) {
      DGifOpen(Unmanaged.passUnretained(source).toOpaque(), GIFSource.read, &problem)
    }
    guard let gif = opened else { throw DamagedPicture.failure(GIFSource.words(problem)) }
    defer { DGifCloseFile(gif, nil) }
    width = Int(gif.pointee.SWidth)
    height = Int(gif.pointee.SHeight)
    try PictureLimits.check(width, height, most: PictureLimits.loaded(bytes.count))
    let isFound = try withExtendedLifetime(source) { () throws(Failure) in try readPicture(gif) }
    guard isFound else { throw DamagedPicture.failure(GIFSource.words(gif.pointee.Error)) }
    complaint = GIFSource.words(gif.pointee.Error)
  }

  private static func words(_ problem: Int32) -> String? {
    GifErrorString(problem).map { String(cString: $0) }
  }

  /// Reads everything up to the first picture's last row; false when there is no picture.
  private func readPicture(_ gif: UnsafeMutablePointer<GifFileType>) throws(Failure) -> Bool {
    var transparent: Int?
    var kind = UNDEFINED_RECORD_TYPE
    while DGifGetRecordType(gif, &kind) != 0 {
      switch kind {
      case EXTENSION_RECORD_TYPE:
        var code: Int32 = 0
        var block: UnsafeMutablePointer<GifByteType>?
        guard DGifGetExtension(gif, &code, &block) != 0 else { return false }
        while let bytes = block {
          // A graphic control: length, flags, delay, and the transparent color (GIF89a §23).
          if code == GRAPHICS_EXT_FUNC_CODE, bytes[0] >= 4 {
            transparent = bytes[1] & 1 == 1 ? Int(bytes[4]) : nil
          }
          guard DGifGetExtensionNext(gif, &block) != 0 else { return false }
        }
      case IMAGE_DESC_RECORD_TYPE:
        guard DGifGetImageDesc(gif) != 0 else { return false }
        try readPixels(gif, transparent)
        return true
      default: return false
      }
    }
    return false
  }

  private func readPixels(
    _ gif: UnsafeMutablePointer<GifFileType>, _ transparent: Int?
  ) throws(Failure) {
    let image = gif.pointee.Image
    if let map = image.ColorMap ?? gif.pointee.SColorMap, let table = map.pointee.Colors {
      for index in 0..<min(256, Int(map.pointee.ColorCount)) where index != transparent {
        let color = table[index]
        colors[index] =
          0xFF00_0000 | UInt32(color.Red) << 16 | UInt32(color.Green) << 8 | UInt32(color.Blue)
      }
    }
    picture = (Int(image.Left), Int(image.Top), Int(image.Width), Int(image.Height))
    try PictureLimits.check(
      picture.width, picture.height, most: PictureLimits.loaded(width * height))
    indices = [UInt8](repeating: 0, count: picture.width * picture.height)
    isThere = [Bool](repeating: false, count: picture.height)
    // Interlaced pictures contain every eighth row, then those between, and so on (GIF89a appendix E).
    let passes = image.Interlace ? [(0, 8), (4, 8), (2, 4), (1, 2)] : [(0, 1)]
    for (first, step) in passes {
      for y in stride(from: first, to: picture.height, by: step) {
        let isRead = indices.withUnsafeMutableBufferPointer { indices in
          DGifGetLine(gif, indices.baseAddress.map { $0 + y * picture.width }, Int32(picture.width))
            != 0
        }
        guard isRead else {
          if image.Interlace { guessRows() }
          return
        }
        isThere[y] = true
      }
    }
  }

  /// Fills gaps in a truncated interlaced picture with the rows above them.
  private func guessRows() {
    for y in isThere.indices.dropFirst() where !isThere[y] && isThere[y - 1] {
      let start = y * picture.width
      indices.replaceSubrange(
        start..<start + picture.width, with: indices[start - picture.width..<start])
      isThere[y] = true
      isGuessed = true
    }
  }

  func readRow(to row: UnsafeMutablePointer<UInt32>) -> Bool {
    defer { next += 1 }
    row.update(repeating: 0, count: width)
    let y = next - picture.top
    guard isThere.indices.contains(y) else { return true }
    guard isThere[y] else { return false }
    for column in 0..<picture.width where picture.left + column < width {
      row[picture.left + column] = colors[Int(indices[y * picture.width + column])]
    }
    return true
  }
}
