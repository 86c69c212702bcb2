internal import CCairo
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
    for (index, directory) in directories.enumerated() where try tiff.isCut(directory) {
      isCut = true
      noteDamage(index)
    }
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

  package func size(of index: Int) -> PageSize { directories[index].facts.size }

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
