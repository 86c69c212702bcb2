import DNSSD
import ForeignText
import PrintModel

/// Facts that one TXT record states about its printer (the Bonjour Printing Specification's keys).
///
/// Nil and empty mean that the record does not state it.
struct PrinterTXTRecord: Equatable {
  /// The resource path, without the leading slash.
  var path = "ipp/print"
  /// The record's priority: 0 is best, 99 worst.
  var priority = 50
  var uuid: String?
  var makeAndModel: String?
  var location: String?
  var types: Set<JobType> = []
  var typesAreStated = false
  var isColor: Bool?
  var isDuplex: Bool?
  var formats: [String] = []
  var authentication: String?
  /// True if ipp-usb added its keys, which mark printers on a USB port (ipp-usb#109).
  var isUSB = false

  /// Parses a record; nil for one of another version, which can't be understood (RFC 6763 §6.7).
  init?(_ record: TextRecord) {
    if let version = record["txtvers"], version != "1" { return nil }
    if let stated = record["rp"]?.drop(while: { $0 == "/" }), !stated.isEmpty {
      path = String(stated)
    }
    if let stated = record["priority"].flatMap({ Int($0) }) { priority = min(max(stated, 0), 99) }
    uuid = record["UUID"].flatMap(PrinterUUID.normalized)
    makeAndModel = PrinterTXTRecord.makeAndModel(record)
    location = record["note"]
    let urf = record.list("URF").filter { $0 != "none" }
    formats = PrinterTXTRecord.formats(record, hasURF: !urf.isEmpty)
    let colors = ["srgb24", "adobergb", "devrgb", "devcmyk"]
    isColor =
      record.flag("Color") ?? (urf.contains { colors.contains(where: $0.hasPrefix) } ? true : nil)
    isDuplex = record.flag("Duplex") ?? (urf.contains { $0.hasPrefix("dm") } ? true : nil)
    authentication = record["air"]?.lowercased()
    isUSB = record.has("usb_SER") || record.has("usb_HWID")
    let stated = record.list("kind").compactMap(JobType.init)
    typesAreStated = !stated.isEmpty
    types =
      typesAreStated
      ? Set(stated) : PrinterTXTRecord.types(paperMaximum: record["PaperMax"], urf: urf)
  }

  /// Derives job types from the largest paper, for a record without `kind`.
  ///
  /// A printer whose paper is smaller than legal and A4 is a photo printer if it supports photo media or color.
  /// Otherwise labels, receipts and postcards are all possible, and the result is empty.
  static func types(paperMaximum: String?, urf: [String]) -> Set<JobType> {
    switch paperMaximum?.lowercased() {
    case "legal-a4", "tabloid-a3": [.document]
    case "isoc-a2", ">isoc-a2": [.document, .largeFormat]
    case "<legal-a4" where urf.contains("srgb24") || hasPhotoMedia(urf): [.photo]
    default: []
    }
  }

  /// MT8 to MT12 are the photographic media types, IS7 is the photo tray.
  private static func hasPhotoMedia(_ urf: [String]) -> Bool {
    numbers(of: "is", in: urf).contains(7)
      || !numbers(of: "mt", in: urf).isDisjoint(with: 8...12)
  }

  /// Parses the numbers of a token: 1, 3 and 8 of `MT1-3-8`.
  private static func numbers(of token: String, in urf: [String]) -> Set<Int> {
    let lists = urf.filter { $0.hasPrefix(token) }.map { $0.dropFirst(token.count) }
    return Set(lists.flatMap { $0.split(separator: "-") }.compactMap { Int($0) })
  }

  /// Reads `ty` up to its first comma, as CUPS does; else `product` without its parentheses; else the USB description
  /// of the device.
  private static func makeAndModel(_ record: TextRecord) -> String? {
    if let type = record["ty"]?.prefix(while: { $0 != "," }), !type.isEmpty {
      return String(type)
    }
    if let product = record["product"] {
      let isBracketed = product.hasPrefix("(") && product.hasSuffix(")") && product.count > 2
      return isBracketed ? String(product.dropFirst().dropLast()) : product
    }
    let device = [record["usb_MFG"], record["usb_MDL"]].compactMap(\.self)
    return device.isEmpty ? nil : device.joined(separator: " ")
  }

  /// Returns the formats of `pdl` without parameters and duplicates.
  ///
  /// A printer that states URF supports it even if `pdl`, which may be cut at 255 bytes, does not contain it.
  private static func formats(_ record: TextRecord, hasURF: Bool) -> [String] {
    let stated = record.list("pdl") + (hasURF ? [DocumentFormat.urf] : [])
    return stated.map { String($0.prefix { $0 != ";" }) }.filter { $0.contains("/") }.unique
  }
}

/// A printer's TXT record by its keys (RFC 6763 §6).
///
/// Keys are case-insensitive, the first string with a value counts, and those without a value are ignored here.
struct TextRecord {
  /// Largest number of items in a list.
  static let maximumItems = 64

  /// Values by lower-case key.
  private let values: [String: String]

  init(_ entries: [TXTEntry]) {
    values = Dictionary(
      entries.compactMap { entry in
        // Some firmware sends C strings together with the memory behind them.
        entry.value.map {
          let text = String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
          return (entry.key.lowercased(), text.onOneLine)
        }
      }, uniquingKeysWith: { first, _ in first })
  }

  func has(_ key: String) -> Bool { values[key.lowercased()] != nil }

  /// Returns a value without surrounding spaces; nil if it is empty.
  subscript(key: String) -> String? {
    guard let value = values[key.lowercased()]?.trimmed, !value.isEmpty else { return nil }
    return String(value)
  }

  /// Returns the items of a comma-separated list, in lower case.
  func list(_ key: String) -> [String] {
    let items = self[key]?.split(separator: ",", maxSplits: Self.maximumItems) ?? []
    return items.prefix(Self.maximumItems).map { $0.trimmed.lowercased() }
      .filter { !$0.isEmpty }
  }

  /// Reads `T` or `F`; `U` and everything else is unknown.
  func flag(_ key: String) -> Bool? {
    switch self[key]?.lowercased() {
    case "t": true
    case "f": false
    default: nil
    }
  }
}
