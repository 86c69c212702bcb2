/// A medium with an everyday name: those of PWG 5101.1's table that printers load.
package struct StandardMedia: Sendable {
  /// The PWG self-describing name.
  package let name: String
  /// Everyday name, which `--paper` also accepts, in any case.
  package let title: String
  /// Other names that `--paper` accepts for it.
  package let aliases: [String]
  package let size: MediaSize

  private init(_ name: String, _ title: String, _ aliases: String...) {
    self.name = name
    self.title = title
    self.aliases = aliases
    size = MediaName.size(of: name) ?? MediaSize(width: 0, length: 0)
  }

  /// Makes the medium of a size, within 0.5 mm and in this orientation; nil if none has it.
  package init?(of size: MediaSize) {
    guard let known = StandardMedia.all.first(where: { $0.size.matches(size) }) else { return nil }
    self = known
  }

  /// Returns the medium that a user calls `word` (`a4`, `Letter`, `4x6`, `10x15`, `hagaki`).
  package static func named(_ word: String) -> StandardMedia? {
    let word = word.lowercased()
    return all.first {
      $0.title.lowercased() == word || $0.aliases.contains(word) || $0.name == word
    }
  }

  package static let all: [StandardMedia] = [
    .init("iso_a4_210x297mm", "A4"),
    .init("na_letter_8.5x11in", "Letter", "us-letter"),
    .init("na_legal_8.5x14in", "Legal", "us-legal"),
    .init("na_ledger_11x17in", "Tabloid", "ledger", "11x17"),
    .init("na_executive_7.25x10.5in", "Executive"),
    .init("na_invoice_5.5x8.5in", "Statement", "invoice", "half-letter"),
    .init("na_foolscap_8.5x13in", "Folio", "foolscap", "oficio"),
    .init("na_super-b_13x19in", "Super B", "super-b", "13x19", "a3+"),
    .init("iso_a0_841x1189mm", "A0"),
    .init("iso_a1_594x841mm", "A1"),
    .init("iso_a2_420x594mm", "A2"),
    .init("iso_a3_297x420mm", "A3"),
    .init("iso_a5_148x210mm", "A5"),
    .init("iso_a6_105x148mm", "A6"),
    .init("iso_a7_74x105mm", "A7"),
    .init("iso_b5_176x250mm", "ISO B5", "iso-b5"),
    .init("jis_b4_257x364mm", "B4", "jis-b4"),
    .init("jis_b5_182x257mm", "B5", "jis-b5"),
    .init("jis_b6_128x182mm", "B6", "jis-b6"),
    .init("prc_16k_146x215mm", "16K", "prc-16k"),
    .init("na_index-4x6_4x6in", "4x6", "4x6in", "index-4x6"),
    .init("na_5x7_5x7in", "5x7", "5x7in"),
    .init("na_index-5x8_5x8in", "5x8", "5x8in"),
    .init("na_govt-letter_8x10in", "8x10", "8x10in"),
    .init("na_index-3x5_3x5in", "3x5", "3x5in"),
    .init("oe_photo-l_3.5x5in", "L", "3.5x5", "89x127mm"),
    .init("om_small-photo_100x150mm", "10x15", "10x15cm"),
    .init("om_medium-photo_130x180mm", "13x18", "13x18cm"),
    .init("om_large-photo_200x300mm", "20x30", "20x30cm"),
    .init("om_square-photo_89x89mm", "89x89mm", "square-photo"),
    .init("jpn_hagaki_100x148mm", "Hagaki", "postcard"),
    .init("jpn_oufuku_148x200mm", "Oufuku"),
    .init("na_number-10_4.125x9.5in", "Envelope #10", "number-10", "com10", "env10"),
    .init("na_monarch_3.875x7.5in", "Envelope Monarch", "monarch"),
    .init("iso_dl_110x220mm", "Envelope DL", "dl"),
    .init("iso_c4_229x324mm", "Envelope C4", "c4"),
    .init("iso_c5_162x229mm", "Envelope C5", "c5"),
    .init("iso_c6_114x162mm", "Envelope C6", "c6"),
    .init("jpn_chou3_120x235mm", "Envelope Chou 3", "chou3"),
    .init("jpn_chou4_90x205mm", "Envelope Chou 4", "chou4"),
    .init("na_arch-a_9x12in", "Arch A", "arch-a"),
    .init("na_arch-b_12x18in", "Arch B", "arch-b"),
    .init("na_arch-c_18x24in", "Arch C", "arch-c", "18x24"),
    .init("na_arch-d_24x36in", "Arch D", "arch-d", "24x36"),
    .init("na_arch-e_36x48in", "Arch E", "arch-e", "36x48"),
    .init("disc_standard_40x118mm", "Disc", "cd", "dvd"),
  ]
}
