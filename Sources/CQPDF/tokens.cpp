#include "CQPDF.h"

#include <memory>
#include <string>

// Buffers are held by std::shared_ptr.
#define POINTERHOLDER_TRANSITION 4
#include <qpdf/Buffer.hh>
#include <qpdf/BufferInputSource.hh>
#include <qpdf/QPDFTokenizer.hh>

struct pdf_tokens {
  pdf_tokens(const char *bytes, size_t length)
      : buffer(reinterpret_cast<unsigned char *>(const_cast<char *>(bytes)), length),
        input(new BufferInputSource("content", &buffer)) {
    tokenizer.allowEOF();
  }

  Buffer buffer;
  std::shared_ptr<InputSource> input;
  QPDFTokenizer tokenizer;
  std::string text;
};

pdf_tokens *pdf_tokens_open(const char *bytes, size_t length) {
  try {
    return new pdf_tokens(bytes, length);
  } catch (...) {
    return nullptr;
  }
}

void pdf_tokens_close(pdf_tokens *tokens) { delete tokens; }

static pdf_token_kind kind(const QPDFTokenizer::Token &token) {
  switch (token.getType()) {
  case QPDFTokenizer::tt_eof: return pdf_token_end;
  case QPDFTokenizer::tt_integer:
  case QPDFTokenizer::tt_real: return pdf_token_number;
  case QPDFTokenizer::tt_name: return pdf_token_name;
  case QPDFTokenizer::tt_word: return pdf_token_word;
  default: return pdf_token_other;
  }
}

pdf_token pdf_tokens_next(pdf_tokens *tokens) {
  try {
    auto token = tokens->tokenizer.readToken(tokens->input, "content", true);
    const auto start = static_cast<size_t>(tokens->input->getLastOffset());
    if (token.isWord("ID")) {
      char space;
      if (tokens->input->read(&space, 1) == 1) tokens->tokenizer.expectInlineImage(tokens->input);
    }
    tokens->text = token.getValue();
    return {kind(token), tokens->text.data(), tokens->text.size(), start};
  } catch (...) {
    return {pdf_token_end, nullptr, 0, 0};
  }
}
