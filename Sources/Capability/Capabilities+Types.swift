internal import PrintModel

extension Capabilities {
  /// Reads printer-kind (PWG 5100.13) if stated; else infers the types from media and sizes.
  mutating func readTypes(_ attributes: AttributeSet) {
    types = Set(
      attributes.strings("printer-kind").compactMap { JobType(rawValue: $0.lowercased()) })
    typesAreStated = !types.isEmpty
    if !typesAreStated { types = inferredTypes }
  }

  private var inferredTypes: Set<JobType> {
    let papers = ready + possible + [defaultPaper].compactMap { $0 }
    let mediaTypes = Set(self.mediaTypes + papers.compactMap(\.type))
    let names = Set(papers.map(\.name))
    let printsLabelsOnly = isLabelPrinter(papers, mediaTypes)
    // Labels often have no margins, but are not photo sheets.
    let hasLabels =
      printsLabelsOnly || mediaTypes.contains(where: Paper.isLabel)
      || papers.contains(where: \.isLabel)
    var types: Set<JobType> = []
    func infer(_ type: JobType, _ condition: Bool) { if condition { types.insert(type) } }
    // Drivers of label printers list A4 although such a sheet does not fit (CUPS' zebra.ppd).
    infer(
      .document,
      (printsLabelsOnly ? [defaultPaper].compactMap { $0 } : papers)
        .contains(where: \.holdsLetterOrA4))
    infer(.largeFormat, papers.contains(where: \.isLarge))
    infer(
      .photo,
      mediaTypes.contains(where: Paper.isPhotographic)
        || !hasLabels
          && papers.contains {
            ($0.isBorderless || !$0.margins.areStated) && $0.isPhotoSized
          }
    )
    infer(
      .envelope,
      !printsLabelsOnly && names.contains(where: MediaName.isEnvelope)
        || mediaTypes.contains(where: Paper.isEnvelope) || sources.contains("envelope"))
    infer(
      .postcard,
      names.contains { $0.hasPrefix("jpn_hagaki") || $0.hasPrefix("jpn_oufuku") }
        || sources.contains("hagaki"))
    infer(.label, hasLabels)
    infer(.roll, papers.contains(where: \.isRoll))
    infer(
      .receipt,
      papers.contains { $0.isRoll && $0.isReceiptWide && !$0.isLabel }
        || !hasLabels && !mediaTypes.contains(where: Paper.isPhotographic)
          && defaultPaper?.isReceiptSheet == true
    )
    infer(.disc, papers.contains(where: \.isDisc) || mediaTypes.contains { $0.hasPrefix("disc") })
    // Media of no known type are sheets.
    infer(.document, types.isEmpty && !papers.isEmpty)
    return types
  }

  /// Returns true for thermal stock, or if most media are small and the default one is, too, or none is a sheet: a
  /// driver's queue reports no more about a label printer, whose default is often a shipping label (4x6).
  ///
  /// Photo printers also have small sheets, of photo paper or without margins.
  private func isLabelPrinter(_ papers: [Paper], _ mediaTypes: Set<String>) -> Bool {
    if mediaTypes.contains(where: Paper.isThermal) { return !papers.contains(where: \.isRoll) }
    guard let usual = defaultPaper, !usual.isRoll, !usual.isBorderless, usual.margins.areStated,
      usual.size.isSmallerThanPhotos || !papers.contains(where: \.holdsLetterOrA4),
      !usual.isReceiptSheet,
      !mediaTypes.contains(where: Paper.isPhotographic)
    else { return false }
    let sizes = Set(papers.map(\.size))
    return sizes.filter(\.isSmallerThanPhotos).count * 2 > sizes.count
  }
}

extension MediaSize {
  /// True if it is narrower than an L photo (89 mm).
  fileprivate var isSmallerThanPhotos: Bool { min(width, length) < 8_800 }
}

extension Paper {
  /// True for the width of 58 mm and 80 mm rolls, or of their printable part.
  fileprivate var isReceiptWide: Bool { (4_800...8_300).contains(size.width) }
}
