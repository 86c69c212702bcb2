/// The reason for which a page of a PDF is drawn by Splash, Poppler's own renderer, instead of cairo, in words.
package enum SplashReason: String, CaseIterable, Sendable {
  case knockoutGroup = "knockout group"
  case blendMode = "blend mode"
  case transferFunction = "soft mask with a transfer function"
  case shadedMask = "soft mask of a shading"
  case shading
  case overlappingTiles = "overlapping tiles"
  case matte = "picture with a matte"
  case stencilMask = "translucent picture with a stencil mask"
  case noInk = "color of no ink"
  case colorFont = "color font"
  case manyObjects = "more objects than are searched"
  case cairoError = "cairo can't draw it"
  case leftOut = "cairo leaves out a font or a picture"
  case blank = "cairo draws nothing on it"
  case memory = "less memory"

  /// Returns a line for each reason, with its pages (indices from 0): `pages 1-3, 7: Splash (color font)`.
  package static func lines(_ reasons: [Int: SplashReason]) -> [String] {
    let byReason = Dictionary(grouping: reasons.sorted { $0.key < $1.key }, by: \.value)
    return byReason.values.map { $0.map(\.key) }.sorted { $0[0] < $1[0] }.compactMap { pages in
      reasons[pages[0]].map { reason in
        let words = pages.runs.map {
          $0.count == 1 ? "\($0.lowerBound + 1)" : "\($0.lowerBound + 1)-\($0.upperBound + 1)"
        }
        let noun = pages.count == 1 ? "page" : "pages"
        return "\(noun) \(words.joined(separator: ", ")): Splash (\(reason.rawValue))"
      }
    }
  }
}

extension [Int] {
  /// Rising numbers as ranges of consecutive ones.
  package var runs: [ClosedRange<Int>] {
    var runs: [ClosedRange<Int>] = []
    for number in self {
      if let last = runs.last, last.upperBound == number - 1 {
        runs[runs.count - 1] = last.lowerBound...number
      } else {
        runs.append(number...number)
      }
    }
    return runs
  }
}
