internal import CCairo
internal import CTIFF
package import DocumentBytes
internal import Drawing
package import PrintModel

/// A TIFF file: all of its pages, without thumbnails and masks.
///
/// Pages are checked when the file is opened and decoded when they are drawn: a fax or a scan may have hundreds.
package final class TIFFPages: Pages {
  private let file: MappedFile
  private let tiff: TIFFFile
  private let directories: [TIFFFile.Directory]
  private var last: (index: Int, bitmap: Bitmap)?
  private var losses = LossNotes()
  /// Why pages beside others can't be drawn.
  private var problems: [Int: Failure] = [:]

  /// A single page is a picture; several are a document.
  package let image: DocumentInfo.Image?

  package init(_ file: MappedFile) throws(Failure) {
    self.file = file
    tiff = try TIFFFile(file.bytes)
    let all = try tiff.directories()
    let pages = all.filter { !$0.isAside }
    directories = pages.isEmpty ? Array(all.prefix(1)) : pages
    let seen = directories.first.map(\.facts.seen)
    image =
      directories.count == 1
      ? seen.map { DocumentInfo.Image(width: $0.width, height: $0.height) } : nil
    var isCut = false
    if tiff.lacksDirectories {
      losses.add(
        Loss(.damage, "The TIFF file is damaged or cut short; pages of it may be missing."))
    }
    for (index, directory) in directories.enumerated() {
      do throws(Failure) {
        guard try tiff.isCut(directory) else { continue }
        isCut = true
        noteDamage(index)
      } catch {
        problems[index] = error.of("Page \(index + 1)")
      }
    }
    if let problem = problems[0], problems.count == count { throw problem }
    // A single picture is decoded at once, like those of other formats, so that damage is reported now.
    if directories.count == 1, !isCut { _ = try bitmap(0) }
  }

  private func noteDamage(_ index: Int) {
    var loss = DamagedPicture.loss
    if count > 1 {
      loss = loss.of("Page \(index + 1)")
      loss.page = index + 1
    }
    losses.add(loss)
  }

  package func takeLosses() -> [Loss] { losses.take() }

  package var count: Int { directories.count }

  package func size(of index: Int) throws(Failure) -> PageSize {
    if let problem = problems[index] { throw problem }
    return directories[index].facts.size
  }

  package func draw(_ index: Int, on context: OpaquePointer) throws(Failure) {
    try bitmap(index).draw(directories[index].facts, on: context)
  }

  private func bitmap(_ index: Int) throws(Failure) -> Bitmap {
    if let last, last.index == index { return last.bitmap }
    last = nil
    let picture = try tiff.decode(directories[index])
    last = (index, picture.bitmap)
    if picture.isPartial { noteDamage(index) }
    return picture.bitmap
  }
}

extension Bitmap {
  /// Draws the picture upright, in points.
  func draw(_ facts: PictureFacts, on context: OpaquePointer) {
    applyTransform(facts.transform, to: context)
    cairo_rectangle(context, 0, 0, Double(facts.width), Double(facts.height))
    cairo_scale(context, Double(factor), Double(factor))
    cairo_set_source_surface(context, surface, 0, 0)
    // GOOD averages when reducing and interpolates when enlarging; PAD keeps the edges from fading into the surrounding
    // white.
    cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_GOOD)
    cairo_pattern_set_extend(cairo_get_source(context), CAIRO_EXTEND_PAD)
    cairo_fill(context)
  }
}

/// The numbers in a row of a TIFF file, of 1 to 16 bits each, one after the other (TIFF 6.0, Section 7).
struct TIFFSamples {
  /// Bits of each.
  let depth: Int
  let perPixel: Int
  let photometric: Int32
  /// True if the lowest number is negative, which is black as 0 is (SMinSampleValue).
  let isSigned: Bool

  var areInks: Bool { photometric == PHOTOMETRIC_SEPARATED }

  var source: ColorProfile.Source { areInks ? .cmyk : perPixel < 3 ? .gray : .rgb }

  /// Bytes of a row.
  func length(_ width: Int) -> Int { (width * perPixel * depth + 7) / 8 }

  /// Reads a row of `length` bytes as pixels: four inks, cyan lowest, or XRGB.
  func read(_ line: UnsafeRawBufferPointer, to row: UnsafeMutablePointer<UInt32>, width: Int) {
    for column in 0..<width {
      let first = column * perPixel
      if areInks {
        row[column] = (0..<4).reduce(0) { $0 | sample(first + $1, line) << (8 * UInt32($1)) }
      } else if perPixel < 3 {
        let gray = sample(first, line)
        row[column] = 0x01_0101 * (photometric == PHOTOMETRIC_MINISWHITE ? 255 - gray : gray)
      } else {
        row[column] = (0..<3).reduce(0) { $0 << 8 | sample(first + $1, line) }
      }
    }
  }

  /// A sample as a byte.
  ///
  /// libtiff swaps the bytes of 16 bits for this machine, and leaves others in the file's order, the highest bit first.
  private func sample(_ index: Int, _ line: UnsafeRawBufferPointer) -> UInt32 {
    let sign: UInt32 = isSigned ? 1 << UInt32(depth - 1) : 0
    if depth == 16 {
      return (UInt32(line.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self)) ^ sign) >> 8
    }
    let start = index * depth
    var number: UInt32 = 0
    for place in start / 8...(start + depth - 1) / 8 { number = number << 8 | UInt32(line[place]) }
    let most = UInt32(1) << UInt32(depth) - 1
    number = number >> UInt32(7 - (start + depth - 1) % 8) & most ^ sign
    return depth > 8 ? number >> UInt32(depth - 8) : number * 255 / most
  }
}
