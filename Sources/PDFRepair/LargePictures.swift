package import DocumentBytes
internal import Glibc
internal import LibraryPatches

/// JPEG 2000 pictures in a PDF whose pixels would take more memory than a worker has: they are decoded in a smaller size
/// (`CoarsePictures`), which Poppler expects if their dictionaries state it.
package enum LargePictures {
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
  package static func prepare(_ file: MappedFile) -> Bool {
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
        max(code.width, code.height) <= LargePictures.longestSide,
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
      CoarsePictures.halve(
        width: code.width, height: code.height, components: code.components, times)
    }
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
