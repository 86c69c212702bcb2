internal import ForeignText
internal import Logging
internal import Terminal

/// `--verbose`: what the modules log, a line each on standard error, cleaned like everything that a
/// network had a hand in. Modules log at debug level only, so without this nothing is written.
struct VerboseLog: LogHandler {
  let label: String
  var logLevel: Logger.Level = .debug
  var metadata: Logger.Metadata = [:]

  /// Called before the first logger is made; more than once is no harm.
  static func start() { _ = begun }

  /// swift-log ends a process that sets it up a second time.
  private static let begun: Void = LoggingSystem.bootstrap { VerboseLog(label: $0) }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    try? writeAll(Array((cleaned("\(label): \(event.message)") + "\n").utf8), to: 2)
  }
}
