import Glibc
import TestSupport

/// A library that is loaded before the C library and makes some of a program's journal operations fail, or shifts its
/// wall clock.
///
/// It simulates disks that are full or broken.
struct FaultLibrary {
  private let path: String

  /// The source of the library.
  ///
  /// `FAULTS="fsync:15,rename:10"` are percentages of the calls on paths that contain `/state/`; `FAULT_ERRNO` is the
  /// error, `FAULT_SEED` selects the calls; `FAULT_SHIFT` is added to the wall clock, in seconds.
  private static let source = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <errno.h>
    #include <fcntl.h>
    #include <stdarg.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/file.h>
    #include <sys/stat.h>
    #include <sys/syscall.h>
    #include <sys/time.h>
    #include <time.h>
    #include <unistd.h>
    static int fails(const char *name, const char *path) {
      static unsigned dice;
      const char *faults = getenv("FAULTS"), *place, *number;
      if (!faults || !path || !strstr(path, "/state/") || !(place = strstr(faults, name))) return 0;
      if (!dice) dice = (number = getenv("FAULT_SEED")) ? atoi(number) + 1 : 1;
      if ((int)(rand_r(&dice) % 100) >= atoi(place + strlen(name) + 1)) return 0;
      errno = (number = getenv("FAULT_ERRNO")) ? atoi(number) : ENOSPC;
      return 1;
    }
    static const char *named(int file) {
      static __thread char name[512];
      char link[64];
      snprintf(link, sizeof link, "/proc/self/fd/%d", file);
      ssize_t length = readlink(link, name, sizeof name - 1);
      if (length < 0) return 0;
      name[length] = 0;
      return name;
    }
    #define REAL(result, name, ...) \\
      static result (*real)(__VA_ARGS__); \\
      if (!real) real = dlsym(RTLD_NEXT, #name)
    int fsync(int file) {
      REAL(int, fsync, int);
      return fails("fsync", named(file)) ? -1 : real(file);
    }
    int rename(const char *from, const char *to) {
      REAL(int, rename, const char *, const char *);
      return fails("rename", to) ? -1 : real(from, to);
    }
    ssize_t write(int file, const void *bytes, size_t count) {
      REAL(ssize_t, write, int, const void *, size_t);
      if (file > 2 && fails("write", named(file))) return -1;
      if (file > 2 && count > 1 && fails("short", named(file))) count /= 2;
      return real(file, bytes, count);
    }
    int mkdir(const char *path, mode_t mode) {
      REAL(int, mkdir, const char *, mode_t);
      return fails("mkdir", path) ? -1 : real(path, mode);
    }
    int flock(int file, int operation) {
      REAL(int, flock, int, int);
      return !(operation & LOCK_UN) && fails("flock", named(file)) ? -1 : real(file, operation);
    }
    int open(const char *path, int flags, ...) {
      REAL(int, open, const char *, int, ...);
      va_list rest;
      va_start(rest, flags);
      mode_t mode = va_arg(rest, mode_t);
      va_end(rest);
      return (flags & (O_WRONLY | O_RDWR)) && fails("open", path) ? -1 : real(path, flags, mode);
    }
    int clock_gettime(clockid_t clock, struct timespec *now) {
      int result = syscall(SYS_clock_gettime, clock, now);
      const char *shift = getenv("FAULT_SHIFT");
      if (shift && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        now->tv_sec += atol(shift);
      return result;
    }
    time_t time(time_t *seconds) {
      struct timespec now;
      clock_gettime(CLOCK_REALTIME, &now);
      if (seconds) *seconds = now.tv_sec;
      return now.tv_sec;
    }
    """

  init(_ person: Person) async throws {
    path = person.path("faults.so")
    let source = person.path("faults.c")
    try Array(FaultLibrary.source.utf8).write(to: source)
    let made = try await person.bench.run([
      cCompiler, "-shared", "-fPIC", "-O1", source, "-o", path, "-ldl",
    ])
    guard made.code == 0 else { throw Missing("a library of faults: \(made.report)") }
  }

  /// Returns the environment of a program with these faults.
  func environment(_ variables: [String: String]) -> [String: String] {
    variables.merging(["LD_PRELOAD": path]) { $1 }
  }
}
