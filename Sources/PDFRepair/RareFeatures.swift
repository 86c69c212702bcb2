internal import DocumentBytes
internal import Glibc

/// Looks for the few rare names in a PDF for which QPDF must read it: QPDF takes 7 ms to load, and reads the document
/// once more.
///
/// Dictionaries are in the file in plain text, or in object streams (ISO 32000-1 §7.5.7), which are unpacked here. If
/// one can't be unpacked (it is encrypted, or compressed in a rarer way), the file is assumed to contain anything.
package struct RareFeatures {
  /// Bytes that may still be unpacked.
  private var budget: Int
  /// Number of annotations that need this member to be drawn, minus the number of these members: see `PDFOmissions`.
  private var missing: [String: Int] = [:]
  /// Soft masks and shadings: cairo draws a mask that is a shading incorrectly (ISO 32000-1 §11.6.5.2).
  private var (hasMasks, hasShadings) = (false, false)
  /// Stencil masks of pictures, and opacities: see `SplashScan`.
  private var (hasStencils, isTranslucent) = (false, false)
  private var hasGlyphProcedures = false

  private init(budget: Int) { self.budget = budget }

  /// False: no page of `file` needs Splash (`SplashScan`), all use points, and it has neither form fields that may be
  /// left out nor layers only for printing nor anything else that Poppler leaves out (`PDFOmissions`).
  package static func mayBe(in file: UnsafeRawBufferPointer, unpackingAtMost budget: Int = 64 << 20)
    -> Bool
  {
    var search = RareFeatures(budget: budget)
    return search.finds(in: file, isUnpacked: false)
      || search.missing.values.contains { $0 > 0 } || search.hasMasks && search.hasShadings
      || search.hasStencils && search.isTranslucent
      || search.hasGlyphProcedures && ColoredGlyphs.mayBe(in: file)
  }

  private mutating func finds(in bytes: UnsafeRawBufferPointer, isUnpacked: Bool) -> Bool {
    guard let base = bytes.baseAddress else { return false }
    var place = 0
    while let found = memchr(base + place, Int32(UInt8(ascii: "/")), bytes.count - place) {
      place = UnsafeRawPointer(found) - base + 1
      guard place < bytes.count else { return false }
      // In a picture's data, every 256th byte is a slash.
      switch bytes[place] {
      case UInt8(ascii: "U"):
        if bytes.hasPrefix("UserUnit", at: place) { return true }
        count("Underline", "QuadPoints", bytes, place)
      case UInt8(ascii: "W"):
        if bytes.hasPrefix("Widget", at: place), !RareFeatures.isPlainField(bytes, place) {
          return true
        }
      case UInt8(ascii: "P"):
        if bytes.hasPrefix("PrintState", at: place) { return true }
        count("Polygon", "Vertices", bytes, place)
        count("PolyLine", "Vertices", bytes, place)
      case UInt8(ascii: "M"):
        if bytes.hasPrefix("Matte", at: place) || bytes.hasPrefix("Movie", at: place) {
          return true
        }
        // By reference, like all streams.
        if bytes.value(of: "Mask", at: place) == "" { hasStencils = true }
      case UInt8(ascii: "C"):
        // From a larger circle to a smaller one.
        let piece = bytes.piece(place..<min(bytes.count, place + 200))
        if piece.hasPrefix("Coords", at: 0), let circles = piece.numbers(behind: "Coords", 6),
          circles[2] > circles[5]
        {
          return true
        }
      case UInt8(ascii: "c"):
        if let value = bytes.value(of: "ca", at: place),
          value.isEmpty || value.hasPrefix("0") || value.hasPrefix(".")
        {
          isTranslucent = true
        }
      case UInt8(ascii: "V"):
        if bytes.value(of: "VE", at: place) != nil { return true }
        count("Vertices", "Vertices", bytes, place, -1)
      case UInt8(ascii: "F"):
        count("FileAttachment", "FS", bytes, place)
        count("FS", "FS", bytes, place, -1)
      case UInt8(ascii: "H"): count("Highlight", "QuadPoints", bytes, place)
      case UInt8(ascii: "Q"): count("QuadPoints", "QuadPoints", bytes, place, -1)
      case UInt8(ascii: "T"):
        if bytes.hasPrefix("Type3", at: place) { hasGlyphProcedures = true }
        if let value = bytes.value(of: "TR", at: place), value != "/Identity",
          !bytes.isStructureType(at: place)
        {
          return true
        }
      case UInt8(ascii: "S"):
        if let value = bytes.value(of: "ShadingType", at: place) {
          guard ["2", "3"].contains(value) else { return true }
          hasShadings = true
        }
        if bytes.value(of: "Separation", at: place) == "/None" { return true }
        if bytes.value(of: "Sound", at: place) != nil { return true }
        count("Squiggly", "QuadPoints", bytes, place)
        count("StrikeOut", "QuadPoints", bytes, place)
      case UInt8(ascii: "D"): if bytes.value(of: "DeviceN", at: place) == "/None" { return true }
      case UInt8(ascii: "B"):
        if let value = bytes.value(of: "BM", at: place),
          !["/Normal", "/Compatible"].contains(value)
        {
          return true
        }
      case UInt8(ascii: "X"):
        if bytes.hasPrefix("XStep", at: place), bytes.hasOverlappingTile(at: place) { return true }
      case UInt8(ascii: "L"): if bytes.hasPrefix("Luminosity", at: place) { hasMasks = true }
      case UInt8(ascii: "A"): if bytes.value(of: "Alpha", at: place) != nil { hasMasks = true }
      case UInt8(ascii: "K"): if bytes.value(of: "K", at: place) == "true" { return true }
      case UInt8(ascii: "O"):
        if !isUnpacked, bytes.hasPrefix("ObjStm", at: place), findsInStream(bytes, at: place) {
          return true
        }
      default: break
      }
    }
    return false
  }

  /// True for a form field, with its type at `place`, that `PDFOmissions` has no use for: one that is printed and has
  /// an appearance, or is a button.
  private static func isPlainField(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> Bool {
    guard let field = DictionaryText(around: place, in: bytes) else { return false }
    // Invisible is 1, Hidden 2, Print 4, NoView 32.
    return field.value(of: "FT")?.isName("/Btn") == true
      || (field.number("F") ?? 0) & 39 != 0 && field.dictionary("AP")?.has("N") == true
  }

  /// Counts a name at `place`: that of an annotation that needs a member, or of that member.
  private mutating func count(
    _ name: String, _ member: String, _ bytes: UnsafeRawBufferPointer, _ place: Int,
    _ number: Int = 1
  ) {
    if bytes.value(of: name, at: place) != nil { missing[member, default: 0] += number }
  }

  /// Searches the object stream whose type is at `place`.
  private mutating func findsInStream(_ file: UnsafeRawBufferPointer, at place: Int) -> Bool {
    guard let found = file.membersOfStream(at: place) else { return true }
    let members = file.piece(found)
    // Compressed once, by Flate, and without a predictor, as every program writes it.
    guard members.contains("/FlateDecode"), !members.contains("/DecodeParms"),
      !members.contains("/DP"), !members.contains("/Crypt"),
      members.firstPlace(of: "/FlateDecode", from: 0)
        == members.lastPlace(of: "/FlateDecode", before: members.count)
    else { return true }
    var data = found.upperBound + "stream".utf8.count
    if data < file.count, file[data] == 13 { data += 1 }
    if data < file.count, file[data] == 10 { data += 1 }
    guard data < file.count else { return true }
    let unpacked = InflatedStream(file.dropping(data), atMost: budget, checksSum: true)
    budget -= unpacked.bytes.count
    guard unpacked.isWhole else { return true }
    return unpacked.bytes.withUnsafeBytes { finds(in: $0, isUnpacked: true) }
  }
}

extension UnsafeRawBufferPointer {
  /// The word after a name at `place`, or the first one of an array: `/Normal`, `true`, `3`; empty if there is no word,
  /// or a reference.
  ///
  /// nil: another name is at `place`.
  fileprivate func value(of name: String, at place: Int) -> String? {
    guard hasPrefix(name, at: place) else { return nil }
    var rest = dropping(place + name.utf8.count).prefix(64)
    guard let next = rest.first, !isRegular(next) else { return nil }
    let isList = rest.first { !isSpace($0) } == UInt8(ascii: "[")
    rest = rest.drop { isSpace($0) || $0 == UInt8(ascii: "[") }
    var word: [UInt8] = []
    if rest.first == UInt8(ascii: "/") { word.append(rest.removeFirst()) }
    word += rest.prefix { isRegular($0) }
    let behind = rest.drop { isRegular($0) }.drop { isSpace($0) }
    // `2 0 R`.
    if !isList, let digit = behind.first, (48...57).contains(digit) { return "" }
    return String(decoding: word, as: UTF8.self)
  }

  /// True for the type of a structure element, `/S /TR`: a row of a table in a tagged PDF (§14.8.4.3.4).
  fileprivate func isStructureType(at place: Int) -> Bool {
    let before = prefix(Swift.max(0, place - 1)).suffix(8).reversed().drop { isSpace($0) }
    return before.starts(with: "S/".utf8)
  }

  /// True if it begins with exactly this name, after whitespace.
  fileprivate func isName(_ name: String) -> Bool {
    let rest = drop { isSpace($0) }
    return rest.starts(with: name.utf8)
      && rest.dropFirst(name.utf8.count).first.map(isRegular) != true
  }

  /// Where a stream's dictionary lies that has a name at `place`; nil when it is long, or no stream's.
  fileprivate func membersOfStream(at place: Int) -> Range<Int>? {
    let first = Swift.max(0, place - 1_000)
    let around = piece(first..<Swift.min(count, place + 1_000))
    guard let end = around.firstPlace(of: "stream", from: place - first),
      let start = around.lastPlace(of: "obj", before: place - first)
    else { return nil }
    return first + start..<first + end
  }

  /// True for a tile that is larger than its steps (ISO 32000-1 §8.7.3), or may be.
  fileprivate func hasOverlappingTile(at place: Int) -> Bool {
    guard let members = membersOfStream(at: place).map({ piece($0) }),
      let box = members.numbers(behind: "/BBox", 4),
      let across = members.numbers(behind: "/XStep", 1),
      let down = members.numbers(behind: "/YStep", 1)
    else { return true }
    return SplashScan.overlaps(box, across[0], down[0])
  }

  fileprivate func numbers(behind name: String, _ count: Int) -> [Double]? {
    guard let place = firstPlace(of: name, from: 0) else { return nil }
    let words = dropping(place + name.utf8.count).prefix(128)
      .split {
        isSpace($0) || $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") || $0 == UInt8(ascii: "/")
      }
    // A reference is no number: `/XStep 5 0 R`.
    if count == 1, words.count > 1, Double(String(decoding: words[1], as: UTF8.self)) != nil {
      return nil
    }
    let numbers = words.prefix(count).compactMap { Double(String(decoding: $0, as: UTF8.self)) }
    return numbers.count == count ? numbers : nil
  }
}
