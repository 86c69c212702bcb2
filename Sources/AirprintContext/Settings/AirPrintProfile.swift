internal import ForeignText
internal import FoundationEssentials
internal import Glibc
package import PrintModel

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

/// A payload of a configuration profile, or the profile itself, which is the outermost one.
struct ProfilePayload: Decodable {
  private var type: String?
  /// nil: it has no list of printers.
  private var printers: [ProfileEntry]?
  private var content: [ProfilePayload]?

  private enum CodingKeys: String, CodingKey {
    case type = "PayloadType", printers = "AirPrint", content = "PayloadContent"
  }

  init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: CodingKeys.self)
    type = try? object.decode(String.self, forKey: .type)
    if let entries = try? object.decode([FailableElement<ProfileEntry>].self, forKey: .printers) {
      printers = entries.map { $0.value ?? ProfileEntry() }
    }
    if let parts = try? object.decode([FailableElement<ProfilePayload>].self, forKey: .content) {
      content = parts.compactMap(\.value)
    } else if let only = try? object.decode(ProfilePayload.self, forKey: .content) {
      content = [only]
    }
  }

  private var isAirPrint: Bool { type == "com.apple.airprint" }

  /// False for a property list of another kind.
  var isPayload: Bool { content != nil || isAirPrint }

  /// The list of each AirPrint payload.
  ///
  /// Some management systems export a payload alone, put it into another, or put its list into its own PayloadContent.
  var lists: [[ProfileEntry]] {
    let own = isAirPrint ? [(printers ?? []) + (content ?? []).flatMap { $0.printers ?? [] }] : []
    return own + (content ?? []).flatMap(\.lists)
  }
}

/// A printer in an AirPrint payload.
struct ProfileEntry: Decodable {
  /// nil: it is absent or empty.
  var address: String?
  /// nil: it is absent or empty.
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
    func text(_ key: CodingKeys) -> String? {
      let text = try? String(object.decode(String.self, forKey: key)[...].trimmed)
      return text?.isEmpty == false ? text : nil
    }
    address = text(.address)
    path = text(.path)
    if object.contains(.port) {
      port = (try? object.decode(Int.self, forKey: .port)) ?? text(.port).flatMap { Int($0) }
    }
    // A form that was left empty: the port is IPP's, as if it was absent.
    if port == 0 { port = 631 }
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

/// The tags and texts of an XML property list, without its comments, instructions and document type.
///
/// A parser finds the same tags in it as `depth` counted.
struct PropertyListText {
  private(set) var bytes: [UInt8] = []
  /// The greatest nesting of `<dict>` and `<array>`.
  private(set) var depth = 0

  /// Throws if parsers may disagree about its tags: for a `<` inside a tag or CDATA, a document type with declarations
  /// of its own, and a part without an end; and for a text that is not in UTF-8, whatever it says about itself.
  init(_ file: [UInt8]) throws(ProfileProblem) {
    guard String(validating: file, as: UTF8.self) != nil else {
      throw ProfileProblem("not in UTF-8; save it in that encoding")
    }
    var nesting = 0
    var rest = file[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      bytes += rest[..<start]
      let behind = rest[(start + 1)...]
      let kind = Self.kinds.first { behind.starts(with: $0.begin.utf8) } ?? Self.tag
      guard let close = behind.dropFirst(kind.begin.utf8.count).firstRange(of: kind.end.utf8) else {
        throw ProfileProblem("a property list that ends in the middle of a tag")
      }
      let inside = behind[..<close.lowerBound]
      guard kind.isDropped || !inside.contains(UInt8(ascii: "<")),
        !inside.starts(with: "!DOCTYPE".utf8) || !inside.contains(UInt8(ascii: "["))
      else {
        throw ProfileProblem(
          "a property list with tags inside tags, or with its own DTD; remove these")
      }
      for name in ["dict", "array"] {
        if inside.starts(with: name.utf8), inside.last != UInt8(ascii: "/") { nesting += 1 }
        if inside.starts(with: "/\(name)".utf8) { nesting -= 1 }
      }
      depth = max(depth, nesting)
      if !kind.isDropped { bytes += rest[start..<close.upperBound] }
      rest = rest[close.upperBound...]
    }
    bytes += rest
  }

  /// A part of a file that begins with `<`: what follows that, and its end.
  private typealias Kind = (begin: String, end: String, isDropped: Bool)

  private static let tag: Kind = ("", ">", false)
  private static let kinds: [Kind] = [
    ("!--", "-->", true), ("?", "?>", true), ("![CDATA[", "]]>", false), ("!DOCTYPE", ">", true),
  ]
}

/// Printers that an administrator distributes in a file: a printers.toml, or an Apple configuration profile.
package struct PrinterList: Sendable {
  /// A printer to save; named after the host when the file contains no name.
  package struct Entry: Sendable {
    package var label: String
    /// nil: the file does not contain enough about it.
    package var printer: SavedPrinter?
    /// The reason there is no printer, if it is known.
    package var problem: Failure?
    /// True if the name comes from the file.
    package var isNamed: Bool
  }

  package var entries: [Entry]
  package var defaultName: String?
  package var byType: [JobType: String]

  /// Reads the file, at most 1 MB.
  ///
  /// An invalid printer becomes an entry without a printer. Throws exit 66 for a file that does not exist, 78 for one
  /// that is not a list of printers or that others may write.
  package init(path: String) throws(Failure) {
    guard let contents = try TOMLFile.bytes(of: path) else {
      throw .unreadable("\(path): No such file.")
    }
    let bytes = contents.inUTF8
    let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    if first == UInt8(ascii: "<") || AirPrintProfile.isSigned(bytes)
      || bytes.starts(with: Array("bplist".utf8))
    {
      do throws(ProfileProblem) {
        entries = PrinterList.entries(of: try AirPrintProfile(bytes))
        byType = [:]
        return
      } catch {
        throw .configuration("\(path): it is \(error.words).")
      }
    }
    do throws(Failure) {
      self = try PrinterList(TOMLFile(text: String(decoding: bytes, as: UTF8.self), path: path))
    } catch {
      throw Failure(error.reason, error.message.onOneLine)
    }
  }

  /// Line breaks in names are removed: they would be line breaks in messages.
  private init(_ list: TOMLFile) throws(Failure) {
    var wrong: [Entry] = []
    let file = try PrinterStore.File(list) { name, problem in
      let problem = Failure(problem.reason, problem.message.onOneLine)
      wrong.append(Entry(label: name.onOneLine, problem: problem, isNamed: true))
    }
    let right = file.printers.map { printer in
      var printer = printer
      printer.name = printer.name.onOneLine
      return Entry(label: printer.name, printer: printer, isNamed: true)
    }
    entries = (right + wrong).sorted { $0.label < $1.label }
    defaultName = file.defaultName?.onOneLine
    byType = file.byType.mapValues(\.onOneLine)
  }

  /// The printers of a profile, each once: several payloads of one profile may list the same.
  private static func entries(of profile: AirPrintProfile) -> [Entry] {
    var seen: Set<String> = []
    return profile.printers.filter { $0.uri.map { seen.insert($0).inserted } ?? true }
      .map { printer in
        let label = printer.label.onOneLine
        let saved = printer.uri.map { SavedPrinter(name: name(label).onOneLine, uri: $0) }
        return Entry(
          label: label, printer: saved,
          problem: printer.problem.map { Failure.configuration($0.onOneLine) }, isNamed: false)
      }
  }

  /// The queue's name in `host/printers/queue`, otherwise the host.
  private static func name(_ label: String) -> String {
    let parts = label.split(separator: "/").map(String.init)
    let isQueue = parts.count == 3 && ["printers", "classes"].contains(parts[1])
    return isQueue ? percentDecoded(parts[2]) : parts.first ?? label
  }
}

extension [UInt8] {
  /// The text in UTF-8 without a byte order mark; Windows' shell writes UTF-16.
  fileprivate var inUTF8: [UInt8] {
    if starts(with: [0xEF, 0xBB, 0xBF]) { return Array(dropFirst(3)) }
    let encodings = [TextEncoding.utf16LittleEndian, .utf16BigEndian]
    guard let encoding = encodings.first(where: { $0.hasMark(self) }) else { return self }
    let units = stride(from: 2, to: count - 1, by: 2).map { encoding.unit(self[$0], self[$0 + 1]) }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }
}
