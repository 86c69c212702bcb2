internal import Glibc
internal import Synchronization

/// JPEG 2000 pictures of PDFs that are decoded at a half, a quarter or an eighth of their resolution, because their
/// pixels would take more memory than a worker has.
///
/// OpenJPEG (2.5) keeps four bytes for each sample of the whole picture, which is 420 MB for a sheet of A4 in color at
/// 600 dpi. But it can decode the picture in a smaller size (ISO 15444-1 §B.5), and Poppler draws that if the picture's
/// dictionary states that size. So the two numbers there are replaced, and in place of one of OpenJPEG's functions the
/// program has its own, which the dynamic linker prefers (ld.so(8)).
enum CoarsePictures {
  private struct Size: Hashable {
    var width: Int
    var height: Int
    var components: Int
  }

  /// How often pictures are halved.
  private static let halvings = Mutex<[Size: Int]>([:])
  /// The most that a picture was halved since the last `take`.
  private static let halved = Mutex(0)

  /// Pictures that are looked at, and the longest side in pixels of one; more would be an attack.
  private static let mostPictures = 10_000
  private static let longestSide = 100_000

  /// Bytes of memory that this process may have; nil: as many as it likes.
  private static var memory: Int? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit) == 0,
      limit.rlim_cur != rlim_t.max
    else { return nil }
    return Int(clamping: limit.rlim_cur)
  }

  /// Looks for pictures in a PDF that are too large, and states smaller sizes in their dictionaries.
  ///
  /// Pictures that it can't change, such as those of an encrypted PDF, are left as they are. Returns true if the samples
  /// of one take half of the memory even so.
  static func prepare(_ file: MappedFile) -> Bool {
    guard let memory else { return false }
    var (place, largest) = (0, 0)
    for _ in 0..<mostPictures {
      guard let found = file.bytes.firstPlace(of: "/JPXDecode", from: place) else { break }
      place = found + "/JPXDecode".utf8.count
      guard let picture = Picture(at: found, in: file.bytes) else { continue }
      let times = halvings(of: picture.code, in: memory)
      if times > 0 { picture.halve(times, in: file) }
      largest = max(largest, picture.code.samples * 4 >> (2 * times))
    }
    return largest >= memory / 2
  }

  /// How often to halve a picture.
  private static func halvings(of code: JPEG2000Codestream, in memory: Int) -> Int {
    // cairo takes four bytes for each pixel, too. What is gray is left to Splash if need be, which takes one.
    let perPixel = code.components == 1 ? 5 : 4 * (code.components + 1)
    // The page itself takes a few megabytes.
    let room = memory / 16 * 15
    let times = (0...3).first { perPixel * code.width * code.height >> (2 * $0) <= room }
    return times.map { $0 <= code.halvings ? $0 : 0 } ?? 0
  }

  /// A picture's codestream, and where its dictionary states its size.
  private struct Picture {
    let code: JPEG2000Codestream
    private let width: (place: Int, digits: Int)
    private let height: (place: Int, digits: Int)

    /// nil: what is there is not a picture in JPEG 2000 alone, of the size that the dictionary states as a number.
    init?(at place: Int, in file: UnsafeRawBufferPointer) {
      guard let dictionary = DictionaryText(around: place, in: file),
        let code = Picture.data(behind: place, in: file).flatMap(JPEG2000Codestream.init),
        code.steps == 0x101, code.isAtOrigin,
        max(code.width, code.height) <= CoarsePictures.longestSide,
        dictionary.number("Width") == code.width, dictionary.number("Height") == code.height,
        let width = dictionary.value(of: "Width")?.digits(in: file),
        let height = dictionary.value(of: "Height")?.digits(in: file)
      else { return nil }
      self.code = code
      self.width = width
      self.height = height
    }

    /// A stream's data, behind its dictionary (ISO 32000-1 §7.3.8).
    private static func data(
      behind place: Int, in file: UnsafeRawBufferPointer
    ) -> UnsafeRawBufferPointer? {
      let near = file.piece(place..<min(file.count, place + 4_096))
      guard let word = near.firstPlace(of: "stream", from: 0) else { return nil }
      let data = file.dropping(place + word + "stream".utf8.count)
      return data.dropping(data.prefix(2).count { $0 == 13 || $0 == 10 })
    }

    /// States the size that OpenJPEG gives the picture when it halves it; it has at most as many digits.
    func halve(_ times: Int, in file: MappedFile) {
      let step = 1 << times
      let numbers = [(width, code.width), (height, code.height)].map { stated, length in
        let digits = Array("\((length + step - 1) / step)".utf8)
        return (stated.place, digits + Array(repeating: 32, count: stated.digits - digits.count))
      }
      guard numbers.allSatisfy({ file.replace(at: $0.0, with: $0.1) }) else { return }
      let size = Size(width: code.width, height: code.height, components: code.components)
      CoarsePictures.halvings.withLock { $0[size] = times }
    }
  }

  // MARK: Decoding

  private typealias SetReduction = @convention(c) (OpaquePointer?, UInt32) -> Int32
  private static let setReduction = libraryFunction(
    "opj_set_decoded_resolution_factor", SetReduction.self)

  /// Sets the resolution at which a picture is decoded whose header was read.
  ///
  /// - `image`: opj_image_t: left, top, right, bottom and the number of components (openjpeg.h).
  fileprivate static func reduce(_ codec: OpaquePointer?, _ image: UnsafePointer<UInt32>) {
    let size = Size(
      width: Int(image[2]) - Int(image[0]), height: Int(image[3]) - Int(image[1]),
      components: Int(image[4]))
    guard let times = halvings.withLock({ $0[size] }),
      setReduction?(codec, UInt32(times)) == 1
    else { return }
    halved.withLock { $0 = max($0, times) }
  }

  /// The share of the resolution at which pictures were decoded since the last call, in words; nil if all were decoded
  /// as they are.
  static func take() -> String? {
    let times = halved.withLock { halved in
      defer { halved = 0 }
      return halved
    }
    return times == 0 ? nil : ["half", "a quarter", "an eighth"][times - 1]
  }
}

extension UnsafeRawBufferPointer {
  /// Where the number at the beginning of these bytes stands in `file`, of which they are a part.
  fileprivate func digits(in file: UnsafeRawBufferPointer) -> (place: Int, digits: Int)? {
    guard let base = baseAddress, let whole = file.baseAddress,
      let first = firstIndex(where: { !isSpace($0) })
    else { return nil }
    let count = dropFirst(first).prefix { (48...57).contains($0) }.count
    return (base - whole + first, count)
  }
}

extension CoarsePictures {
  fileprivate typealias ReadHeader =
    @convention(c) (
      OpaquePointer?, OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<UInt32>?>?
    ) -> Int32
  fileprivate static let readHeader = libraryFunction("opj_read_header", ReadHeader.self)
}

/// Replaces OpenJPEG's function (see `CoarsePictures`).
@_cdecl("opj_read_header")
public func readJPEG2000Header(
  _ stream: OpaquePointer?, _ codec: OpaquePointer?,
  _ image: UnsafeMutablePointer<UnsafeMutablePointer<UInt32>?>?
) -> Int32 {
  let isRead = CoarsePictures.readHeader?(stream, codec, image) ?? 0
  if isRead == 1, let image = image?.pointee { CoarsePictures.reduce(codec, image) }
  return isRead
}
