// fopencookie(3) and memmem(3) are GNU extensions.
#define _GNU_SOURCE

#include "patches.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// The message in CairoFontEngine.cc for a font that FreeType can't read (Poppler 0.20 to 25).
static const char words[] = "some font thing failed";
static int has_complained;

static ssize_t read_along(void *cookie, const char *text, size_t length) {
  (void)cookie;
  const int error = errno;
  if (memmem(text, length, words, sizeof words - 1)) has_complained = 1;
  // If the message can't be written, the error is ignored.
  if (write(STDERR_FILENO, text, length) < 0) errno = error;
  errno = error;
  return (ssize_t)length;
}

void complaints_listen(void) {
  static FILE *listener;
  if (listener) return;
  listener = fopencookie(NULL, "w", (cookie_io_functions_t){.write = read_along});
  if (!listener) return;
  setvbuf(listener, NULL, _IOLBF, 512);
  stderr = listener;
  // Poppler also writes errors to standard output (CairoOutputDev.cc), which is where a worker's messages go.
  stdout = listener;
}

int complaints_take(void) {
  fflush(stderr);
  const int taken = has_complained;
  has_complained = 0;
  return taken;
}
