import Documents
import Glibc
import PrintModel

extension FuzzTarget {
  /// A receipt in text form (airprint-receipt(5)), read from a file.
  static let receipt = FuzzTarget("receipt") { bytes in
    let place = Workplace.shared
    place.write(bytes, to: "till.receipt")
    let file = open("\(place.path)/till.receipt", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    do throws(Failure) {
      let pictures = try picturesOfReceipt(file)
      promise(Set(pictures).count == pictures.count, "a picture twice: \(pictures)")
      // A name is a path in the receipt's folder, and appears in messages.
      for name in pictures {
        promise(!name.isEmpty && name.utf8.count <= 4_096, name)
        let controls = name.unicodeScalars.filter { $0.properties.generalCategory == .control }
        promise(controls.allSatisfy { $0 == "\t" }, name)
      }
    } catch {
      promise(error.code == .document && error.message.hasSuffix("."), "\(error)")
    }
  }

  /// The first bytes of any document.
  static let head = FuzzTarget("head") { bytes in
    let guess = DocumentFormat.guess(bytes)
    promise(guess.type != nil || !guess.isCertain, "\(guess)")
    if let sniffed = DocumentFormat.sniff(bytes) {
      promise(sniffed == guess.type, sniffed)
      promise(DocumentFormat.named("a.html", sniffed: sniffed) != nil, sniffed)
    }
  }
}
