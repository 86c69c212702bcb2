package import PrintModel

extension Fingerprint {
  /// `AB:CD:…:12:34`, enough for a person to tell two apart.
  package var short: String {
    let parts = text.split(separator: ":")
    return (parts.prefix(2) + ["…"] + parts.suffix(2)).joined(separator: ":")
  }
}
