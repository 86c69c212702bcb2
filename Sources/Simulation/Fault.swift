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
    let name = Fault.name(of: word)
    let value = String(word.dropFirst(name.count))
    guard let kind = try Fault.kind(name, value, of: text) else {
      throw .usage("No such fault: \(text). Faults: \(Fault.names.joined(separator: ", ")).")
    }
    self.kind = kind
    if Fault.takesSide(kind), !value.isEmpty {
      guard value.hasPrefix("@"), let side = Int(value.dropFirst()), (1...100_000).contains(side)
      else {
        throw .usage("Invalid fault \(text): it needs a page, as in \(name)@3.")
      }
      self.side = side
    }
  }

  /// Values of `--fault`, for messages and shell completion.
  package static let names =
    stops.keys.sorted().map { "\($0)@PAGE" } + warnings.sorted() + others.map(\.example)

  /// A fault's name, without its page or value.
  static func name(of text: String) -> String { String(text.prefix { $0 != "@" && $0 != ":" }) }

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

  /// All others: an example of each, and its meaning with the text after its name; nil if that has none.
  private static let others: [(example: String, read: @Sendable (String) -> Kind?)] = [
    ("cancel@PAGE", { _ in .cancel }), ("abort@PAGE", { _ in .abort }),
    ("busy:10s", { seconds($0).map(Kind.busy) }),
    ("forget", { $0.isEmpty ? .forget : nil }),
    ("new-certificate", { $0.isEmpty ? .newCertificate : nil }),
    ("drop@100k", { bytes($0, after: "@").map(Kind.drop(after:)) }),
    (
      "slow:50k/s",
      { rate in
        let count = rate.hasSuffix("/s") ? String(rate.dropLast(2)) : rate
        return bytes(count, after: ":").map(Kind.slow(bytesPerSecond:))
      }
    ),
    ("sleep:20s", { seconds($0).map(Kind.sleep) }),
    ("restart", { $0.isEmpty ? .restart : nil }),
    ("miscount:-1", { count($0).map(Kind.miscount(by:)) }),
    ("print-job-only", { $0.isEmpty ? .printJobOnly : nil }),
    ("one-bit", { $0.isEmpty ? .oneBit : nil }),
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
    guard let fault = others.first(where: { Fault.name(of: $0.example) == name }) else {
      return nil
    }
    let kind = fault.read(value)
    guard kind != nil || fault.example == name else {
      throw .usage("Invalid fault \(text): write it as \(fault.example).")
    }
    return kind
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
