// libzint, from libzint-dev. Only Receipts imports it.
#include <zint.h>

// Swift can't import an array of 28,800 bytes.
static inline int zint_module_is_set(const struct zint_symbol *symbol, int row, int column) {
  return symbol->encoded_data[row][column >> 3] >> (column & 7) & 1;
}

static inline const char *zint_error_text(const struct zint_symbol *symbol) {
  return symbol->errtxt;
}

static inline const char *zint_readable_text(const struct zint_symbol *symbol) {
  return (const char *)symbol->text;
}
