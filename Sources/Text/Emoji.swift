extension String {
  /// True if it has characters that fonts may draw in color.
  package var hasEmoji: Bool {
    unicodeScalars.contains { $0.properties.isEmojiPresentation || $0 == "\u{FE0F}" }
  }
}
