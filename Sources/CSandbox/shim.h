// Calls with which a process drops its privileges: libseccomp, from libseccomp-dev, and system calls without a
// wrapper in the C library, or that Swift can't call. Only Confinement imports them.
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <seccomp.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// MARK: Landlock (landlock(7)), which has no library wrappers

// struct landlock_ruleset_attr of ABI 6; Debian 12's header only has the first member. An older kernel accepts the
// longer structure if the members that it doesn't support are 0.
struct sandbox_ruleset {
  uint64_t files;
  uint64_t network;
  uint64_t scopes;
};

// Returns the kernel's ABI; below 1 if Landlock is missing or disabled.
static inline long sandbox_landlock_version(void) {
  return syscall(SYS_landlock_create_ruleset, NULL, 0, 1);
}

static inline int sandbox_make_ruleset(const struct sandbox_ruleset *rules) {
  return (int)syscall(SYS_landlock_create_ruleset, rules, sizeof *rules, 0);
}

static inline int sandbox_allow_beneath(int ruleset, uint64_t access, int folder) {
  struct {
    uint64_t access;
    int32_t folder;
  } __attribute__((packed)) rule = {access, folder};
  return (int)syscall(SYS_landlock_add_rule, ruleset, 1, &rule, 0);
}

// Opens a place to name in a rule (O_PATH, hidden behind _GNU_SOURCE), no part of whose path may be a link
// (RESOLVE_NO_SYMLINKS, openat2(2)); every kernel with Landlock has this call.
static inline int sandbox_open_unlinked(const char *path) {
  struct {
    uint64_t flags;
    uint64_t mode;
    uint64_t resolve;
  } how = {010000000 | O_CLOEXEC, 0, 0x04};
  return (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
}

static inline int sandbox_restrict_files(int ruleset) {
  return (int)syscall(SYS_landlock_restrict_self, ruleset, 0);
}

// MARK: Privileges and limits

static inline int sandbox_give_up_privileges(void) {
  struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[2];
  memset(none, 0, sizeof none);
  // Not dumpable: the user's other processes can't inspect it, and it writes no core file.
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) | prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    | (int)syscall(SYS_capset, &head, none);
}

// Lowers a limit permanently.
static inline int sandbox_limit(int resource, rlim_t most) {
  struct rlimit limit;
  if (getrlimit((__rlimit_resource_t)resource, &limit) == 0 && limit.rlim_max < most)
    most = limit.rlim_max;
  limit.rlim_cur = limit.rlim_max = most;
  return setrlimit((__rlimit_resource_t)resource, &limit);
}

// MARK: Crashes

enum { sandbox_out_of_memory = 112, sandbox_crashed = 113 };

static inline void sandbox_end(int number) {
  // malloc(3) sets ENOMEM, also if the caller continued without the memory or aborted.
  _exit(errno == ENOMEM ? sandbox_out_of_memory : sandbox_crashed);
}

// Turns a crash into an exit code, which indicates if memory ran out. The handler has its own stack, because the
// usual one may be exhausted.
static inline void sandbox_catch_crashes(void) {
  static char room[16384];
  stack_t stack = {.ss_sp = room, .ss_flags = 0, .ss_size = sizeof room};
  sigaltstack(&stack, NULL);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = sandbox_end;
  action.sa_flags = SA_ONSTACK;
  static const int numbers[] = {SIGSEGV, SIGBUS, SIGABRT, SIGTRAP, SIGILL, SIGFPE, SIGSYS};
  sigset_t crashes;
  sigemptyset(&crashes);
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    sigaction(numbers[i], &action, NULL);
    sigaddset(&crashes, numbers[i]);
  }
  // A blocked signal ends the process without the handler; this includes abort(3)'s, from glibc 2.41 on.
  sigprocmask(SIG_UNBLOCK, &crashes, NULL);
  // Writing to standard error must not end the process if it is a file.
  signal(SIGXFSZ, SIG_IGN);
}

// MARK: libseccomp, whose macros Swift can't import

static inline int sandbox_can_filter(void) {
  uint32_t action = SCMP_ACT_ERRNO(0) & 0xffff0000U;
  // SECCOMP_GET_ACTION_AVAIL
  return syscall(SYS_seccomp, 2, 0, &action) == 0;
}

// What happens to a call: it is allowed, fails with EPERM, is missing in the kernel, so that the C library uses an older
// one, or does nothing and succeeds.
static const uint32_t sandbox_allow = SCMP_ACT_ALLOW;
static const uint32_t sandbox_forbid = SCMP_ACT_ERRNO(EPERM);
static const uint32_t sandbox_hide = SCMP_ACT_ERRNO(ENOSYS);
static const uint32_t sandbox_ignore = SCMP_ACT_ERRNO(0);
