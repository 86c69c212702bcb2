internal import CQPDF

/// Form fields that several others have as their child (ISO 32000-1 §12.7.3.1).
///
/// Poppler makes a field for each way to reach one: of 30 fields that each list the next one twice, it makes a billion
/// before it draws the first page.
struct SharedFields {
  private let data: qpdf_data?
  /// Fields already visited, and the number of ways to reach what is below each of them.
  private var ways: [Int32: Int] = [:]
  private var kept: Set<Int32> = []

  /// Maximum number of ways that Poppler is left to go: more fields than in any form, made in a fraction of a second.
  private static let most = 50_000
  private static let deepest = 500

  init(_ data: qpdf_data?) { self.data = data }

  /// True if Poppler would make far more fields than there are.
  var areTooMany: Bool {
    mutating get {
      let all = below(form, "/Fields", 0)
      return all > SharedFields.most && all > 4 * ways.count
    }
  }

  /// Keeps each field at the first place where the form lists it.
  mutating func removeRepeated() { keepFirst(of: form, "/Fields", 0) }

  private var form: qpdf_oh {
    qpdf_oh_get_key_if_dict(data, qpdf_get_root(data), "/AcroForm")
  }

  private mutating func below(_ parent: qpdf_oh, _ name: String, _ depth: Int) -> Int {
    guard depth < SharedFields.deepest else { return 0 }
    return fields(parent, name).reduce(0) { sum, field in
      let number = qpdf_oh_get_object_id(data, field)
      if let known = ways[number] { return min(sum + 1 + known, Int.max / 4) }
      // Poppler doesn't enter a field within itself.
      if number != 0 { ways[number] = 0 }
      let own = below(field, "/Kids", depth + 1)
      if number != 0 { ways[number] = own }
      return min(sum + 1 + own, Int.max / 4)
    }
  }

  private mutating func keepFirst(of parent: qpdf_oh, _ name: String, _ depth: Int) {
    guard depth < SharedFields.deepest else { return }
    let all = fields(parent, name)
    let new = all.filter {
      let number = qpdf_oh_get_object_id(data, $0)
      return number == 0 || kept.insert(number).inserted
    }
    if new.count < all.count {
      let list = qpdf_oh_new_array(data)
      for field in new { qpdf_oh_append_item(data, list, field) }
      qpdf_oh_replace_key(data, parent, name, list)
    }
    for field in new { keepFirst(of: field, "/Kids", depth + 1) }
  }

  private func fields(_ parent: qpdf_oh, _ name: String) -> [qpdf_oh] {
    let list = qpdf_oh_get_key_if_dict(data, parent, name)
    guard qpdf_oh_is_array(data, list) != 0 else { return [] }
    return (0..<qpdf_oh_get_array_n_items(data, list)).map {
      qpdf_oh_get_array_item(data, list, $0)
    }
  }
}
