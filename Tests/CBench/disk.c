// What the calling thread asks of its disk: fsync(2) and rename(2) of this process come through here, so that a test sees
// their order, and lets them fail.
#define _GNU_SOURCE
#include "CBench.h"
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Thread_local bench_disk_step step;
static _Thread_local void *watcher;

void bench_watch_disk(bench_disk_step new_step, void *context) {
  step = new_step;
  watcher = context;
}

int fsync(int descriptor) {
  if (step && step(watcher, descriptor, NULL)) return -1;
  return (int)syscall(SYS_fsync, descriptor);
}

int rename(const char *old, const char *new) {
  if (step && step(watcher, -1, new)) return -1;
  return (int)syscall(SYS_renameat2, AT_FDCWD, old, AT_FDCWD, new, 0);
}
