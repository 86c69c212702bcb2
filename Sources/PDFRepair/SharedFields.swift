/// Form fields that several others have as their child (ISO 32000-1 §12.7.3.1).
///
/// Poppler makes a field for each path to it: of 30 fields that each list the next one twice, it makes a billion before
/// it draws the first page.
struct SharedFields {
  /// Fields already visited, and the number of paths to what is below each of them.
  private var paths: [Int32: Int] = [:]
  private var kept: Set<Int32> = []

  /// Maximum number of paths to fields: more than in any form, made in a fraction of a second; above it, Poppler would
  /// not finish.
  private static let most = 50_000
  private static let deepest = 500

  /// True if Poppler would make far more fields than there are.
  static func areTooMany(in file: PDFFile) -> Bool {
    var fields = SharedFields()
    let all = fields.below(file.root["AcroForm"], "Fields", 0)
    return all > most && all > 4 * fields.paths.count
  }

  /// Keeps each field at the first place where the form lists it.
  static func removeRepeated(in file: PDFFile) {
    var fields = SharedFields()
    fields.keepFirst(of: file.root["AcroForm"], "Fields", 0)
  }

  private mutating func below(_ parent: PDFObject, _ name: String, _ depth: Int) -> Int {
    guard depth < SharedFields.deepest else { return 0 }
    return parent[name].items(atMost: .max).reduce(0) { sum, field in
      let number = field.id
      if let known = paths[number] { return min(sum + 1 + known, Int.max / 4) }
      // Poppler doesn't enter a field within itself.
      if number != 0 { paths[number] = 0 }
      let own = below(field, "Kids", depth + 1)
      if number != 0 { paths[number] = own }
      return min(sum + 1 + own, Int.max / 4)
    }
  }

  private mutating func keepFirst(of parent: PDFObject, _ name: String, _ depth: Int) {
    guard depth < SharedFields.deepest else { return }
    let all = parent[name].items(atMost: .max)
    let new = all.filter { $0.id == 0 || kept.insert($0.id).inserted }
    if new.count < all.count { parent[name] = parent.file.new(new) }
    for field in new { keepFirst(of: field, "Kids", depth + 1) }
  }
}
