/// A printer's UUID, as DNS-SD and IPP state it.
package enum PrinterUUID {
  /// Normalizes a UUID to 8-4-4-4-12 hexadecimal digits in lower case, without `urn:uuid:`.
  ///
  /// nil for anything else, which identifies nothing, and for all zeros.
  package static func normalized(_ stated: String) -> String? {
    var uuid = stated.lowercased()
    if uuid.hasPrefix("urn:uuid:") { uuid.removeFirst("urn:uuid:".count) }
    let parts = uuid.split(separator: "-", omittingEmptySubsequences: false)
    let isUUID =
      parts.map(\.utf8.count) == [8, 4, 4, 4, 12]
      && uuid.utf8.allSatisfy { "0123456789abcdef-".utf8.contains($0) }
    return isUUID && uuid.contains { $0 != "0" && $0 != "-" } ? uuid : nil
  }
}
