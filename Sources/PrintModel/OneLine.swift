extension String {
  /// The same with a space for each line break (Unicode's too), so that what others say begins no line of its own.
  package var onOneLine: String { String(map { $0.isNewline ? " " : $0 }) }
}
