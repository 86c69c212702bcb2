package import DocumentBytes
internal import LateLibraries
internal import LibraryPatches

/// JPEG 2000 pictures in a PDF whose pixels would take more memory than a worker has: they are decoded in a smaller size
/// (`CoarsePictures`), which Poppler expects if their dictionaries state it.
package enum LargePictures {
  /// Pictures that are looked at, and the longest side in pixels of one; more would be an attack.
  private static let mostPictures = 10_000
  private static let longestSide = 100_000

  /// Looks for pictures in a PDF that are too large, and states smaller sizes in their dictionaries.
  ///
  /// Pictures that it can't change, such as those of an encrypted PDF, are left as they are. Returns true if the samples
  /// of one take half of the memory even so.
  ///
  /// - `memory`: bytes that this process may have; nil: as many as it likes.
  package static func prepare(_ file: MappedFile, in memory: Int?) -> Bool {
    guard let memory, file.bytes.contains("/JPXDecode"),
      (try? GraphicsLibraries.pdfObjects.load()) != nil
    else { return false }
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
    /// Places of the last digits of its width and height.
    private var places = (width: -1, height: -1)

    /// nil: what is there is not a picture in JPEG 2000 alone, of the size that the dictionary states as a number.
    init?(at place: Int, in file: UnsafeRawBufferPointer) {
      // Dictionaries of streams are behind the headings of their objects (ISO 32000-1 §7.3.10).
      let near = max(0, place - 4_096)..<min(file.count, place + 4_096)
      let before = file.piece(near.lowerBound..<place)
      guard let heading = before.lastPlace(of: "obj", before: before.count) else { return nil }
      let start = near.lowerBound + heading + "obj".utf8.count
      var (name, size, data) = ("", (width: 0.0, height: 0.0), Int?.none)
      var places = self.places
      ContentToken.forEach(in: file.piece(start..<near.upperBound)) { token, last in
        if case .number(let number) = token, name == "Width" {
          (size.width, places.width) = (number, start + last)
        } else if case .number(let number) = token, name == "Height" {
          (size.height, places.height) = (number, start + last)
        }
        name = if case .name(let next) = token { next } else { "" }
        if token == .word("stream") { data = start + last + 1 }
        return data == nil
      }
      guard let data, case let bytes = file.dropping(data),
        let code = JPEG2000Codestream(
          in: bytes.dropping(bytes.prefix(2).count { $0 == 13 || $0 == 10 })),
        code.steps == 0x101, code.isAtOrigin,
        max(code.width, code.height) <= LargePictures.longestSide,
        size.width == Double(code.width), size.height == Double(code.height)
      else { return nil }
      self.code = code
      self.places = places
    }

    /// States the size that OpenJPEG gives the picture when it halves it; it has at most as many digits.
    func halve(_ times: Int, in file: MappedFile) {
      let step = 1 << times
      let numbers = [(places.width, code.width), (places.height, code.height)].map { last, length in
        let (former, new) = ("\(length)", Array("\((length + step - 1) / step)".utf8))
        let start = last + 1 - former.utf8.count
        return (
          start, former, new + Array(repeating: 32, count: former.utf8.count - new.count)
        )
      }
      guard numbers.allSatisfy({ file.bytes.hasPrefix($0.1, at: $0.0) }),
        numbers.allSatisfy({ file.replace(at: $0.0, with: $0.2) })
      else { return }
      CoarsePictures.halve(
        width: code.width, height: code.height, components: code.components, times)
    }
  }
}
