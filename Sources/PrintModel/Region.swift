/// The usual paper where this program runs, for when nothing else decides.
package struct Region: Sendable, Equatable {
  package var sheet: MediaSize
  package var photo: MediaSize
  package var envelope = MediaSize(width: 11_000, length: 22_000)
  package var postcard = MediaSize(width: 10_500, length: 14_800)

  package static let a4 = Region(sheet: .a4, photo: MediaSize(width: 10_000, length: 15_000))
  package static let letter = Region(
    sheet: .letter,
    photo: MediaSize(width: 10_160, length: 15_240),
    envelope: MediaSize(width: 10_477, length: 24_130),
    postcard: MediaSize(width: 10_160, length: 15_240))
}

extension Region {
  /// Determines the region of a process' environment: `LC_ALL`, else `LC_PAPER`, else `LANG`, by its territory
  /// (`en_US.UTF-8`).
  ///
  /// Without a territory, as in the C locale, it is A4, as in glibc.
  package init(environment: [String: String]) {
    let locale = ["LC_ALL", "LC_PAPER", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty }
    let territory = locale?.split(separator: ".").first?.split(separator: "@").first?
      .split(separator: "_").dropFirst().first
    self = territory.map { Region.letterTerritories.contains(String($0)) } == true ? .letter : .a4
    if territory == "JP" {
      photo = MediaSize(width: 8_890, length: 12_700)
      envelope = MediaSize(width: 12_000, length: 23_500)
      postcard = MediaSize(width: 10_000, length: 14_800)
    }
  }

  /// Regions with US-Letter in CLDR's measurementData.
  private static let letterTerritories: Set<String> = [
    "BZ", "CA", "CL", "CO", "CR", "GT", "MX", "NI", "PA", "PH", "PR", "SV", "US", "VE",
  ]
}
