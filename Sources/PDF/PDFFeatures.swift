internal import DocumentBytes
internal import Glibc
internal import PDFRepair
internal import PrintModel

/// Everything for which a PDF is not just drawn by Poppler on cairo: how it is found, and what follows.
struct PDFFeature {
  enum Consequence: Hashable {
    /// Splash draws the pages that have it.
    case splash(SplashReason)
    /// QPDF rewrites the file (`RepairedPDF`), and the page is drawn again.
    case repair
    /// The user is told, by `PDFOmissions`.
    case warning
    /// Pages have other units than points.
    case unit
  }

  enum Sign {
    /// Names in the file or in its object streams; of each list, a file has one if it has the feature.
    ///
    /// They may have other reasons: if a page really has it is decided by `RendererChoice` and `PDFOmissions`, for which
    /// QPDF is loaded, which takes 7 ms, and reads the document once more.
    case names([[PDFName]])
    /// A part of a message of Poppler's (22 to 26). What else it leaves out: `PopplerLog`.
    case message(String)
    /// cairo's status, what it prints (`CairoComplaints`), or that it draws nothing where Splash does; or a page that
    /// takes too much memory.
    case drawing
  }

  var sign: Sign
  var consequences: Set<Consequence>
  /// False for a file that has the names, and certainly not the feature.
  var mayBeIn: (@Sendable (UnsafeRawBufferPointer) -> Bool)?

  init(
    _ sign: Sign, _ consequences: Consequence...,
    mayBeIn: (@Sendable (UnsafeRawBufferPointer) -> Bool)? = nil
  ) {
    self.sign = sign
    self.consequences = Set(consequences)
    self.mayBeIn = mayBeIn
  }

  static let all =
    splash + [
      PDFFeature(.names([[PDFName("UserUnit")]]), .unit),
      // Form fields, layers, and annotations whose appearance Poppler can't use.
      PDFFeature(.names([[PDFName("Widget")]]), .warning),
      PDFFeature(.names([[PDFName("PrintState")]]), .warning),
      PDFFeature(.names([[PDFName("XFA"), PDFName("Collection")]]), .warning),
      PDFFeature(.names([[PDFName("VE")]]), .warning),
      PDFFeature(.names([[PDFName("AP")]]), .warning),
      // A page ends at a Q operator without a matching q.
      PDFFeature(.message("no valid states to pop"), .repair),
      // A content, a font or a picture that can't be unpacked to its end, or a list of contents with something else.
      PDFFeature(.message("flate stream"), .repair),
      PDFFeature(.message("Weird page contents"), .repair),
    ]

  /// What cairo draws wrong, and Splash right.
  private static let splash = [
    PDFFeature(.names([[PDFName("K", .word("true"))]]), .splash(.knockoutGroup)),
    PDFFeature(
      .names([[PDFName("BM", .otherThan(["/Normal", "/Compatible"]))]]), .splash(.blendMode)),
    PDFFeature(.names([[PDFName("TR", .noName)]]), .splash(.transferFunction)),
    PDFFeature(
      .names([[PDFName("Luminosity"), PDFName("Alpha")], [PDFName("ShadingType")]]),
      .splash(.shadedMask)),
    PDFFeature(
      .names([
        [
          PDFName("ShadingType", .otherThan(["2", "3"])),
          PDFName("Coords", .from(PDFName.narrowingCircles)),
        ]
      ]), .splash(.shading)),
    PDFFeature(
      .names([[PDFName("XStep", .from(PDFName.overlappingTile))]]), .splash(.overlappingTiles)),
    PDFFeature(.names([[PDFName("Matte")]]), .splash(.matte)),
    PDFFeature(
      .names([[PDFName("Mask", .word(""))], [PDFName("ca", .belowOne)]]), .splash(.stencilMask)),
    PDFFeature(
      .names([[PDFName("Separation", .word("/None")), PDFName("DeviceN", .word("/None"))]]),
      .splash(.noInk)),
    PDFFeature(
      .names([[PDFName("Type3")]]), .splash(.colorFont), mayBeIn: { ColoredGlyphs.mayBe(in: $0) }),
    PDFFeature(.drawing, .splash(.cairoError)), PDFFeature(.drawing, .splash(.leftOut)),
    PDFFeature(.drawing, .splash(.blank)), PDFFeature(.drawing, .splash(.memory)),
  ]

  /// False: no page of `file` has any feature that is found by names.
  ///
  /// If an object stream can't be unpacked (it is encrypted, or compressed in a rarer way), the file is assumed to have
  /// all.
  ///
  /// - `budget`: bytes that may be unpacked.
  static func mayBe(in file: UnsafeRawBufferPointer, unpackingAtMost budget: Int = 64 << 20) -> Bool
  {
    var search = NameSearch(budget: budget)
    return search.finds(in: file, isUnpacked: false) || search.unsure.contains { $0(file) }
  }
}

extension PDFName {
  /// True for circles of a shading of which the first is larger (ISO 32000-1 §8.7.4.5.4).
  @Sendable static func narrowingCircles(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> Bool {
    let piece = bytes.piece(place..<min(bytes.count, place + 200))
    return piece.numbers(behind: "Coords", 6).map { $0[2] > $0[5] } ?? false
  }

  /// True for a tile that is larger than its steps (ISO 32000-1 §8.7.3), or may be.
  @Sendable static func overlappingTile(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> Bool {
    guard let members = bytes.membersOfStream(at: place).map({ bytes.piece($0) }),
      let box = members.numbers(behind: "/BBox", 4),
      let across = members.numbers(behind: "/XStep", 1),
      let down = members.numbers(behind: "/YStep", 1)
    else { return true }
    return RendererChoice.overlaps(box, across[0], down[0])
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

  fileprivate func numbers(behind name: String, _ count: Int) -> [Double]? {
    guard let place = firstPlace(of: name, from: 0) else { return nil }
    let words = dropping(place + name.utf8.count).prefix(128)
      .split { isSpace($0) || "[]/".utf8.contains($0) }
      .map { Double(String(decoding: $0, as: UTF8.self)) }
    // A reference is no number: `/XStep 5 0 R`.
    let isReference = count == 1 && words.count > 1 && words[1] != nil
    let numbers = words.prefix(count).compactMap(\.self)
    return numbers.count == count && !isReference ? numbers : nil
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
    /// - what is behind the slash before a place matches.
    case from(@Sendable (UnsafeRawBufferPointer, Int) -> Bool)
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
    if case .from(let isMatch) = value { return isMatch(bytes, place) }
    if case .any = value { return true }
    guard let word = PDFName.word(in: rest, bytes) else { return false }
    return switch value {
    case .any, .from: true
    case .word(let wanted): word == wanted
    case .otherThan(let usual): !usual.contains(word)
    case .noName: !word.hasPrefix("/")
    case .belowOne: word.isEmpty || word.hasPrefix("0") || word.hasPrefix(".")
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
  /// Bytes that may still be unpacked.
  var budget: Int
  /// The lists of names that each feature still needs.
  private var missing = NameSearch.features.map { Set($0.lists.indices) }
  /// What decides on features whose names were all found.
  private(set) var unsure: [@Sendable (UnsafeRawBufferPointer) -> Bool] = []

  private static let features = PDFFeature.all.compactMap { feature in
    if case .names(let lists) = feature.sign {
      (lists: lists, mayBeIn: feature.mayBeIn)
    } else {
      nil
    }
  }

  /// All names with their features and lists, by their first bytes.
  private static let byFirstByte: [[(name: PDFName, feature: Int, list: Int)]] = {
    var all = [[(name: PDFName, feature: Int, list: Int)]](repeating: [], count: 256)
    for (feature, (lists, _)) in features.enumerated() {
      for (list, names) in lists.enumerated() {
        for name in names { all[Int(name.first)].append((name, feature, list)) }
      }
    }
    return all
  }()

  init(budget: Int) { self.budget = budget }

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
        guard missing[feature].isEmpty else { continue }
        guard let mayBeIn = NameSearch.features[feature].mayBeIn else { return true }
        unsure.append(mayBeIn)
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
