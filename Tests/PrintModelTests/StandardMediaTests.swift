internal import CCups
import PrintModel
import Testing

@Suite struct StandardMediaTests {
  @Test(arguments: StandardMedia.all.map(\.name))
  func `libcups reads the same size from the name`(_ name: String) throws {
    let ours = try #require(StandardMedia.named(name)).size
    // The pointer is valid until this thread's next call.
    let theirs = try #require(pwgMediaForPWG(name)).pointee
    #expect((ours.width.count, ours.length.count) == (Int(theirs.width), Int(theirs.length)))
    #expect(ours.width > 0 && ours.width <= ours.length)
  }

  /// Only sizes that libcups has: it has no discs, 2.4 lacks the newer photo sizes, and the name of its large photo
  /// lacks its unit.
  @Test(arguments: StandardMedia.all.filter { !$0.name.hasPrefix("disc_") }.map(\.name))
  func `the name is the registered one for its size`(_ name: String) throws {
    let size = try #require(StandardMedia.named(name)).size
    let (width, length) = (Int32(size.width.count), Int32(size.length.count))
    let theirs = try #require(pwgMediaForSize(width, length)).pointee
    let known = String(cString: theirs.pwg)
    #expect(known.hasPrefix("custom_") ? name.hasPrefix("om_") : name.hasPrefix(known))
  }

  @Test func `no two media answer to one word`() {
    var owners: [String: String] = [:]
    for media in StandardMedia.all {
      for word in Set([media.name, media.title.lowercased()] + media.aliases) {
        #expect(owners[word] == nil, "\(word): \(media.name)")
        owners[word] = media.name
        #expect(StandardMedia.named(word)?.name == media.name)
        #expect(word == word.lowercased(), "what is typed is compared in lower case")
      }
    }
  }

  @Test(arguments: [
    ("a4", "iso_a4_210x297mm"), ("A4", "iso_a4_210x297mm"), ("Letter", "na_letter_8.5x11in"),
    ("4x6", "na_index-4x6_4x6in"), ("10x15", "om_small-photo_100x150mm"),
    ("10x15cm", "om_small-photo_100x150mm"), ("hagaki", "jpn_hagaki_100x148mm"),
    ("B5", "jis_b5_182x257mm"), ("com10", "na_number-10_4.125x9.5in"), ("L", "oe_photo-l_3.5x5in"),
  ])
  func `people's words are known`(_ word: String, _ name: String) {
    #expect(StandardMedia.named(word)?.name == name)
  }

  @Test(arguments: ["", "a", "a44", "foolscap ", "210x297mm", "best"])
  func `other words are not`(_ word: String) {
    #expect(StandardMedia.named(word) == nil)
  }
}
