package import DocumentBytes
internal import Drawing
package import PrintModel

/// PNG pictures in one file, one after the other, each a page: the output of a renderer.
///
/// Their pixels are the printer's, whatever resolution they state.
package final class PNGPages: Pages {
  private let file: MappedFile
  private let pictures: [Picture]
  /// The last picture drawn: a page is drawn in one piece, and only once.
  private var decoded: (index: Int, bitmap: Bitmap)?

  private struct Picture {
    var bytes: Range<Int>
    var facts: PictureFacts
  }

  package init(_ file: MappedFile, _ resolution: Resolution) throws(Failure) {
    self.file = file
    var pictures: [Picture] = []
    var start = 0
    while start < file.bytes.count {
      let (bytes, width, height) = try PNGPages.picture(
        in: file.bytes, at: start, number: pictures.count + 1)
      var facts = try PictureFacts(file.bytes.piece(bytes), DocumentFormat.png)
      (facts.width, facts.height, facts.resolution) = (width, height, resolution)
      pictures.append(Picture(bytes: bytes, facts: facts))
      start = bytes.upperBound
    }
    self.pictures = pictures
  }

  package var count: Int { pictures.count }

  package func size(of index: Int) -> PageSize { pictures[index].facts.size }

  package func draw(_ index: Int, on context: OpaquePointer) throws(Failure) {
    try bitmap(of: index).draw(pictures[index].facts, on: context)
  }

  private func bitmap(of index: Int) throws(Failure) -> Bitmap {
    if let decoded, decoded.index == index { return decoded.bitmap }
    let picture = pictures[index]
    do throws(Failure) {
      let bitmap = try DecodedPicture(PNGSource(file.bytes.piece(picture.bytes))).bitmap
      decoded = (index, bitmap)
      return bitmap
    } catch {
      throw error.of("Page \(index + 1)")
    }
  }

  /// The PNG that begins at `start` (ISO 15948 §5): a signature, then chunks of length, name, data and checksum, from
  /// IHDR with the size to IEND.
  private static func picture(
    in bytes: UnsafeRawBufferPointer, at start: Int, number: Int
  ) throws(Failure) -> (bytes: Range<Int>, width: Int, height: Int) {
    let broken = Failure(.document, "Page \(number) is not a complete PNG picture.")
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    guard bytes[start...].starts(with: signature) else { throw broken }
    func word(_ place: Int) -> Int { (0..<4).reduce(0) { $0 << 8 | Int(bytes[place + $1]) } }
    var (width, height) = (0, 0)
    var place = start + signature.count
    while place + 12 <= bytes.count {
      let length = word(place)
      guard length <= bytes.count - place - 12 else { throw broken }
      if bytes[(place + 4)...].starts(with: "IHDR".utf8), length >= 8 {
        (width, height) = (word(place + 8), word(place + 12))
      }
      let isLast = bytes[(place + 4)...].starts(with: "IEND".utf8)
      place += 12 + length
      guard isLast else { continue }
      guard width > 0, height > 0 else { throw broken }
      return (start..<place, width, height)
    }
    throw broken
  }
}
