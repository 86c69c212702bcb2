internal import CCairo
internal import Glibc
internal import Synchronization

/// Memory for pixels that pixman allocates and fills for cairo.
///
/// The program has functions in place of pixman's, which the dynamic linker prefers (ld.so(8)). A page of text is
/// mostly white, which the C library writes three times as fast as pixman. And the kernel provides memory for a large
/// picture in pages of 2 MB if it is asked to, instead of 4 KB, each of which takes a microsecond; but not when it must
/// first move other memory for them, which takes milliseconds.
package enum PixelMemory {
  /// Work that the next calls on this thread skip.
  private struct Exceptions {
    /// Pixels that need not be cleared the first time.
    var uncleared: UnsafeMutableRawPointer?
    var makesTinyCopies = false
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  private static var exceptions: UnsafeMutablePointer<Exceptions>? {
    pthread_getspecific(key)?.assumingMemoryBound(to: Exceptions.self)
  }

  private static func with<Result>(
    _ exceptions: Exceptions, _ body: () throws -> Result
  ) rethrows -> Result {
    var exceptions = exceptions
    return try withUnsafeMutablePointer(to: &exceptions) { pointer in
      pthread_setspecific(key, pointer)
      defer { pthread_setspecific(key, nil) }
      return try body()
    }
  }

  /// Plays a list that begins with white on the surface whose pixels are at `pixels`, without cairo's unnecessary
  /// clearing.
  package static func playingOverAll<Result>(
    _ pixels: UnsafeMutableRawPointer?, _ body: () throws -> Result
  ) rethrows -> Result {
    try with(Exceptions(uncleared: pixels), body)
  }

  /// Destroys a picture of which a list took a snapshot.
  ///
  /// cairo (1.16 to 1.18) then makes a copy for the snapshot, although the list is gone: it gets a copy of one pixel.
  /// If it got none, it would crash.
  static func destroyUncopied(_ picture: OpaquePointer) {
    with(Exceptions(makesTinyCopies: true)) { cairo_surface_destroy(picture) }
  }

  // MARK: Filling

  fileprivate typealias Fill =
    @convention(c) (
      UnsafeMutablePointer<UInt32>?, Int32, Int32, Int32, Int32, Int32, Int32, UInt32
    ) -> Int32

  fileprivate static let ownFill = libraryFunction("pixman_fill", Fill.self)

  /// Minimum width in pixels for which the C library is worth calling.
  private static let fewest = 64

  /// Fills pixels; false: pixman must do it.
  fileprivate static func fill(
    _ pixels: UnsafeMutablePointer<UInt32>, stride: Int, x: Int, y: Int, width: Int, height: Int,
    _ color: UInt32
  ) -> Bool {
    let isUnneeded = takeUncleared() == UnsafeMutableRawPointer(pixels) && color == 0
    if isUnneeded { return true }
    guard color == 0 || color == .max, stride > 0, width >= fewest, height > 0 else { return false }
    let byte = Int32(truncatingIfNeeded: color & 0xFF)
    let start = pixels + y * stride + x
    if width == stride {
      memset(start, byte, 4 * width * height)
    } else {
      for row in 0..<height { memset(start + row * stride, byte, 4 * width) }
    }
    return true
  }

  private static func takeUncleared() -> UnsafeMutableRawPointer? {
    guard let exceptions else { return nil }
    defer { exceptions.pointee.uncleared = nil }
    return exceptions.pointee.uncleared
  }

  // MARK: Pictures

  fileprivate typealias Create =
    @convention(c) (Int32, Int32, Int32, UnsafeMutableRawPointer?, Int32) -> OpaquePointer?
  private typealias SetDestroy =
    @convention(c) (
      OpaquePointer?, @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Void,
      UnsafeMutableRawPointer?
    ) -> Void

  fileprivate static let ownCreate = libraryFunction("pixman_image_create_bits", Create.self)
  private static let setDestroy = libraryFunction(
    "pixman_image_set_destroy_function", SetDestroy.self)

  fileprivate static var makesTinyCopies: Bool { exceptions?.pointee.makesTinyCopies ?? false }

  private static let hugePage = 2 << 20

  /// Memory mapped by the kernel.
  private struct Mapping {
    var start: UnsafeMutableRawPointer
    var length: Int
  }

  /// A picture of transparent pixels; nil: it is not large, or must be created as usual.
  fileprivate static func largePicture(
    _ format: Int32, width: Int, height: Int
  ) -> OpaquePointer? {
    // 32 bits per pixel.
    guard format >> 24 == 32, width > 0, height > 0, width < 1 << 15, height < 1 << 20,
      case let length = 4 * width * height, length >= 2 * hugePage, let setDestroy,
      let mapping = map(length)
    else { return nil }
    let note = UnsafeMutablePointer<Mapping>.allocate(capacity: 1)
    note.initialize(to: mapping)
    let address = UInt(bitPattern: mapping.start)
    let first = (address + UInt(hugePage) - 1) / UInt(hugePage) * UInt(hugePage)
    guard
      let picture = ownCreate?(
        format, Int32(width), Int32(height), UnsafeMutableRawPointer(bitPattern: first),
        Int32(4 * width))
    else {
      munmap(mapping.start, mapping.length)
      note.deallocate()
      return nil
    }
    setDestroy(
      picture,
      { _, note in
        guard let note = note?.assumingMemoryBound(to: Mapping.self) else { return }
        munmap(note.pointee.start, note.pointee.length)
        note.deallocate()
      }, note)
    return picture
  }

  /// Maps room for `length` bytes from the first address on at which huge pages can begin.
  ///
  /// A last part smaller than a huge page consists of small pages.
  private static func map(_ length: Int) -> Mapping? {
    // Only errno reveals that Poppler ran out of memory (`PDFPages.render`).
    let before = errno
    defer { errno = before }
    let room = length + hugePage
    guard
      let start = mmap(nil, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      start != MAP_FAILED
    else { return nil }
    let skipped = (hugePage - Int(bitPattern: start) & (hugePage - 1)) & (hugePage - 1)
    for index in 0..<length / hugePage where isWorthHugePages {
      useHugePage(at: start + skipped + index * hugePage)
    }
    return Mapping(start: start, length: room)
  }

  /// Lets the next `length` bytes from malloc(3) be huge pages, if it takes large pieces from its heap (`SplashPage`).
  package static func prepareHeap(_ length: Int) {
    guard let start = malloc(length) else { return }
    defer { free(start) }
    let address = Int(bitPattern: start)
    let skipped = (hugePage - address & (hugePage - 1)) & (hugePage - 1)
    for index in 0..<max(0, length - skipped) / hugePage where isWorthHugePages {
      useHugePage(at: start + skipped + index * hugePage)
    }
  }

  /// Number of huge pages used, and the nanoseconds that they took.
  private static let hugePages = Atomic(0)
  private static let hugePageTime = Atomic(0)

  /// False once huge pages have taken 5 ms longer than small ones take at least: half a millisecond for 2 MB.
  private static var isWorthHugePages: Bool {
    hugePageTime.load(ordering: .relaxed)
      <= hugePages.load(ordering: .relaxed) * 500_000 + 5_000_000
  }

  private static func useHugePage(at start: UnsafeMutableRawPointer) {
    let begin = processorTime
    madvise(start, hugePage, MADV_HUGEPAGE)
    start.storeBytes(of: 0, as: UInt8.self)
    hugePages.add(1, ordering: .relaxed)
    hugePageTime.add(processorTime - begin, ordering: .relaxed)
  }

  /// This thread's processor time in nanoseconds.
  private static var processorTime: Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}

/// Replaces pixman's function (see `PixelMemory`).
@_cdecl("pixman_fill")
public func fillPixelMemory(
  _ pixels: UnsafeMutablePointer<UInt32>?, _ stride: Int32, _ bits: Int32, _ x: Int32, _ y: Int32,
  _ width: Int32, _ height: Int32, _ color: UInt32
) -> Int32 {
  if bits == 32, let pixels,
    PixelMemory.fill(
      pixels, stride: Int(stride), x: Int(x), y: Int(y), width: Int(width), height: Int(height),
      color)
  {
    return 1
  }
  return PixelMemory.ownFill?(pixels, stride, bits, x, y, width, height, color) ?? 0
}

/// Replaces pixman's function (see `PixelMemory`).
@_cdecl("pixman_image_create_bits")
public func createPixelMemory(
  _ format: Int32, _ width: Int32, _ height: Int32, _ bits: UnsafeMutableRawPointer?,
  _ stride: Int32
) -> OpaquePointer? {
  if bits == nil {
    if PixelMemory.makesTinyCopies { return PixelMemory.ownCreate?(format, 1, 1, nil, 0) }
    if let picture = PixelMemory.largePicture(format, width: Int(width), height: Int(height)) {
      return picture
    }
  }
  return PixelMemory.ownCreate?(format, width, height, bits, stride)
}
