// Gives the test process an environment that does not depend on the machine or on who runs the tests, before any
// library reads it: code under test in this process draws text, reads the clock and formats dates. Programs that the
// tests start get theirs from Scratch.
#define _GNU_SOURCE
#include "CBench.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char fonts[4096];

const char *bench_fonts(void) { return fonts; }

// Where programs, libraries and temporary files are, and options of the tests, of Swift and of sanitizers.
static int is_kept(const char *variable) {
  static const char *const kept[] = {
    "PATH=", "LD_LIBRARY_PATH=", "TMPDIR=", "AIRPRINT_", "SWIFT", "XCTest", "ASAN_", "TSAN_",
  };
  for (unsigned i = 0; i < sizeof kept / sizeof *kept; i++)
    if (strncmp(variable, kept[i], strlen(kept[i])) == 0) return 1;
  return 0;
}

__attribute__((constructor)) static void start(void) {
  strncpy(fonts, __FILE__, sizeof fonts - 1);
  char *end = strstr(fonts, "/CBench/environment.c");
  if (!end) abort();
  strcpy(end, "/fonts.conf");
  // `Bench.repeatTest` has chosen it.
  if (getenv("AIRPRINT_TEST_FOLDER")) return;
  char **last = environ;
  for (char **variable = environ; *variable; variable++)
    if (is_kept(*variable)) *last++ = *variable;
  *last = NULL;
  setenv("FONTCONFIG_FILE", fonts, 1);
  setenv("HOME", "/nonexistent", 1);
  setenv("LC_ALL", "C.UTF-8", 1);
  setenv("TZ", "UTC", 1);
  umask(022);
}
