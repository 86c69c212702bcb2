internal import DocumentBytes
internal import Glibc
internal import PDFRepair

/// What QPDF reads a PDF's objects for as well, by the names in its bytes.
///
/// The names may have other reasons: if a page really has the feature is decided by `RendererChoice` and `PDFOmissions`,
/// for which QPDF is loaded, which takes 7 ms, and reads the document once more.
struct PDFFeature {
  /// Names in the file or in its object streams; of each list, a file has one if it has the feature.
  var names: [[PDFName]]

  static let all = [
    PDFFeature(names: [
      [
        // What cairo draws wrong, and Splash right: see `SplashReason`.
        PDFName("K", .word("true")), PDFName("BM", .otherThan(["/Normal", "/Compatible"])),
        PDFName("TR", .noName), PDFName("ShadingType", .otherThan(["2"])), PDFName("XStep"),
        PDFName("Matte"), PDFName("Separation", .word("/None")),
        PDFName("DeviceN", .word("/None")),
        // Pages with other units than points.
        PDFName("UserUnit"),
        // Form fields, layers, and annotations whose appearance Poppler can't use.
        PDFName("Widget"), PDFName("PrintState"), PDFName("XFA"), PDFName("Collection"),
        PDFName("VE"), PDFName("AP"),
      ]
    ]),
    PDFFeature(names: [[PDFName("Luminosity"), PDFName("Alpha")], [PDFName("ShadingType")]]),
    PDFFeature(names: [[PDFName("Mask", .word(""))], [PDFName("ca", .belowOne)]]),
  ]

  /// False: no page of `file` has any of these features, and it has no more than `pages`.
  ///
  /// If an object stream can't be unpacked (it is encrypted, or compressed in a rarer way), the file is assumed to have
  /// all.
  ///
  /// - `budget`: bytes that may be unpacked.
  static func mayBe(
    in file: UnsafeRawBufferPointer, pages: Int = .max, unpackingAtMost budget: Int = 64 << 20
  ) -> Bool {
    var search = NameSearch(budget: budget, pages: pages)
    return search.finds(in: file, isUnpacked: false)
  }
}

extension UnsafeRawBufferPointer {
  /// Where a stream's dictionary lies that has a name at `place`; nil when it is long, or no stream's.
  fileprivate func membersOfStream(at place: Int) -> Range<Int>? {
    let first = Swift.max(0, place - 1_000)
    let around = piece(first..<Swift.min(count, place + 1_000))
    guard let end = around.firstPlace(of: "stream", from: place - first),
      let start = around.lastPlace(of: "obj", before: place - first)
    else { return nil }
    return first + start..<first + end
  }
}

/// A name in a PDF's bytes, with the word that follows it: a member and its value.
struct PDFName {
  /// The word behind a name, or the first one of a list: `/Normal`, `true`, `3`; empty for a reference or a dictionary.
  enum Value {
    case any
    case word(String)
    case otherThan([String])
    case noName
    case belowOne
  }

  private let name: String
  private let value: Value
  var first: UInt8 { name.utf8.first ?? 0 }

  init(_ name: String, _ value: Value = .any) {
    self.name = name
    self.value = value
  }

  /// True if it is in `bytes` behind the slash before `place`.
  func matches(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Bool {
    guard bytes.hasPrefix(name, at: place),
      case let rest = bytes.dropping(place + name.utf8.count).prefix(64),
      rest.first.map(bytes.isRegular) != true
    else { return false }
    func word() -> String? { PDFName.word(in: rest, bytes) }
    return switch value {
    case .any: true
    case .word(let wanted): word() == wanted
    case .otherThan(let usual): word().map { !usual.contains($0) } ?? false
    case .noName: word()?.hasPrefix("/") == false
    case .belowOne: word().map { $0.isEmpty || $0.hasPrefix("0") || $0.hasPrefix(".") } ?? false
    }
  }

  /// nil: the name is itself a value, the last one of a dictionary or a list.
  private static func word(
    in text: Slice<UnsafeRawBufferPointer>, _ bytes: UnsafeRawBufferPointer
  ) -> String? {
    let start = text.drop(while: bytes.isSpace)
    guard let first = start.first, !">]".utf8.contains(first) else { return nil }
    var rest = start.drop { bytes.isSpace($0) || $0 == UInt8(ascii: "[") }
    var word: [UInt8] = []
    if rest.first == UInt8(ascii: "/") { word.append(rest.removeFirst()) }
    word += rest.prefix(while: bytes.isRegular)
    let behind = rest.drop(while: bytes.isRegular).drop(while: bytes.isSpace)
    // `2 0 R`.
    let isReference = (48...57).contains(first) && (48...57).contains(behind.first ?? 0)
    return isReference ? "" : String(decoding: word, as: UTF8.self)
  }
}

/// A search for the names of all features.
private struct NameSearch {
  /// Bytes that may still be unpacked, and pages that may still be found.
  private var (budget, pages): (Int, Int)
  /// The lists of names that each feature still needs.
  private var missing = PDFFeature.all.map { Set($0.names.indices) }

  /// All names with their features and lists, by their first bytes.
  private static let byFirstByte: [[(name: PDFName, feature: Int, list: Int)]] = {
    var all = [[(name: PDFName, feature: Int, list: Int)]](repeating: [], count: 256)
    for (index, feature) in PDFFeature.all.enumerated() {
      for (list, names) in feature.names.enumerated() {
        for name in names { all[Int(name.first)].append((name, index, list)) }
      }
    }
    return all
  }()

  /// A page, in the tree or replaced by a later one.
  private static let page = PDFName("Type", .word("/Page"))

  init(budget: Int, pages: Int) { (self.budget, self.pages) = (budget, pages) }

  mutating func finds(in bytes: UnsafeRawBufferPointer, isUnpacked: Bool) -> Bool {
    guard let base = bytes.baseAddress else { return false }
    var place = 0
    while let found = memchr(base + place, Int32(UInt8(ascii: "/")), bytes.count - place) {
      place = UnsafeRawPointer(found) - base + 1
      guard place < bytes.count else { return false }
      // In a picture's data, every 256th byte is a slash.
      for (name, feature, list) in NameSearch.byFirstByte[Int(bytes[place])]
      where missing[feature].contains(list) && name.matches(bytes, at: place) {
        missing[feature].remove(list)
        if missing[feature].isEmpty { return true }
      }
      if bytes[place] == UInt8(ascii: "T"), NameSearch.page.matches(bytes, at: place) {
        pages -= 1
        if pages < 0 { return true }
      }
      if !isUnpacked, bytes[place] == UInt8(ascii: "O"), bytes.hasPrefix("ObjStm", at: place),
        findsInStream(bytes, at: place)
      {
        return true
      }
    }
    return false
  }

  /// Searches the object stream (ISO 32000-1 §7.5.7) whose type is at `place`.
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
