// Runs before the constructors of shared libraries, some of which crash where memory or descriptors are
// short (libqpdf's on a stack of 16 KB; libdispatch without descriptors): a sentence and exit 70 instead.
// Nothing here may need a library that is not up yet: system calls alone.
#define _GNU_SOURCE
#include "CStart.h"
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static int count;
static char **arguments;

int start_argument_count(void) { return count; }
const char *start_argument(int index) { return index < count ? arguments[index] : 0; }

static void say(const char *words) {
  ssize_t written = write(2, words, strlen(words));
  (void)written;
}

static void fail(const char *what) {
  say("airprint: This shell or service allows too few ");
  say(what);
  say(".\n");
  _exit(70);
}

// Raises a limit to `wanted` where that is allowed; whether it is at least `least` then.
static int allows(int resource, rlim_t wanted, rlim_t least) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0) return 1;
  if (limit.rlim_cur < wanted && limit.rlim_cur < limit.rlim_max) {
    limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
    setrlimit(resource, &limit);
  }
  return limit.rlim_cur >= least;
}

// Descriptors that are still to be had; what is open already counts, too.
static int has_descriptors(int wanted) {
  int made[64], number = 0, first = open("/", O_PATH | O_CLOEXEC);
  if (first < 0) return 0;
  while (number < wanted && (made[number] = fcntl(first, F_DUPFD_CLOEXEC, 0)) >= 0) number++;
  for (int i = 0; i < number; i++) close(made[i]);
  close(first);
  return number == wanted;
}

static void start(int argc, char **argv, char **environment) {
  (void)environment;
  count = argc;
  arguments = argv;
  // It starts itself again to draw, and its own run-time library looks there.
  if (access("/proc/self/exe", F_OK) != 0) {
    say("airprint: There is no /proc here. Mount it: mount -t proc proc /proc\n");
    _exit(70);
  }
  if (!allows(RLIMIT_NOFILE, 1024, 0) || !has_descriptors(20))
    fail("open files: it needs 20 besides those that are open (ulimit -n 1024)");
  // Threads get as much as the limit is now, so raising it here would not do.
  if (!allows(RLIMIT_STACK, 0, 512 << 10)) fail("bytes of stack: it needs 512 KB (ulimit -s 8192)");
  if (!allows(RLIMIT_AS, 0, (rlim_t)512 << 20))
    fail("bytes of memory: it needs 512 MB of addresses (ulimit -v unlimited)");
  if (!allows(RLIMIT_DATA, 0, (rlim_t)128 << 20))
    fail("bytes of memory: it needs 128 MB (ulimit -d unlimited)");
}

__attribute__((section(".preinit_array"), used)) static void (*const before_libraries)(
  int, char **, char **) = start;
