/// Removes Q operators of a content stream without a matching q (ISO 32000-1 §8.4.2), and moves `StrayPaths`.
///
/// Poppler ends a page at the first one, only reports that in its log (`PopplerLog`), and draws nothing after it; other
/// readers ignore it.
struct UnbalancedGraphicsStates {
  private var drawn = DrawnStreams()
  /// Bytes of one page's content that may still be unpacked.
  private var budget = UnbalancedGraphicsStates.most
  private static let most = 64 << 20

  /// Removes them from a page's content, from the forms, tiles, masks and glyphs that it draws, and from its
  /// annotations.
  mutating func repair(_ page: PDFObject) {
    budget = Self.most
    // Together, they are one content (§7.8.2).
    var all: [UInt8] = []
    for stream in page["Contents"].oneOrAll where stream.isStream {
      guard let bytes = unpacked(stream) else { return }
      all += bytes + [UInt8(ascii: "\n")]
    }
    if let repaired = Self.mended(all) { page["Contents"] = page.file.newStream(repaired) }
    for content in drawn.new(on: page) where content["Subtype"].name != "Image" {
      repair(content: content)
    }
  }

  private mutating func repair(content: PDFObject) {
    if let bytes = unpacked(content), let repaired = Self.mended(bytes) {
      content.replaceData(with: repaired)
    }
  }

  private mutating func unpacked(_ stream: PDFObject) -> [UInt8]? {
    guard let bytes = stream.data(atMost: budget), bytes.count <= budget else { return nil }
    budget -= bytes.count
    return bytes
  }

  private static func mended(_ content: [UInt8]) -> [UInt8]? {
    let balanced = repaired(content)
    return StrayPaths.moved(in: balanced ?? content) ?? balanced
  }

  /// The content with spaces in place of unmatched operators; nil: there are none.
  static func repaired(_ content: [UInt8]) -> [UInt8]? {
    var saved = 0
    var unmatched: [Int] = []
    content.withUnsafeBytes {
      ContentToken.forEach(in: $0) { token, place in
        if token == .word("q") { saved += 1 }
        guard token == .word("Q") else { return true }
        if saved > 0 { saved -= 1 } else { unmatched.append(place) }
        return true
      }
    }
    guard !unmatched.isEmpty else { return nil }
    var repaired = content
    for place in unmatched { repaired[place] = UInt8(ascii: " ") }
    return repaired
  }
}
