internal import CLCMS
internal import PrintModel

/// An embedded ICC profile, turned into sRGB, which is what pages are drawn in.
///
/// Little CMS does the work.
final class ColorProfile {
  /// Meaning of a pixel's four bytes.
  enum Source {
    /// Blue, green, red and anything.
    case rgb
    /// The same, with all three alike.
    case gray
    /// Ink: 255 is all of it.
    case cmyk
    /// Ink as Adobe's JPEGs have it: 0 is all of it.
    case invertedCMYK
  }

  private let transform: cmsHTRANSFORM

  /// nil when the profile changes nothing, can't be read or is for other colors than the picture has: the
  /// picture is taken as if it had none.
  init?(_ profile: UnsafeRawBufferPointer, from source: Source) throws(Failure) {
    guard !ColorProfile.isSRGB(profile) else { return nil }
    try GraphicsLibraries.profiles.load()
    guard let input = cmsOpenProfileFromMem(profile.baseAddress, UInt32(clamping: profile.count))
    else { return nil }
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

  /// The same of bytes that are kept.
  convenience init?(_ profile: [UInt8], from source: Source) throws(Failure) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: profile.count, alignment: 1)
    defer { copy.deallocate() }
    copy.copyBytes(from: profile)
    try self.init(UnsafeRawBufferPointer(copy), from: source)
  }

  deinit { cmsDeleteTransform(transform) }

  /// Converts a row of four-byte pixels where it stands, to blue, green, red and what was there.
  func convert(_ row: UnsafeMutableRawPointer, width: Int) {
    cmsDoTransform(transform, row, row, UInt32(clamping: width))
  }

  /// The profile nearly every camera writes: a profile that says it is what we draw in anyway.
  static func isSRGB(_ profile: UnsafeRawBufferPointer) -> Bool {
    profile.contains("sRGB IEC61966")
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

  /// Little CMS' pixel format: its macros (TYPE_BGRA_8, …) put together by hand, since Swift sees none.
  fileprivate var format: UInt32 {
    let (swapped, swappedFirst, reversed): (UInt32, UInt32, UInt32) = (1 << 10, 1 << 14, 1 << 13)
    func format(_ space: UInt32, channels: UInt32, extra: UInt32 = 0) -> UInt32 {
      space << 16 | extra << 7 | channels << 3 | 1
    }
    let (gray, rgb, cmyk): (UInt32, UInt32, UInt32) = (3, 4, 6)
    return switch self {
    case .rgb: format(rgb, channels: 3, extra: 1) | swapped | swappedFirst
    case .gray: format(gray, channels: 1, extra: 3)
    case .cmyk: format(cmyk, channels: 4)
    case .invertedCMYK: format(cmyk, channels: 4) | reversed
    }
  }
}
