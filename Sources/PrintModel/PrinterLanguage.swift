/// A language of printers: only a printer of its kind can tell what its pages look like.
///
/// Many are letters and digits, and would be printed as text. A file in one of them is sent unchanged to a printer that
/// lists its type, and to no other.
package struct PrinterLanguage: Sendable {
  /// The name that its users know.
  package let name: String
  /// Media types that printers list for it, in lower case; the first one stands for it.
  package let types: [String]
  /// Names after `@PJL ENTER LANGUAGE=`, in upper case.
  private let entered: Set<String>
  private let isBegun: @Sendable (LanguageStart) -> Bool

  private init(
    _ name: String, _ types: String..., entered: Set<String> = [],
    _ isBegun: @Sendable @escaping (LanguageStart) -> Bool
  ) {
    self.name = name
    self.types = types
    self.entered = entered
    self.isBegun = isBegun
  }

  /// Returns the language with this media type.
  package static func of(type: String) -> PrinterLanguage? {
    all.first { $0.types.contains(type) }
  }

  /// Returns the language with this name, whatever its case and without blanks: `zpl`, `pclxl`.
  package static func named(_ word: String) -> PrinterLanguage? {
    all.first { language in
      language.name.split(separator: " ").joined().lowercased() == word.lowercased()
    }
  }

  /// Returns the language of a file by its first bytes; nil for anything else.
  ///
  /// PJL before it (HP's "Printer Job Language Technical Reference Manual") states the language; if it does not, what
  /// comes next shows it.
  static func recognized(_ head: [UInt8]) -> PrinterLanguage? {
    // Serial lines end a job by Ctrl-D.
    let job = PJLHeader(head.drop { $0 == 0x04 })
    if let word = job.language, let stated = all.first(where: { $0.entered.contains(word) }) {
      return stated
    }
    let start = LanguageStart(bytes: job.rest)
    return all.first { $0.isBegun(start) } ?? (job.isEmpty ? nil : pjl)
  }

  private static let pjl = PrinterLanguage("PJL", "application/x-pjl") { _ in false }

  private static let all: [PrinterLanguage] = [
    // Also EPS with a preview (Adobe TN 5002: binary header).
    PrinterLanguage("PostScript", DocumentFormat.postscript, entered: ["POSTSCRIPT"]) {
      $0.has("%!PS", "%!\n") || $0.bytes.starts(with: [0xC5, 0xD0, 0xD3, 0xC6])
    },
    // The first letter is the order of bytes, or of text.
    PrinterLanguage("PCL XL", "application/vnd.hp-pclxl", entered: ["PCLXL", "PCL6"]) {
      $0.has(") HP-PCL XL", "( HP-PCL XL", "' HP-PCL XL")
    },
    PrinterLanguage(
      "HP-GL", "application/vnd.hp-hpgl", entered: ["HPGL", "HPGL2", "HP-GL/2"]
    ) {
      $0.has("\u{1B}E\u{1B}%0B", "\u{1B}%-1B", "\u{1B}%0B", "\u{1B}%1B", "\u{1B}.") || $0.isHPGL
    },
    PrinterLanguage("PCL", "application/vnd.hp-pcl", entered: ["PCL", "PCL5", "PCL5C", "PCL5E"]) {
      $0.has("\u{1B}E", "\u{1B}&", "\u{1B}*", "\u{1B}(s")
    },
    PrinterLanguage("HBP", "application/vnd.brother-hbp", entered: ["HBP", "XL2HB"]) { _ in false },
    PrinterLanguage("Prescribe", "application/x-prescribe") { $0.has("!R!") },
    PrinterLanguage(
      "Brother raster", "application/vnd.brother-pt-cbp", "application/vnd.brother-cbp"
    ) {
      // Zeros end what an interrupted job left behind.
      let begun = LanguageStart(bytes: $0.bytes.drop { $0 == 0 })
      return begun.has("\u{1B}i", "\u{1B}@\u{1B}i")
        || begun.bytes.count < $0.bytes.count && begun.has("\u{1B}@")
    },
    PrinterLanguage("Dymo raster", "application/vnd.dymo-lw") {
      $0.bytes.prefix { $0 == 0x1B }.count >= 8
    },
    PrinterLanguage("ESC/P-R", "application/vnd.epson.escpr") {
      let first = LanguageStart(bytes: $0.bytes.drop { $0 == 0 }.prefix(128))
      return first.has("\u{1B}\u{01}@EJL")
        || first.has("\u{1B}@") && first.bytes.contains(Array("ESCPR".utf8))
    },
    PrinterLanguage("ESC/P", "application/x-esc-p", entered: ["ESCP", "ESC/P", "EPSON"]) {
      $0.has("\u{1B}@\u{1B}(", "\u{1B}(R")
    },
    PrinterLanguage("ESC/POS", "application/x-esc-pos") {
      $0.has("\u{1B}@", "\u{1B}=\u{01}", "\u{1D}")
    },
    PrinterLanguage("ZPL", "application/vnd.zebra-zpl", "application/vnd.zebra-zpl2") { $0.isZPL },
    PrinterLanguage(
      "EPL", "application/vnd.eltron-epl", "application/vnd.zebra-epl",
      "application/vnd.eltron-epl2"
    ) { $0.isEPL },
    PrinterLanguage("CPCL", "application/vnd.zebra-cpcl") { $0.isCPCL },
    PrinterLanguage("TSPL", "application/vnd.tsc-tspl", "application/vnd.tsc-tspl2") { $0.isTSPL },
    PrinterLanguage("SBPL", "application/x-sbpl") { $0.has("\u{02}\u{1B}A", "\u{1B}A\u{1B}") },
    pjl,
  ]
}

/// The job's commands before a document: `ESC %-12345X` and lines that begin with `@PJL`.
private struct PJLHeader {
  /// The word of `ENTER LANGUAGE`, in upper case.
  var language: String?
  /// What comes next.
  var rest: ArraySlice<UInt8>
  /// True if there is none.
  var isEmpty = true

  private static let exit = Array("\u{1B}%-12345X".utf8)

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
    while language == nil {
      if rest.starts(with: PJLHeader.exit) {
        rest = rest.dropFirst(PJLHeader.exit.count)
      } else if case let line = rest.prefix(while: { $0 != 0x0A }), line.starts(with: "@PJL".utf8),
        line.dropFirst(4).first.map({ $0 <= 0x20 }) != false
      {
        let words = String(decoding: line, as: UTF8.self).uppercased()
          .split { $0.isWhitespace || $0 == "=" }
        if words.count > 3, words[1...2] == ["ENTER", "LANGUAGE"] { language = String(words[3]) }
        rest = rest[line.endIndex...].dropFirst()
      } else if let first = rest.first, [0x0A, 0x0D, 0x20].contains(first) {
        rest = rest.dropFirst()
        continue
      } else {
        if isEmpty { rest = bytes }
        return
      }
      isEmpty = false
    }
  }
}

/// A file's first bytes, after PJL.
private struct LanguageStart {
  let bytes: ArraySlice<UInt8>

  func has(_ beginnings: String...) -> Bool {
    beginnings.contains { bytes.starts(with: $0.utf8) }
  }

  /// The first lines with anything in them, in upper case, as far as they are ASCII's letters.
  private var lines: [String] {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes
    return text.prefix(4_096).split { $0 == 0x0A || $0 == 0x0D }.lazy
      .map { String(decoding: $0, as: UTF8.self).bare.uppercased() }
      .filter { !$0.isEmpty }.prefix(24).map(\.self)
  }

  /// `^XA` starts a label; `~` and `^` before it are other commands, and `CT~~CD,` those of Zebra's driver.
  var isZPL: Bool {
    guard let first = lines.first else { return false }
    if first.hasPrefix("^XA") || first.hasPrefix("CT~~CD,") || first.hasPrefix("${^XA") {
      return true
    }
    let command = Array(first.unicodeScalars.prefix(3))
    return command.count == 3 && ["^", "~"].contains(command[0])
      && command[1...].allSatisfy { ("A"..."Z").contains($0) || ("0"..."9").contains($0) }
      && (["~DG", "~DY", "~DB", "~DE", "~DU", "~JA", "~JC", "~WC"].contains(first.prefix(3))
        || lines.contains { $0.contains("^XA") })
  }

  /// Commands with numbers, and `N`, which empties the picture of the label.
  var isEPL: Bool {
    let lines = lines
    guard let clearing = lines.firstIndex(of: "N") else { return false }
    return lines.prefix(clearing + 2).allSatisfy(\.isEPLCommand)
      && lines.contains(where: \.isPlaced)
  }

  /// `! OFFSET DPI DPI HEIGHT COPIES`, or the utilities' `! U1`.
  var isCPCL: Bool {
    guard let words = lines.first?.split(separator: " "), words.first == "!", words.count > 1 else {
      return false
    }
    return ["U", "U1", "UTILITIES"].contains(words[1])
      || words.count >= 6 && words[1..<6].allSatisfy { Int($0) != nil }
  }

  /// Three commands, and one that states a size or a place; BASIC has some of the words.
  var isTSPL: Bool {
    let placed: Set<Substring> = [
      "SIZE", "GAP", "BLINE", "REFERENCE", "TEXT", "BARCODE", "QRCODE", "BITMAP", "BAR", "BOX",
    ]
    let others: Set<Substring> = [
      "GAPDETECT", "DIRECTION", "OFFSET", "DENSITY", "SPEED", "SHIFT", "CLS", "PRINT", "CODEPAGE",
      "SET", "HOME", "FEED", "SOUND", "COUNTRY", "DOWNLOAD", "PUTBMP", "PUTPCX", "EOP", "CUT",
    ]
    let commands = lines.map { line in
      let word = line.prefix { $0.isLetter }
      return (word, line[word.endIndex...].bare.first?.isNumber == true)
    }
    return commands.count >= 3
      && commands.prefix(3).allSatisfy { placed.contains($0.0) || others.contains($0.0) }
      && commands.contains { placed.contains($0.0) && $0.1 }
  }

  /// Commands from one that initializes the plotter, some with numbers: the codes of countries have none.
  var isHPGL: Bool {
    let commands = lines.joined().split(separator: ";").prefix(8).map(\.bare)
    guard let first = commands.first, ["IN", "DF", "BP"].contains(first.prefix(2)) else {
      return false
    }
    let known: Set<Substring> = [
      "IN", "DF", "BP", "SP", "PU", "PD", "PA", "PR", "PE", "IP", "IR", "IW", "SC", "VS", "LT",
      "LA", "SI", "SR", "SD", "SA", "SS", "PG", "RO", "NP", "PW", "PS", "PC", "TR", "WU", "CO",
      "CT", "UL", "SM", "FT", "LB", "DI", "DT", "AA", "AR", "CI", "EA", "EW", "RA", "MC", "QL",
      "NR", "CR", "SV",
    ]
    return commands.prefix(3).allSatisfy { known.contains($0.prefix(2)) }
      && commands.contains { $0.dropFirst(2).first?.isNumber == true }
  }
}

extension StringProtocol {
  fileprivate var bare: SubSequence {
    trimming { $0.isWhitespace || ($0.asciiValue ?? 0x20) < 0x20 }
  }

  /// True for a line of EPL: one to three letters, then numbers, letters and texts in quotes between commas.
  fileprivate var isEPLCommand: Bool {
    let letters = prefix { ("A"..."Z").contains($0) }
    guard (1...3).contains(letters.count) else { return false }
    var isQuoted = false
    return dropFirst(letters.count).allSatisfy { letter in
      if letter == "\"" { isQuoted.toggle() }
      return isQuoted || letter.isNumber || ("A"..."Z").contains(letter)
        || "\",+-.".contains(letter)
    }
  }

  /// True for a command of EPL with a place on the label, or with its height and gap.
  fileprivate var isPlaced: Bool {
    ["Q", "A", "B", "X", "LO", "LE", "LW", "GW", "GG"].contains { name in
      hasPrefix(name) && dropFirst(name.count).first?.isNumber == true && contains(",")
    }
  }
}
