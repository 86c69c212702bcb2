// QPDF's C interface, from libqpdf-dev, and its tokenizer, whose own interface is C++. No exception leaves it. Only
// PDFRepair imports it.
#include <qpdf/qpdf-c.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pdf_tokens pdf_tokens;

enum pdf_token_kind {
  pdf_token_end,
  pdf_token_number,
  pdf_token_name,
  // An operator of a content stream, or another word.
  pdf_token_word,
  // Strings, brackets, the data of an inline picture (ISO 32000-1 §8.9.7), and what is no token.
  pdf_token_other,
};

// A token, and the place of its first byte; the text is valid until the next token is read.
struct pdf_token {
  enum pdf_token_kind kind;
  const char *text;
  size_t length;
  size_t start;
};

// Reads the tokens of a content stream, or of an object; the caller owns the bytes, and keeps them. NULL when memory
// runs out.
pdf_tokens *pdf_tokens_open(const char *bytes, size_t length);
void pdf_tokens_close(pdf_tokens *tokens);
struct pdf_token pdf_tokens_next(pdf_tokens *tokens);

#ifdef __cplusplus
}
#endif
