/// A PDF that doesn't have to be valid: objects as given, and a cross-reference table.
struct RawPDF {
  private var objects: [(number: Int, body: [UInt8])] = []
  /// The trailer's entries in addition to /Size.
  var trailer = "/Root 1 0 R"

  /// Creates a catalog and one A4 page with `content`; further objects start at `RawPDF.first`.
  ///
  /// - `page`: additional entries of the page's dictionary.
  /// - `resources`: the entries of its resources.
  /// - `catalog`: additional entries of the catalog.
  init(
    _ content: String = "0 0 100 100 re f", resources: String = "", page: String = "",
    catalog: String = "", box: String = "0 0 595 842", objects: [String] = []
  ) {
    add(1, "<< /Type /Catalog /Pages 2 0 R \(catalog) >>")
    add(2, "<< /Type /Pages /Count 1 /Kids [3 0 R] >>")
    add(
      3,
      "<< /Type /Page /Parent 2 0 R /MediaBox [\(box)] /Contents 4 0 R "
        + "/Resources << \(resources) >> \(page) >>")
    stream(4, "", Array(content.utf8))
    for (index, body) in objects.enumerated() { add(RawPDF.first + index, body) }
  }

  /// The number of the first additional object.
  static let first = 5

  mutating func add(_ number: Int, _ body: String) {
    objects.removeAll { $0.number == number }
    objects.append((number, Array(body.utf8)))
  }

  mutating func stream(_ number: Int, _ members: String, _ data: [UInt8], length: String? = nil) {
    objects.removeAll { $0.number == number }
    let head = "<< /Length \(length ?? "\(data.count)") \(members) >>\nstream\n"
    objects.append((number, Array(head.utf8) + data + Array("\nendstream".utf8)))
  }

  func with(_ change: (inout RawPDF) -> Void) -> RawPDF {
    var copy = self
    change(&copy)
    return copy
  }

  var bytes: [UInt8] {
    var file = Array("%PDF-1.7\n".utf8)
    // Each object has its own section, because the numbers may have gaps.
    var table = "xref\n0 1\n0000000000 65535 f \n"
    for (number, body) in objects.sorted(by: { $0.number < $1.number }) {
      let place = "\(file.count)"
      table += "\(number) 1\n" + String(repeating: "0", count: 10 - place.count) + place
      table += " 00000 n \n"
      file += Array("\(number) 0 obj\n".utf8) + body + Array("\nendobj\n".utf8)
    }
    let start = file.count
    table +=
      "trailer\n<< /Size \((objects.map(\.number).max() ?? 0) + 1) \(trailer.replacing("START", with: "\(start)")) >>\n"
      + "startxref\n\(start)\n%%EOF\n"
    return file + Array(table.utf8)
  }
}

/// Compressed data that expands enormously (RFC 1950, RFC 1951).
enum Bomb {
  /// Returns `unit` repeated to `length` bytes, compressed as one block of fixed codes, in which each match of 13
  /// bits represents 258 bytes.
  static func zlib(_ unit: [UInt8], length: Int) -> [UInt8] {
    var bits = BitWriter()
    bits.bytes = [0x78, 0x9C]
    bits.write(0b011, 3)
    for byte in unit { bits.literal(byte) }
    let (code, base, extra) = distance(unit.count)
    func match() {
      bits.huffman(0b1100_0101, 8)
      bits.huffman(code, 5)
      bits.write(unit.count - base, extra)
    }
    // Eight matches are whole bytes, at any starting bit.
    let eights = max(0, (length - unit.count) / 258) / 8
    for _ in 0..<8 { match() }
    let start = bits.bytes.count
    for _ in 0..<8 { match() }
    let piece = bits.bytes[start...]
    for _ in 2..<max(2, eights) { bits.bytes += piece }
    bits.huffman(0, 7)
    // The checksum is not checked.
    return bits.finished() + [0, 0, 0, 0]
  }

  /// Returns the code for a distance, the code's first distance, and its number of extra bits.
  private static func distance(_ distance: Int) -> (Int, Int, Int) {
    var code = 0
    var base = 1
    while true {
      let extra = code < 2 ? 0 : code / 2 - 1
      if distance < base + 1 << extra { return (code, base, extra) }
      base += 1 << extra
      code += 1
    }
  }

  private struct BitWriter {
    var bytes: [UInt8] = []
    private var pending = 0
    private var count = 0

    /// Writes bits, least significant first.
    mutating func write(_ value: Int, _ bits: Int) {
      for bit in 0..<bits {
        pending |= (value >> bit & 1) << count
        count += 1
        if count == 8 { flush() }
      }
    }

    /// Writes a Huffman code, most significant bit first.
    mutating func huffman(_ code: Int, _ bits: Int) {
      for bit in stride(from: bits - 1, through: 0, by: -1) { write(code >> bit & 1, 1) }
    }

    mutating func literal(_ byte: UInt8) {
      if byte < 144 { huffman(0x30 + Int(byte), 8) } else { huffman(0x190 + Int(byte) - 144, 9) }
    }

    mutating func finished() -> [UInt8] {
      if count > 0 { flush() }
      return bytes
    }

    private mutating func flush() {
      bytes.append(UInt8(pending))
      pending = 0
      count = 0
    }
  }
}
