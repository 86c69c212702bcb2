/// PWG 5101.1 self-describing media names: `class_name_WIDTHxLENGTHunit`, such as
/// `na_letter_8.5x11in`, `iso_a4_210x297mm`, `roll_current_8.5x0in` and `disc_12cm_18x120mm`.
package enum MediaName {
  /// Returns the size in a self-describing name.
  ///
  /// The length of a roll may be 0: it is only known from the job. A disc's two numbers are the diameters of the hole
  /// and the disc; the disc is as wide as long. A suffix after the unit (`_borderless`) is vendor-specific and ignored.
  /// nil if it is not such a name.
  package static func size(of name: String) -> MediaSize? {
    // Bytes, as everywhere here: each command reads a hundred names, and characters take five times as long.
    let parts = name.lowercased().utf8.split(separator: 0x5F).map(Substring.init)
    guard parts.count >= 2 else { return nil }
    for part in parts.dropFirst().reversed() {
      guard let size = dimensions(part) else { continue }
      return parts[0] == "disc"
        ? MediaSize(width: size.length, length: size.length) : size
    }
    return nil
  }

  /// Parses `210x297mm`, `8.5x11in` or `10x15cm`; nil without a unit or with an invalid side.
  package static func dimensions(_ text: some StringProtocol) -> MediaSize? {
    guard let unit = Unit(suffixOf: text) else { return nil }
    let sides = text.utf8.dropLast(2).split(separator: 0x78, omittingEmptySubsequences: false)
    guard sides.count == 2, let width = unit.hundredths(sides[0]),
      let length = unit.hundredths(sides[1])
    else { return nil }
    return MediaSize(width: width, length: length)
  }

  /// Parses one length with its unit (`80mm`, `4in`, `12cm`, `72pt`) into 1/100 mm.
  package static func length(_ text: some StringProtocol) -> Hundredths? {
    guard let unit = Unit(suffixOf: text) else { return nil }
    return unit.hundredths(text.utf8.dropLast(2))
  }

  /// Returns the name for a size: the standard one within 0.5 mm, else `custom_210-5x100mm_210.5x100mm`.
  package static func name(for size: MediaSize) -> String {
    if let known = StandardMedia(of: size) { return known.name }
    let text = "\(decimal(size.width))x\(decimal(size.length))mm"
    // The name proper is letters, digits and hyphens (PWG 5101.1); only the size has points.
    return "custom_\(text.replacing(".", with: "-"))_\(text)"
  }

  /// Returns the everyday name of a medium: `A4` for iso_a4_210x297mm, `62x100mm` for a custom size, `80 mm roll` for a
  /// roll.
  ///
  /// A sheet that is fed long edge first has the same name as one that is fed the other way.
  package static func title(of size: MediaSize, isRoll: Bool = false) -> String {
    if isRoll { return "\(size.width.inMillimeters) roll" }
    let upright = size.width > size.length ? size.rotated : size
    if let known = StandardMedia(of: size) ?? StandardMedia(of: upright) { return known.title }
    return "\(decimal(size.width))x\(decimal(size.length))mm"
  }

  private static func decimal(_ length: Hundredths) -> String {
    let (whole, rest) = (length.count / 100, abs(length.count % 100))
    if rest == 0 { return "\(whole)" }
    return rest % 10 == 0 ? "\(whole).\(rest / 10)" : "\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }
}

/// The units of lengths, of two letters each.
private enum Unit: String {
  case millimeter = "mm"
  case centimeter = "cm"
  case inch = "in"
  case point = "pt"

  init?(suffixOf text: some StringProtocol) {
    self.init(rawValue: String(decoding: text.utf8.suffix(2), as: UTF8.self).lowercased())
  }

  /// Converts a plain decimal number of this unit to 1/100 mm; nil for anything else, and above 100 m.
  func hundredths(_ number: some Collection<UInt8>) -> Hundredths? {
    guard number.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }),
      let value = Double(String(decoding: number, as: UTF8.self)), value.isFinite
    else { return nil }
    let factor: Double =
      switch self {
      case .millimeter: 100
      case .centimeter: 1000
      case .inch: 2540
      case .point: 2540.0 / 72
      }
    // Rounded down, as in libcups' pwgMediaForPWG (a #10 envelope is 10477 wide): otherwise a page could be a pixel
    // wider than its sheet. The thousandth compensates for decimals that a Double can't represent.
    let result = (value * factor + 0.001).rounded(.down)
    return result <= 10_000_000 ? Hundredths(Int(result)) : nil
  }
}
