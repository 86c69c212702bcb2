internal import PrintModel

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
