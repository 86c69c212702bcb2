internal import ForeignText
internal import Logging
internal import Terminal

/// Log for `--verbose`: the modules' messages, one per line on standard error, cleaned like everything from a network.
///
/// Modules log only at debug level, so nothing is written without this option.
struct VerboseLog: LogHandler {
  let label: String
  var logLevel: Logger.Level = .debug
  var metadata: Logger.Metadata = [:]

  /// Starts logging, before the first logger is created; it can't be stopped.
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
