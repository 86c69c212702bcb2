internal import ForeignText
internal import Logging
internal import Terminal

/// `--verbose`: what the modules log, a line each on standard error, cleaned like everything that a
/// network had a hand in.
///
/// Modules log at debug level only, so without this nothing is written.
struct VerboseLog: LogHandler {
  let label: String
  var logLevel: Logger.Level = .debug
  var metadata: Logger.Metadata = [:]

  /// Starts it, before the first logger is made; once started it stays so.
  static func start() { isStarted }

  /// swift-log ends a process that does this twice.
  private static let isStarted: Void = LoggingSystem.bootstrap { VerboseLog(label: $0) }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    try? writeAll(Array((cleaned("\(label): \(event.message)") + "\n").utf8), to: 2)
  }
}
