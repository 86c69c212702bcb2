internal import PrintModel

extension Capabilities {
  /// printer-kind (PWG 5100.13) where it is stated; else what media and sizes let one infer.
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
    var types: Set<JobType> = []
    func infer(_ type: JobType, _ condition: Bool) { if condition { types.insert(type) } }
    infer(.document, papers.contains { $0.holdsLetterOrA4 && !$0.isRoll })
    infer(.largeFormat, papers.contains { $0.size.width > 29_700 && $0.size.length > 42_000 })
    infer(
      .photo,
      mediaTypes.contains { $0.hasPrefix("photographic") }
        || papers.contains { $0.isBorderless && $0.isPhotoSized && !$0.isRoll })
    infer(
      .envelope,
      names.contains(where: Capabilities.isEnvelope) || mediaTypes.contains("envelope")
        || sources.contains("envelope"))
    infer(
      .postcard,
      names.contains { $0.hasPrefix("jpn_hagaki") || $0.hasPrefix("jpn_oufuku") }
        || sources.contains("hagaki"))
    infer(.label, mediaTypes.contains { $0.hasPrefix("labels") })
    infer(.roll, papers.contains(where: \.isRoll))
    infer(
      .receipt,
      papers.contains { $0.isRoll && $0.isReceiptWide && $0.type?.hasPrefix("labels") != true })
    return types
  }

  private static func isEnvelope(_ name: String) -> Bool {
    ["number-10", "_dl_", "_c5_", "_c6_", "monarch", "_you", "_chou", "_kaku"].contains {
      name.contains($0)
    }
  }
}

extension Paper {
  fileprivate var holdsLetterOrA4: Bool {
    size.width >= 20_900 && size.length >= 27_840
  }

  fileprivate var isPhotoSized: Bool { size.width <= 13_000 && size.length <= 18_000 }

  /// 58 mm and 80 mm rolls with what is printable of them.
  fileprivate var isReceiptWide: Bool { (4_800...8_300).contains(size.width) }
}
