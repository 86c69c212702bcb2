internal import PrintModel
internal import Submission

/// A printer's name as `lp` would write it in `request id is NAME-7 (1 file(s))`: programs that read this
/// line take the ID for one word, and CUPS names its queues so.
package func lpName(_ printer: String) -> String {
  let name = printer.unicodeScalars.reduce(into: "") { name, character in
    let isPlain = character.properties.isAlphabetic || character.properties.numericType != nil
    let isFree = isPlain || ".@+".unicodeScalars.contains(character)
    if isFree || !name.hasSuffix("_") { name += isFree ? String(character) : "_" }
  }
  return name.isEmpty ? "printer" : name
}

extension Journal {
  /// The journal's job of this ID, or that `print --lp` called so (`Office_Laser-12`): the newest, since printers
  /// count anew when they are reset.
  ///
  /// nil when there is none.
  func job(named text: String) throws(Failure) -> JobRecord? {
    if let record = try record(text) { return record }
    guard let dash = text.lastIndex(of: "-"), let number = Int(text[text.index(after: dash)...])
    else { return nil }
    return try records().last {
      $0.jobId == number && lpName($0.printer) == text[..<dash]
    }
  }
}
