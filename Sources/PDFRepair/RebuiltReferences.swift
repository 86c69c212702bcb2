internal import DocumentBytes
internal import Glibc

/// The cross references of a PDF in which neither Poppler nor QPDF finds any that lead to its pages: made anew from
/// the objects that stand in the file, as mutool makes them (ISO 32000-1 §7.5).
///
/// QPDF (11.3) looks for a trailer by its keyword alone, which a PDF with a stream of references lacks.
struct RebuiltReferences {
  private let file: UnsafeRawBufferPointer
  /// Objects by their numbers: of several with one number the last counts.
  private var objects: [Int: Place] = [:]
  /// The objects that say that they are the catalog.
  private var catalogs: [Int] = []
  /// Bytes that may still be unpacked.
  private var budget = 24 << 20
  private static let mostObjects = 200_000

  private enum Place {
    /// `members`: what stands before the data of a stream, or the object's end.
    case file(offset: Int, generation: Int, members: Range<Int>)
    case packed([UInt8])
  }

  /// The file with the objects of its object streams, a table of references and a trailer behind it.
  ///
  /// nil for one that is encrypted, has no catalog, or lacks pages or their contents.
  static func file(for damaged: UnsafeRawBufferPointer) -> [UInt8]? {
    guard
      !["/Encrypt", "/Filter /Standard", "/Filter/Standard", "/CFM"].contains(where: {
        damaged.contains($0)
      })
    else { return nil }
    var references = RebuiltReferences(file: damaged)
    references.findObjects()
    guard !references.lacksParts else { return nil }
    return references.root.map { references.written(root: $0) }
  }

  private mutating func findObjects() {
    var headings: [(number: Int, generation: Int, start: Int, end: Int)] = []
    var place = 0
    while headings.count < RebuiltReferences.mostObjects,
      let found = file.firstPlace(of: "obj", from: place)
    {
      place = found + 3
      if let (number, generation, start) = heading(before: found) {
        headings.append((number, generation, start, place))
      }
    }
    for (index, heading) in headings.enumerated() {
      let next = index + 1 < headings.count ? headings[index + 1].start : file.count
      let range = members(in: heading.end..<max(heading.end, next))
      objects[heading.number] = .file(
        offset: heading.start, generation: heading.generation, members: range)
      look(at: file.piece(range), of: heading.number, from: heading.end)
    }
  }

  /// The part of an object that may be its dictionary, without the data of a stream.
  private func members(in range: Range<Int>) -> Range<Int> {
    var text = file.piece(range)
    for end in ["stream", "endobj"] {
      if let place = text.firstPlace(of: end, from: 0) { text = text.piece(0..<place) }
    }
    return range.lowerBound..<range.lowerBound + text.count
  }

  /// True when a page, or a part of a page's content, is not in the file: it is cut off.
  private var lacksParts: Bool {
    objects.values.contains { place in
      switch place {
      case .file(_, _, let members): isIncomplete(file.piece(members))
      case .packed(let object): object.withUnsafeBytes { isIncomplete($0) }
      }
    }
  }

  /// True when it refers to a page, or to a content of one, that is not in the file.
  private func isIncomplete(_ members: UnsafeRawBufferPointer) -> Bool {
    guard members.contains("/Page"), !members.contains("/Catalog") else { return false }
    return ["/Kids", "/Contents"].contains { name in
      members.references(behind: name).contains { number in
        switch objects[number] {
        case nil: true
        case .file(_, _, let range):
          // Cut off in its dictionary, or else a list of contents.
          range.upperBound == file.count
            || file.piece(range).references(at: 0).contains { objects[$0] == nil }
        case .packed(let object):
          object.withUnsafeBytes { $0.references(at: 0).contains { objects[$0] == nil } }
        }
      }
    }
  }

  private mutating func look(
    at members: UnsafeRawBufferPointer, of number: Int, from place: Int
  ) {
    if members.contains("/Catalog") { catalogs.append(number) }
    guard members.contains("/ObjStm") else { return }
    let data = file.dropping(place + members.count)
    // Packed once, by Flate, and without a predictor: as every program writes it.
    guard data.hasPrefix("stream"), members.contains("/FlateDecode"),
      !members.contains("/DecodeParms"), let count = members.number(behind: "/N"),
      let first = members.number(behind: "/First")
    else { return }
    var start = "stream".utf8.count
    if data.hasPrefix("\r", at: start) { start += 1 }
    if data.hasPrefix("\n", at: start) { start += 1 }
    let unpacked = InflatedStream(data.dropping(start), atMost: budget).bytes
    budget -= unpacked.count
    add(count, from: unpacked, first)
  }

  /// Takes the objects of an object stream (ISO 32000-1 §7.5.7).
  private mutating func add(_ count: Int, from unpacked: [UInt8], _ first: Int) {
    guard first <= unpacked.count else { return }
    let words = unpacked[..<first].split { !(48...57).contains($0) }
    let numbers: [Int] = words.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    var pairs: [(number: Int, start: Int)] = []
    for index in 0..<max(0, min(numbers.count / 2, count)) {
      let (number, start) = (numbers[2 * index], numbers[2 * index + 1])
      if isNumber(number), start < unpacked.count - first { pairs.append((number, start)) }
    }
    pairs.sort { $0.start < $1.start }
    for (index, pair) in pairs.enumerated()
    where objects.count < RebuiltReferences.mostObjects {
      let end = index + 1 < pairs.count ? pairs[index + 1].start : unpacked.count - first
      let object = Array(unpacked[first + pair.start..<first + end])
      objects[pair.number] = .packed(object)
      if object.withUnsafeBytes({ $0.contains("/Catalog") }) { catalogs.append(pair.number) }
    }
  }

  /// The number and generation that stand before `obj`, and where they begin; nil for `endobj`.
  private func heading(before place: Int) -> (number: Int, generation: Int, start: Int)? {
    guard let (generation, middle) = number(before: place),
      let (number, start) = number(before: middle), isNumber(number), generation <= 65_535
    else { return nil }
    return (number, generation, start)
  }

  /// As many as Poppler and QPDF take.
  private func isNumber(_ number: Int) -> Bool { (1...8_388_607).contains(number) }

  /// The number that stands before a place with space between them.
  private func number(before place: Int) -> (Int, start: Int)? {
    var end = place
    while end > 0, file[end - 1] <= 32, place - end < 16 { end -= 1 }
    var start = end
    while start > 0, (48...57).contains(file[start - 1]), end - start < 10 { start -= 1 }
    return Int(String(decoding: file[start..<end], as: UTF8.self)).map { ($0, start) }
  }

  /// The catalog, by the last trailer or stream of references that names one, or else the last one.
  private var root: Int? {
    var (place, root) = (0, Int?.none)
    while let found = file.firstPlace(of: "/Root", from: place) {
      place = found + 5
      let text = file.piece(found..<min(file.count, found + 32))
      if let number = text.number(behind: "/Root"), catalogs.contains(number) { root = number }
    }
    return root ?? catalogs.last
  }

  private func written(root: Int) -> [UInt8] {
    var bytes = Array(file) + Array("\n".utf8)
    var table = "xref\n0 1\n0000000000 65535 f \n"
    for (number, place) in objects.sorted(by: { $0.key < $1.key }) {
      var (offset, generation) = (bytes.count, 0)
      switch place {
      case .file(let start, let stated, _): (offset, generation) = (start, stated)
      case .packed(let object):
        bytes += "\(number) 0 obj\n".utf8
        bytes += object
        bytes += "\nendobj\n".utf8
      }
      table += "\(number) 1\n\(digits(offset, 10)) \(digits(generation, 5)) n \n"
    }
    let size = (objects.keys.max() ?? 0) + 1
    let start = bytes.count
    bytes += table.utf8
    bytes += "trailer\n<< /Size \(size) /Root \(root) 0 R >>\nstartxref\n\(start)\n%%EOF\n".utf8
    return bytes
  }

  private func digits(_ number: Int, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }
}

extension UnsafeRawBufferPointer {
  /// The objects that a name's values refer to.
  fileprivate func references(behind name: String) -> [Int] {
    var (place, numbers) = (0, [Int]())
    while let found = firstPlace(of: name, from: place) {
      place = found + name.utf8.count
      numbers += references(at: place)
    }
    return numbers
  }

  /// The objects that a reference at a place, or a list of them, refers to.
  fileprivate func references(at place: Int) -> [Int] {
    let rest = dropping(place).drop { $0 <= 32 }
    guard let first = rest.first else { return [] }
    let isList = first == UInt8(ascii: "[")
    guard isList || (48...57).contains(first) else { return [] }
    let text = rest.dropFirst(isList ? 1 : 0).prefix { !"]/<>(".utf8.contains($0) }
    let words = text.split { $0 <= 32 }.prefix(isList ? Int.max : 3)
    var numbers: [Int] = []
    for index in words.indices.dropFirst(2) where words[index].elementsEqual("R".utf8) {
      if let number = Int(String(decoding: words[index - 2], as: UTF8.self)) {
        numbers.append(number)
      }
    }
    return numbers
  }

  /// The first integer behind a name.
  fileprivate func number(behind name: String) -> Int? {
    var place = 0
    while let found = firstPlace(of: name, from: place) {
      place = found + name.utf8.count
      let rest = self[place...].drop { $0 <= 32 }
      let digits = rest.prefix { (48...57).contains($0) }.prefix(9)
      if let number = Int(String(decoding: digits, as: UTF8.self)) { return number }
    }
    return nil
  }
}
