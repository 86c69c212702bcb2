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
    if bytes.first == 0x30 {
      throw ProfileProblem("signed; use the profile from before it was signed")
    }
    guard let depth = AirPrintProfile.depth(of: bytes) else {
      throw ProfileProblem(
        "a property list with tags inside comments, or with its own DTD; remove these")
    }
    guard depth <= AirPrintProfile.deepest else {
      throw ProfileProblem("nested too deeply for a configuration profile")
    }
    guard
      let profile = try? PropertyListDecoder().decode(ConfigurationProfile.self, from: Data(bytes))
    else {
      throw ProfileProblem(
        "not a configuration profile: it is not a property list with a PayloadContent")
    }
    let lists = profile.payloads.filter { $0.type == "com.apple.airprint" }
    guard !lists.isEmpty else {
      throw ProfileProblem("a profile without a com.apple.airprint payload")
    }
    let entries = lists.flatMap(\.printers)
    guard entries.count <= AirPrintProfile.maximumPrinters else {
      throw ProfileProblem(
        "a profile with more than \(AirPrintProfile.maximumPrinters) printers; split it")
    }
    printers = entries.map { Printer($0) }
  }

  /// The greatest nesting of `<dict>` and `<array>`.
  ///
  /// nil where a parser may see different tags: a `<` inside a tag, a comment, CDATA or an instruction; a DTD in the
  /// file itself; or one of these without an end.
  private static func depth(of bytes: [UInt8]) -> Int? {
    var (depth, deepest) = (0, 0)
    var rest = bytes[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[(start + 1)...]
      let end = ends.first { rest.starts(with: $0.begin) }?.end ?? Array(">".utf8)
      guard let close = rest.firstRange(of: end) else { return nil }
      let inside = rest[..<close.lowerBound]
      guard !inside.contains(UInt8(ascii: "<")),
        !inside.starts(with: "!DOCTYPE".utf8) || !inside.contains(UInt8(ascii: "["))
      else { return nil }
      for name in ["dict", "array"] {
        if inside.starts(with: name.utf8), inside.last != UInt8(ascii: "/") { depth += 1 }
        if inside.starts(with: "/\(name)".utf8) { depth -= 1 }
      }
      deepest = max(deepest, depth)
      rest = rest[close.upperBound...]
    }
    return deepest
  }

  /// Starts, after a `<`, and ends of everything that is not a tag.
  private static let ends: [(begin: [UInt8], end: [UInt8])] = [
    ("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>"),
  ].map { (Array($0.0.utf8), Array($0.1.utf8)) }
}

/// The reason a file is not a list of printers; the end of a sentence that begins with "it is".
package struct ProfileProblem: Error, Equatable {
  package var words: String
  init(_ words: String) { self.words = words }
}

extension String {
  /// True for an IPv6 address, possibly with a zone (RFC 4007 §11).
  fileprivate var isIPv6: Bool {
    var address = in6_addr()
    return inet_pton(AF_INET6, String(prefix { $0 != "%" }), &address) == 1
  }
}

extension AirPrintProfile.Printer {
  fileprivate init(_ entry: PrinterEntry) {
    let address = entry.address ?? ""
    let path = (entry.path.map { $0.hasPrefix("/") ? $0 : "/" + $0 } ?? "/ipp/print")
      .replacing(" ", with: "%20")
    label = address.isEmpty ? "an entry without IPAddress" : address + path
    let isHost =
      !address.isEmpty && address.utf8.count <= 255
      && address.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"/?#@[]\\".utf8.contains($0) }
      && (!address.contains(":") || address.isIPv6) && !address.hasPrefix("-")
    let isPath = path.utf8.count <= 512 && path.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    // Never unencrypted where somebody may have meant to force TLS.
    guard let forcesTLS = entry.forcesTLS else { return }
    guard isHost, isPath, let port = entry.port, (1...65_535).contains(port) else { return }
    let scheme = forcesTLS ? "ipps" : "ipp"
    let host = address.contains(":") ? "[\(address.replacing("%", with: "%25"))]" : address
    uri = "\(scheme)://\(host)\(port == 631 ? "" : ":\(port)")\(path)"
  }
}

// MARK: The property list

private struct ConfigurationProfile: Decodable {
  var payloads: [Payload]
  private enum CodingKeys: String, CodingKey { case payloads = "PayloadContent" }

  init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: CodingKeys.self)
    payloads = try object.decode([FailableElement<Payload>].self, forKey: .payloads).compactMap(
      \.value)
  }
}

private struct Payload: Decodable {
  var type: String
  var printers: [PrinterEntry]
  private enum CodingKeys: String, CodingKey { case type = "PayloadType", printers = "AirPrint" }

  init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: CodingKeys.self)
    type = try object.decode(String.self, forKey: .type)
    let entries = try? object.decode([FailableElement<PrinterEntry>].self, forKey: .printers)
    printers = (entries ?? []).map { $0.value ?? PrinterEntry() }
  }
}

private struct PrinterEntry: Decodable {
  var address: String?
  var path: String?
  /// nil: it is present, but not a number.
  var port: Int? = 631
  /// nil: it is present, but neither true nor false.
  var forcesTLS: Bool? = false
  private enum CodingKeys: String, CodingKey {
    case address = "IPAddress", path = "ResourcePath", port = "Port", forcesTLS = "ForceTLS"
  }

  init() {}

  init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: CodingKeys.self)
    address = try? object.decode(String.self, forKey: .address)
    path = try? object.decode(String.self, forKey: .path)
    if object.contains(.port) { port = try? object.decode(Int.self, forKey: .port) }
    guard object.contains(.forcesTLS) else { return }
    forcesTLS = try? object.decode(Bool.self, forKey: .forcesTLS)
    if let number = try? object.decode(Int.self, forKey: .forcesTLS), 0...1 ~= number {
      forcesTLS = number == 1
    }
  }
}

/// An element that may be invalid without invalidating the others.
private struct FailableElement<Value: Decodable>: Decodable {
  var value: Value?
  init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
}
