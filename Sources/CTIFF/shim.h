// libtiff, from libtiff-dev, with its errors as text: Swift 6.2 can't compile a callback with a va_list on arm64,
// where that is a structure. Only Pictures imports it.
#include <stdarg.h>
#include <stdio.h>
#include <tiffio.h>

// The first error; the others follow from it.
struct tiff_complaint {
  char text[512];
};

static inline int tiff_keep_first(
  TIFF *file, void *complaint, const char *module, const char *format, va_list arguments
) {
  struct tiff_complaint *first = (struct tiff_complaint *)complaint;
  (void)file, (void)module;
  if (!first->text[0]) vsnprintf(first->text, sizeof first->text, format, arguments);
  return 1;
}

static inline int tiff_ignore(
  TIFF *file, void *nothing, const char *module, const char *format, va_list arguments
) {
  (void)file, (void)nothing, (void)module, (void)format, (void)arguments;
  return 1;
}

// Keeps the first error in `complaint`, which must outlive the file; warnings are ignored.
static inline void tiff_keep_complaint(TIFFOpenOptions *options, struct tiff_complaint *complaint) {
  TIFFOpenOptionsSetErrorHandlerExtR(options, tiff_keep_first, complaint);
  TIFFOpenOptionsSetWarningHandlerExtR(options, tiff_ignore, NULL);
}
