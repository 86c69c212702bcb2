package import PrintModel

/// A fault caused on request: `media-empty@3`, `toner-low`, `busy:10s`, `drop@100k`.
package struct Fault: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// The printer stops with this printer-state-reason until the fault is cleared.
    case stop(reason: String)
    /// The printer reports this reason and continues to print.
    case warn(reason: String)
    /// The job is canceled at the printer.
    case cancel
    /// The printer aborts the job.
    case abort
    /// The printer refuses jobs for this long, from the first attempt on.
    case busy(Duration)
    /// The printer forgets jobs as soon as they are over.
    case forget
    /// The printer uses a new certificate from now on.
    case newCertificate
    /// The connection breaks after this many bytes of a document.
    case drop(after: Int)
    /// The printer reads only this many bytes of a document per second.
    case slow(bytesPerSecond: Int)
    /// The printer does not answer for this long, from the first request on.
    case sleep(Duration)
    /// The printer is switched off and on: connections break, and its jobs are forgotten.
    case restart
    /// job-impressions-completed is wrong by this many sides.
    case miscount(by: Int)
    /// The printer supports Print-Job, but not Create-Job.
    case printJobOnly
    /// The printer accepts only PWG Raster with one bit per pixel.
    case oneBit
  }

  package var kind: Kind
  /// Side of a job before which the fault occurs, from 1; nil: at once, even if the printer is idle.
  package var side: Int?
  /// The fault as it was typed.
  package var text: String

  /// Reads a fault.
  ///
  /// Throws exit 64 with the list of faults.
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

  /// Values of `--fault`, for messages and shell completion.
  package static let names =
    stops.keys.sorted().map { "\($0)@PAGE" } + warnings.sorted() + [
      "cancel@PAGE", "abort@PAGE", "busy:10s", "forget", "new-certificate", "drop@100k",
      "slow:50k/s", "sleep:20s", "restart", "miscount:-1", "print-job-only", "one-bit",
    ]

  /// Everyday names, with the keywords that real printers report.
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

  /// A number of bytes, such as `@100k`.
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
