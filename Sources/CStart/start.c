// Runs before the constructors of shared libraries, some of which crash if memory or descriptors are short (libqpdf's
// on a stack of 16 KB; libdispatch without descriptors). Instead, it prints a message and exits with 70. It may only
// use system calls, because no library is initialized yet.
#define _GNU_SOURCE
#include "CStart.h"
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
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

// Raises a limit to `wanted` if that is allowed. Returns true if it is then at least `least`.
static int allows(int resource, rlim_t wanted, rlim_t least) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0) return 1;
  if (limit.rlim_cur < wanted && limit.rlim_cur < limit.rlim_max) {
    limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
    setrlimit(resource, &limit);
  }
  return limit.rlim_cur >= least;
}

// Returns true if this many more descriptors can be opened. The limit alone does not show that, because open ones
// count, too.
static int has_descriptors(int wanted) {
  int made[64], number = 0, first = open("/", O_PATH | O_CLOEXEC);
  if (first < 0) return 0;
  while (number < wanted && (made[number] = fcntl(first, F_DUPFD_CLOEXEC, 0)) >= 0) number++;
  for (int i = 0; i < number; i++) close(made[i]);
  close(first);
  return number == wanted;
}

// True for a variable that libraries need to draw: locale, clock, fonts and their caches, loaders of pictures.
static int is_for_drawing(const char *variable) {
  static const char *const names[] = {
    "LANG", "LANGUAGE", "LC_*", "LOCPATH", "LOCALE_ARCHIVE", "TZ", "TZDIR", "HOME", "TMPDIR",
    "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_DATA_HOME", "XDG_DATA_DIRS", "XDG_CACHE_HOME",
    "FONTCONFIG_*", "FC_*", "PANGO_*", "GDK_PIXBUF_*", "LIBHEIF_PLUGIN_PATH", "LD_*",
    "GLIBC_TUNABLES", "SWIFT_BACKTRACE", "ASAN_OPTIONS", "TSAN_OPTIONS",
  };
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
    size_t length = strlen(names[i]);
    int is_prefix = names[i][length - 1] == '*';
    if (strncmp(variable, names[i], length - is_prefix) == 0 && (is_prefix || variable[length] == '='))
      return 1;
  }
  return 0;
}

static void wipe(char *text) { memset(text, 0, strlen(text)); }

// Forgets all other variables, such as passwords of a CI job: a document that takes over a worker could draw them. The
// memory that /proc shows as the environment is overwritten.
static void keep_for_drawing(char **environment) {
  char **last = environment;
  for (char **variable = environment; *variable; variable++) {
    if (is_for_drawing(*variable)) *last++ = *variable;
    else wipe(*variable);
  }
  *last = 0;
}

static pid_t worker;
static int worker_socket = -1;

pid_t start_forked_worker(void) { return worker; }
int start_forked_worker_socket(void) { return worker_socket; }

// Becomes a worker that waits on its standard output, a socket, for its instructions. All other descriptors of this
// process are closed.
static void become_worker(int socket, int reads_pdf) {
  static char *words[] = {"airprint", "render-worker", "forked", "pdf", 0};
  // Ctrl-C reaches all processes in the terminal.
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  int null = open("/dev/null", O_RDWR);
  if (null < 0 || dup2(null, 0) < 0 || dup2(null, 2) < 0 || dup2(socket, 1) < 0) _exit(0);
  // Before Linux 5.9, or if a container forbids this call, there is no such worker: a regular one is started when it
  // is needed.
#ifdef SYS_close_range
  if (syscall(SYS_close_range, 3, ~0U, 0) != 0) _exit(0);
#else
  _exit(0);
#endif
  // Names of documents, printers and files of passwords.
  for (int i = 1; i < count; i++) wipe(arguments[i]);
  arguments = words;
  count = reads_pdf ? 4 : 3;
}

static int names_pdf(const char *argument) {
  size_t length = strlen(argument);
  return length > 4 && strcasecmp(argument + length - 4, ".pdf") == 0;
}

// Commands that draw fork a worker at the start, which loads its libraries while this process reads options and
// settings. If it is not needed, it ends when its socket closes.
static void fork_worker(void) {
  int draws = 0, reads_pdf = 0, ends[2];
  static const char *const drawing[] = {"print", "render", "preview"};
  for (int i = 0; i < 3; i++) draws |= count > 2 && strcmp(arguments[1], drawing[i]) == 0;
  // `airprint report.pdf` prints the file.
  draws |= count > 1 && names_pdf(arguments[1]);
  if (!draws) return;
  for (int i = 1; i < count; i++) {
    reads_pdf |= names_pdf(arguments[i]);
    // These options only print a text.
    if (strcmp(arguments[i], "-h") == 0 || strncmp(arguments[i], "--help", 6) == 0) return;
  }
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
  // If descriptors 0 to 2 are closed, our sockets must not take their place.
  int own = fcntl(ends[0], F_DUPFD_CLOEXEC, 3), other = fcntl(ends[1], F_DUPFD_CLOEXEC, 3);
  close(ends[0]);
  close(ends[1]);
  if (own >= 0 && other >= 0) {
    int size = 4 << 20;
    setsockopt(other, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    sigset_t all, former;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &former);
    worker = fork();
    if (worker == 0) become_worker(other, reads_pdf);
    sigprocmask(SIG_SETMASK, &former, 0);
    if (worker == 0) return;
  }
  if (other >= 0) close(other);
  if (worker > 0) {
    worker_socket = own;
  } else if (own >= 0) {
    close(own);
  }
}

static void start(int argc, char **argv, char **environment) {
  count = argc;
  arguments = argv;
  // airprint starts itself again for drawing, and Swift's runtime library uses this path, too.
  if (access("/proc/self/exe", F_OK) != 0) {
    say("airprint: There is no /proc here. Mount it: mount -t proc proc /proc\n");
    _exit(70);
  }
  if (!allows(RLIMIT_NOFILE, 1024, 0) || !has_descriptors(20))
    fail("open files: it needs 20 besides those that are open (ulimit -n 1024)");
  // Threads get the limit's initial value, so raising it here would have no effect.
  if (!allows(RLIMIT_STACK, 0, 512 << 10)) fail("bytes of stack: it needs 512 KB (ulimit -s 8192)");
  if (!allows(RLIMIT_AS, 0, (rlim_t)512 << 20))
    fail("bytes of memory: it needs 512 MB of addresses (ulimit -v unlimited)");
  if (!allows(RLIMIT_DATA, 0, (rlim_t)128 << 20))
    fail("bytes of memory: it needs 128 MB (ulimit -d unlimited)");
  // A closed standard input is an empty one: no file that is opened later takes its place.
  if (fcntl(0, F_GETFD) < 0) open("/dev/null", O_RDONLY);
  fork_worker();
  if (count > 1 && strcmp(arguments[1], "render-worker") == 0) keep_for_drawing(environment);
}

__attribute__((section(".preinit_array"), used)) static void (*const before_libraries)(
  int, char **, char **) = start;
