internal import ForeignText
internal import FoundationEssentials
internal import Glibc

/// The printers of an Apple configuration profile, in the payload `com.apple.airprint` by which device management
/// systems configure iPhones.
///
/// Every value in it may be wrong.
package struct AirPrintProfile: Sendable, Equatable {
  package struct Printer: Sendable, Equatable {
    /// Its name in the profile: address and path.
    package var label: String
    /// nil when the profile contains too little about it, or something invalid.
    package var uri: String?
    /// The reason there is no URI: a sentence.
    package var problem: String?
  }

  /// Maximum number of printers in a profile.
  package static let maximumPrinters = 1_000
  /// Maximum nesting of lists and dictionaries: Foundation's reader recurses for each.
  static let deepest = 32

  package var printers: [Printer]

  /// Reads an XML property list.
  ///
  /// Throws a sentence about the problem with it.
  package init(_ bytes: [UInt8]) throws(ProfileProblem) {
    if bytes.starts(with: Array("bplist".utf8)) {
      throw ProfileProblem("a binary property list; convert it to XML: plutil -convert xml1")
    }
    if AirPrintProfile.isSigned(bytes) {
      throw ProfileProblem(
        "signed; get the profile out of its signature: openssl smime -verify -noverify -inform der -in FILE"
      )
    }
    let text = try PropertyListText(bytes)
    guard text.depth <= AirPrintProfile.deepest else {
      throw ProfileProblem("nested too deeply for a configuration profile")
    }
    let payload = try? PropertyListDecoder().decode(ProfilePayload.self, from: Data(text.bytes))
    guard let payload, payload.isPayload else {
      throw ProfileProblem(
        "not a configuration profile: it is not a property list with a PayloadContent")
    }
    let lists = payload.lists
    guard !lists.isEmpty else {
      throw ProfileProblem("a profile without a com.apple.airprint payload")
    }
    let entries = lists.flatMap(\.self)
    guard entries.count <= AirPrintProfile.maximumPrinters else {
      throw ProfileProblem(
        "a profile with more than \(AirPrintProfile.maximumPrinters) printers; split it")
    }
    printers = entries.map { Printer($0) }
  }

  /// True for a profile in a CMS signature (RFC 5652), in DER or PEM.
  package static func isSigned(_ bytes: [UInt8]) -> Bool {
    bytes.first == 0x30 || bytes.starts(with: Array("-----BEGIN".utf8))
  }
}

/// The reason a file is not a list of printers; the end of a sentence that begins with "it is".
package struct ProfileProblem: Error, Equatable {
  package var words: String
  init(_ words: String) { self.words = words }
}

extension AirPrintProfile.Printer {
  fileprivate init(_ entry: ProfileEntry) {
    let path = entry.path.map { $0.hasPrefix("/") ? $0 : "/" + $0 } ?? "/ipp/print"
    guard let address = entry.address else {
      label = "an entry without IPAddress"
      problem = "it gives no address."
      return
    }
    label = address + path
    guard let host = ProfileEntry.host(address) else {
      problem = "its IPAddress is neither an address nor the name of a host."
      return
    }
    guard let encoded = ProfileEntry.encoded(path) else {
      problem = "its ResourcePath is too long, or has control characters."
      return
    }
    guard let port = entry.port, (1...65_535).contains(port) else {
      problem = "its Port is not a number from 1 to 65535."
      return
    }
    // Never unencrypted where somebody may have meant to force TLS.
    guard let forcesTLS = entry.forcesTLS else {
      problem = "its ForceTLS is neither true nor false."
      return
    }
    uri = "\(forcesTLS ? "ipps" : "ipp")://\(host)\(port == 631 ? "" : ":\(port)")\(encoded)"
  }
}

extension ProfileEntry {
  /// The address as the host of a URI; nil for anything else than an address or a host's name.
  fileprivate static func host(_ address: String) -> String? {
    let isPlain =
      address.utf8.count <= 255 && !address.hasPrefix("-")
      && address.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"/?#@[]\\".utf8.contains($0) }
    guard isPlain, address.contains(":") else { return isPlain ? address : nil }
    // An IPv6 address, possibly with a zone (RFC 4007 §11).
    var bytes = in6_addr()
    let isAddress = inet_pton(AF_INET6, String(address.prefix { $0 != "%" }), &bytes) == 1
    return isAddress ? "[\(address.replacing("%", with: "%25"))]" : nil
  }

  /// The path with blanks and everything outside ASCII percent-encoded; nil if it is too long or has control
  /// characters.
  fileprivate static func encoded(_ path: String) -> String? {
    guard path.utf8.count <= 512, path.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      return nil
    }
    return percentEncoded(path) { (0x21...0x7E).contains($0) }
  }
}
