internal import CLCMS
internal import DocumentBytes
internal import LateLibraries
internal import PrintModel

/// An embedded ICC profile, for conversion to sRGB, in which pages are drawn.
///
/// Little CMS does the conversion.
final class ColorProfile {
  /// The meaning of a pixel's four bytes.
  enum Source {
    /// Blue, green, red, and an unused byte.
    case rgb
    /// The same, with all three equal.
    case gray
    /// Inks: 255 is full ink.
    case cmyk
    /// Inks as in Adobe's JPEGs: 0 is full ink.
    case invertedCMYK
  }

  private let transform: cmsHTRANSFORM

  /// nil when the profile changes nothing, can't be read, or is for another color space: the picture is then treated as
  /// if it had none.
  init?(_ profile: [UInt8], from source: Source) throws(Failure) {
    guard !ColorProfile.isSRGB(profile) else { return nil }
    try GraphicsLibraries.profiles.load()
    guard let input = cmsOpenProfileFromMem(profile, UInt32(clamping: profile.count)) else {
      return nil
    }
    defer { cmsCloseProfile(input) }
    guard cmsGetColorSpace(input).rawValue == source.signature, let output = cmsCreate_sRGBProfile()
    else { return nil }
    defer { cmsCloseProfile(output) }
    let perceptual: UInt32 = 0  // INTENT_PERCEPTUAL, for which pictures' profiles are made
    guard
      let transform = cmsCreateTransform(
        input, source.format, output, Source.rgb.format, perceptual, 0)
    else { return nil }
    self.transform = transform
  }

  deinit { cmsDeleteTransform(transform) }

  /// Converts a row of four-byte pixels in place, to blue, green, red and the unchanged fourth byte.
  func convert(_ row: UnsafeMutableRawPointer, width: Int) {
    cmsDoTransform(transform, row, row, UInt32(clamping: width))
  }

  /// True for the profile that nearly every camera writes, which states that it is sRGB, in which pages are drawn
  /// anyway.
  static func isSRGB(_ profile: [UInt8]) -> Bool {
    profile.withUnsafeBytes { $0.contains("sRGB IEC61966") }
  }
}

extension ColorProfile.Source {
  /// The profile header's color space (ICC.1:2010 table 19).
  fileprivate var signature: UInt32 {
    switch self {
    case .rgb: 0x5247_4220  // "RGB "
    case .gray: 0x4752_4159  // "GRAY"
    case .cmyk, .invertedCMYK: 0x434D_594B  // "CMYK"
    }
  }

  /// Little CMS' pixel format, composed like its macros (TYPE_BGRA_8, …), which Swift can't import.
  fileprivate var format: UInt32 {
    let (gray, rgb, cmyk): (UInt32, UInt32, UInt32) = (3 << 16, 4 << 16, 6 << 16)
    let (swapped, swappedFirst, reversed): (UInt32, UInt32, UInt32) = (1 << 10, 1 << 14, 1 << 13)
    // The number of unused bytes, that of channels, and the bytes of each.
    return switch self {
    case .rgb: rgb | 1 << 7 | 3 << 3 | 1 | swapped | swappedFirst
    case .gray: gray | 3 << 7 | 1 << 3 | 1
    case .cmyk: cmyk | 4 << 3 | 1
    case .invertedCMYK: cmyk | 4 << 3 | 1 | reversed
    }
  }
}
