package import PrintModel

/// A fault that is caused on request: `media-empty@3`, `toner-low`, `busy:10s`,
/// `drop@100k`.
package struct Fault: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// The printer stops with this printer-state-reason until the fault is cleared.
    case stop(reason: String)
    /// The reason is stated, and printing continues.
    case warn(reason: String)
    /// The job is canceled at the printer.
    case cancel
    /// The printer gives the job up.
    case abort
    /// No job is taken for so long, from the first that is tried.
    case busy(Duration)
    /// A job that is over is known no more.
    case forget
    /// The certificate is another one from now on.
    case newCertificate
    /// The connection breaks once so many bytes of a document have come.
    case drop(after: Int)
    /// So many bytes of a document are read in a second.
    case slow(bytesPerSecond: Int)
    /// The first to ask waits so long for an answer.
    case sleep(Duration)
    /// It is switched off and on: connections break, and its jobs are known no more.
    case restart
    /// job-impressions-completed is wrong by so many sides.
    case miscount(by: Int)
    /// It has Print-Job, and no Create-Job.
    case printJobOnly
    /// It takes PWG Raster of one bit a pixel, and nothing else.
    case oneBit
  }

  package var kind: Kind
  /// The sheet side of a job before which it happens, from 1; nil: at once, also to a printer that
  /// idles.
  package var side: Int?
  /// As it was asked for.
  package var text: String

  /// Reads a fault.
  ///
  /// Exit 64 with what there is.
  package init(_ text: String) throws(Failure) {
    self.text = text
    let word = text.lowercased()
    let name = String(word.prefix { $0 != "@" && $0 != ":" })
    let value = String(word.dropFirst(name.count))
    guard let kind = try Fault.kind(name, value, of: text) else {
      throw Failure(
        .usage,
        "No such fault: \(text). Faults: \(Fault.names.joined(separator: ", ")).")
    }
    self.kind = kind
    if Fault.takesSide(kind), !value.isEmpty {
      guard value.hasPrefix("@"), let side = Int(value.dropFirst()), (1...100_000).contains(side)
      else {
        throw Failure(.usage, "Invalid fault \(text): it needs a page, as in \(name)@3.")
      }
      self.side = side
    }
  }

  /// Values of `--fault`, for messages and Tab.
  package static let names =
    stops.keys.sorted().map { "\($0)@PAGE" } + warnings.sorted() + [
      "cancel@PAGE", "abort@PAGE", "busy:10s", "forget", "new-certificate", "drop@100k",
      "slow:50k/s", "sleep:20s", "restart", "miscount:-1", "print-job-only", "one-bit",
    ]

  /// Everyday name, with the keyword that real printers state.
  private static let stops = [
    "media-empty": "media-empty", "media-needed": "media-needed", "jam": "media-jam",
    "media-jam": "media-jam", "cover-open": "cover-open", "door-open": "door-open",
    "toner-empty": "toner-empty", "marker-supply-empty": "marker-supply-empty",
    "input-tray-missing": "input-tray-missing", "output-area-full": "output-area-full",
  ]

  private static let warnings: Set<String> = [
    "toner-low", "media-low", "marker-supply-low", "marker-waste-almost-full",
  ]

  private static func takesSide(_ kind: Kind) -> Bool {
    switch kind {
    case .stop, .warn, .cancel, .abort: true
    default: false
    }
  }

  private static func kind(
    _ name: String, _ value: String, of text: String
  ) throws(Failure) -> Kind? {
    if let reason = stops[name] { return .stop(reason: reason) }
    if warnings.contains(name) { return .warn(reason: name) }
    func needed<Value>(_ read: Value?, _ example: String) throws(Failure) -> Value {
      guard let read else {
        throw Failure(.usage, "Invalid fault \(text): write it as \(example).")
      }
      return read
    }
    switch name {
    case "cancel": return .cancel
    case "abort": return .abort
    case "forget" where value.isEmpty: return .forget
    case "new-certificate" where value.isEmpty: return .newCertificate
    case "restart" where value.isEmpty: return .restart
    case "print-job-only" where value.isEmpty: return .printJobOnly
    case "one-bit" where value.isEmpty: return .oneBit
    case "miscount": return .miscount(by: try needed(count(value), "miscount:-1"))
    case "busy": return .busy(try needed(seconds(value), "busy:10s"))
    case "sleep": return .sleep(try needed(seconds(value), "sleep:20s"))
    case "drop": return .drop(after: try needed(bytes(value, after: "@"), "drop@100k"))
    case "slow":
      let rate = value.hasSuffix("/s") ? String(value.dropLast(2)) : value
      return .slow(bytesPerSecond: try needed(bytes(rate, after: ":"), "slow:50k/s"))
    default: return nil
    }
  }

  /// A number of sides, such as `:-1`.
  private static func count(_ text: String) -> Int? {
    guard text.hasPrefix(":"), let number = Int(text.dropFirst()),
      (-100_000...100_000).contains(number), number != 0
    else { return nil }
    return number
  }

  /// A time, such as `:10s`.
  private static func seconds(_ text: String) -> Duration? {
    guard text.hasPrefix(":"), text.hasSuffix("s"),
      let number = Double(text.dropFirst().dropLast()),
      number > 0, number <= 86_400
    else { return nil }
    return .milliseconds(Int(number * 1000))
  }

  /// A place in the bytes, such as `@100k`.
  private static func bytes(_ text: String, after mark: Character) -> Int? {
    guard text.first == mark else { return nil }
    var number = text.dropFirst()
    var factor = 1
    if let last = number.last, let unit = ["k": 1 << 10, "m": 1 << 20][last] {
      factor = unit
      number = number.dropLast()
    }
    guard let count = Int(number), count > 0, count <= 1 << 30 else { return nil }
    return count * factor
  }
}
