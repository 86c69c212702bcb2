/// The main header of a JPEG 2000 codestream (ISO 15444-1 Annex A), bare or in a JP2 file.
package struct JPEG2000Codestream {
  /// From the codestream's first marker on.
  package let bytes: UnsafeRawBufferPointer
  /// True for a bare codestream, which states no color space.
  package let isBare: Bool
  package let components: Int
  /// The picture's size in pixels, if all components have the same.
  package private(set) var width = 0
  package private(set) var height = 0

  private static let start: [UInt8] = [0xFF, 0x4F, 0xFF, 0x51]

  /// nil: there is none.
  package init?(in file: UnsafeRawBufferPointer) {
    isBare = file.starts(with: JPEG2000Codestream.start)
    let found = isBare ? file : JPEG2000Codestream.box("jp2c", in: file)
    guard let found, found.starts(with: JPEG2000Codestream.start), found.count >= 42 else {
      return nil
    }
    bytes = found
    // SIZ: the grid's size, the picture's offset in it, and each component's depth and steps (§A.5.1).
    components = found.number(at: 40)
    guard components > 0, found.count >= 42 + 3 * components else { return nil }
    if let step = steps {
      width = length(at: 8, step: step >> 8)
      height = length(at: 12, step: step & 0xFF)
    }
  }

  /// The number of all components' samples.
  package var samples: Int { width * height * components }

  /// The steps of all components on the grid, across and down; nil if they differ.
  package var steps: Int? {
    let all = Set((0..<components).map { bytes.number(at: 43 + 3 * $0) })
    return all.count == 1 ? all.first : nil
  }

  /// True if the picture begins where the grid does.
  package var isAtOrigin: Bool {
    bytes.number(at: 16, bytes: 4) == 0 && bytes.number(at: 20, bytes: 4) == 0
  }

  /// The number of samples between the grid's offset and its end on an axis (§B.2).
  private func length(at place: Int, step: Int) -> Int {
    let (end, start) = (bytes.number(at: place, bytes: 4), bytes.number(at: place + 8, bytes: 4))
    return step < 1 ? 0 : (end + step - 1) / step - (start + step - 1) / step
  }

  /// How often the picture's size can be halved: the number of decompositions (§A.6.1); 0 if components may differ.
  package var halvings: Int {
    var place = 2
    // No header has this many markers.
    for _ in 0..<1_000 where place + 10 <= bytes.count {
      switch bytes.number(at: place) {
      case 0xFF52: return bytes.number(at: place + 9, bytes: 1)
      // COC, of one component, and the first tile.
      case 0xFF53, 0xFF90: return 0
      default: place += 2 + max(2, bytes.number(at: place + 2))
      }
    }
    return 0
  }

  /// The contents of the first box of a type, in a file or in a box of boxes (§I.4).
  package static func box(_ type: String, in bytes: UnsafeRawBufferPointer)
    -> UnsafeRawBufferPointer?
  {
    var place = 0
    // No file has this many boxes.
    for _ in 0..<1_000 where place + 8 <= bytes.count {
      var length = bytes.number(at: place, bytes: 4)
      var head = 8
      if length == 1, place + 16 <= bytes.count {
        length = Int(clamping: UInt64(clamping: bytes.number(at: place + 8, bytes: 7)) << 8)
        head = 16
      }
      let end = length == 0 ? bytes.count : min(bytes.count, place.addingClamped(length))
      guard end >= place + head else { return nil }
      if bytes.hasPrefix(type, at: place + 4) { return bytes.piece(place + head..<end) }
      place = end
    }
    return nil
  }
}

extension Int {
  fileprivate func addingClamped(_ other: Int) -> Int {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}
