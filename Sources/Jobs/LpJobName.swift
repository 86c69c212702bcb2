internal import PrintModel
internal import Submission

/// Returns a printer's name as `lp` would write it in `request id is NAME-7 (1 file(s))`.
///
/// Programs that parse this line expect the ID to be one word, and CUPS names its queues that way.
package func lpName(_ printer: String) -> String {
  let name = printer.unicodeScalars.reduce(into: "") { name, character in
    let isPlain = character.properties.isAlphabetic || character.properties.numericType != nil
    let isFree = isPlain || ".@+".unicodeScalars.contains(character)
    if isFree || !name.hasSuffix("_") { name += isFree ? String(character) : "_" }
  }
  return name.isEmpty ? "printer" : name
}

extension Journal {
  /// Returns the journal's job with this ID, or with this name from `print --lp` (`Office_Laser-12`).
  ///
  /// Of several, the newest, since printers count from 1 again when they are reset. nil if there is none.
  func job(named text: String) throws(Failure) -> JobRecord? {
    if let record = try record(text) { return record }
    guard let dash = text.lastIndex(of: "-"), let number = Int(text[text.index(after: dash)...])
    else { return nil }
    return try records().last {
      $0.jobId == number && lpName($0.printer) == text[..<dash]
    }
  }
}
