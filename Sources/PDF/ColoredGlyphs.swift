internal import DocumentBytes
internal import Glibc

/// Looks for glyphs of Type 3 fonts that set their own colors (d0, ISO 32000-1 §9.6.5), such as emoji.
///
/// Most Type 3 fonts have none, such as those of TeX and Matplotlib.
enum ColoredGlyphs {
  /// Maximum number of streams to unpack the beginning of.
  private static let most = 2_000
  /// Size of a stream's beginning in bytes.
  private static let beginning = 256

  /// False: no stream of `file` begins like such a glyph.
  static func mayBe(in file: UnsafeRawBufferPointer) -> Bool {
    guard !file.contains("/Encrypt") else { return true }
    var (place, left) = (0, most)
    while let found = file.firstPlace(of: "stream", from: place) {
      place = found + "stream".utf8.count
      guard place < file.count, file[place] == 10 || file[place] == 13,
        found < 3 || !file.hasPrefix("end", at: found - 3)
      else { continue }
      left -= 1
      guard left > 0 else { return true }
      let data = file.dropping(file.hasPrefix("\r\n", at: place) ? place + 2 : place + 1)
      let before = file.piece(max(0, found - 1_000)..<found)
      let members = before.lastPlace(of: "obj", before: before.count).map { before.dropping($0) }
      if mayBeColored(members ?? before, data) { return true }
    }
    return false
  }

  /// - `members`: the text of a stream's dictionary.
  private static func mayBeColored(
    _ members: UnsafeRawBufferPointer, _ data: UnsafeRawBufferPointer
  ) -> Bool {
    if ["/Subtype/Image", "/Subtype /Image", "/XRef", "/ObjStm"].contains(where: members.contains) {
      return false
    }
    guard members.contains("/Filter") else {
      return beginsWithColors(Array(data.prefix(beginning)))
    }
    guard members.contains("/FlateDecode"), !members.contains("/DecodeParms"),
      !members.contains("/DP"), let bytes = InflatedStream.beginning(of: data, beginning)
    else { return true }
    return beginsWithColors(bytes)
  }

  /// True if the operator d0 is among the first words.
  private static func beginsWithColors(_ bytes: [UInt8]) -> Bool {
    var content = bytes[...]
    while let next = content.first, next <= 32 || next == UInt8(ascii: "%") {
      content = next <= 32 ? content.dropFirst() : content.drop { $0 != 10 && $0 != 13 }
    }
    return content.split(whereSeparator: { $0 <= 32 }).prefix(8).contains {
      $0.elementsEqual("d0".utf8)
    }
  }
}
