/// Malicious names that a printer, a tray or a job may have.
package enum HostileNames {
  /// Every ASCII scalar alone, doubled, and with a companion before it, after it, and on both sides.
  ///
  /// The companions combine with the scalar into a non-ASCII Character, hide it, or change its direction.
  package static let all: [String] = unique(
    (0..<0x80).flatMap { (value: UInt8) -> [String] in
      let scalar = String(Unicode.Scalar(value))
      return [scalar, scalar + scalar]
        + companions.flatMap { [scalar + $0, $0 + scalar, $0 + scalar + $0] }
    } + [
      "Laser `touch trap`", "Laser $(touch trap)", "tray\u{600}`touch \u{301}trap\u{301}\u{600}`",
      "Laser'\u{301};touch trap;'\u{301}", "\\';touch trap;'", "'; touch trap; '",
      "\" ; touch trap; \"",
      "${IFS}`touch${IFS}trap`", "=touch", "~root", "%self", "!!", "!touch", "{a,b}", "*",
      "a\ntouch trap\n",
      "\u{202E}tool\u{2066}", "tag\u{E0041}", "\u{9B}2J", "\u{1B}]0;title\u{7}", "--json", "-",
      "L%20x", "%",
      "Tom's Laser", "Büro (3. Stock): Drucker – 2", "写真プリンター", "מדפסת 2", "<a href='x'>&amp;</a>",
    ])

  /// Scalars that affect their neighbors: U+0301 combines with the one before it, U+0600 with the one after it,
  /// U+200D joins, U+202E changes the direction.
  private static let companions = ["\u{301}", "\u{600}", "\u{200D}", "\u{202E}"]

  /// Removes duplicates by bytes: strings that Swift considers equal can be different names.
  private static func unique(_ names: [String]) -> [String] {
    var seen: Set<[UInt8]> = []
    return names.filter { seen.insert(Array($0.utf8)).inserted }
  }
}
