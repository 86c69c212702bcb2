internal import CQPDF

/// A token of a content stream (ISO 32000-1 §7.8.2), as QPDF reads it.
package enum ContentToken: Equatable {
  case number(Double)
  /// Without its slash.
  case name(String)
  /// An operator, or another word.
  case word(String)
  /// A string, a bracket, the data of an inline picture, or what is no token.
  case other

  /// Passes the tokens of a content, each with the place of its last byte, to `body`, until that returns false.
  package static func forEach(
    in content: UnsafeRawBufferPointer, _ body: (ContentToken, _ last: Int) -> Bool
  ) {
    guard
      let tokens = pdf_tokens_open(
        content.assumingMemoryBound(to: CChar.self).baseAddress, content.count)
    else { return }
    defer { pdf_tokens_close(tokens) }
    while true {
      let token = pdf_tokens_next(tokens)
      guard token.kind != pdf_token_end else { return }
      guard body(ContentToken(token), token.start + token.length - 1) else { return }
    }
  }

  private init(_ token: pdf_token) {
    let text = UnsafeRawBufferPointer(start: token.text, count: token.length)
    self =
      switch token.kind {
      case pdf_token_number: .number(Double(String(decoding: text, as: UTF8.self)) ?? .nan)
      case pdf_token_name: .name(String(decoding: text.dropFirst(), as: UTF8.self))
      // A number may directly precede an operator.
      case pdf_token_word:
        .word(
          String(decoding: text.drop { "+-.0123456789".utf8.contains($0) }, as: UTF8.self))
      default: .other
      }
  }
}
