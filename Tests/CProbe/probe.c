#define _GNU_SOURCE
#include "CProbe.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/io_uring.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static void (*tell)(const char *, int);

static void check(const char *name, long result) { tell(name, result < 0 ? errno : 0); }

static void try_network(void) {
  check("socket inet", socket(AF_INET, SOCK_STREAM, 0));
  check("socket inet6 datagram", socket(AF_INET6, SOCK_DGRAM, 0));
  check("socket unix", socket(AF_UNIX, SOCK_STREAM, 0));
  check("socket netlink", socket(AF_NETLINK, SOCK_RAW, 0));
  int ends[2];
  check("socketpair", socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(9)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  // A socket that was open before, such as the parent's.
  check("connect", connect(3, (struct sockaddr *)&address, sizeof address));
  check("bind", bind(3, (struct sockaddr *)&address, sizeof address));
  char byte = 0;
  struct iovec piece = {&byte, 1};
  struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
  check("send a descriptor", sendmsg(1, &message, MSG_DONTWAIT));
}

static void try_files(const char *folder) {
  char there[4096], other[4096];
  snprintf(there, sizeof there, "%s/there", folder);
  snprintf(other, sizeof other, "%s/other", folder);
  check("read a file of the person's", open(there, O_RDONLY));
  check("create", open(other, O_WRONLY | O_CREAT, 0600));
  check("create unnamed", open(folder, O_RDWR | O_TMPFILE, 0600));
  check("overwrite", open(there, O_WRONLY | O_TRUNC));
  check("append", open(there, O_WRONLY | O_APPEND));
  check("cut off", truncate(there, 0));
  check("remove", unlink(there));
  check("rename", rename(there, other));
  check("hard link", link(there, other));
  check("symbolic link", symlink("/etc/passwd", other));
  check("folder", mkdir(other, 0700));
  check("named pipe", mkfifo(other, 0600));
  check("mode", chmod(there, 0777));
  check("owner", chown(there, 0, 0));
  check("times", utimensat(AT_FDCWD, there, NULL, 0));
  check("attribute", syscall(SYS_setxattr, there, "user.x", "y", 1, 0));
  check("list /etc", opendir("/etc") ? 0 : -1);
  check("list the folder", opendir(folder) ? 0 : -1);
  check("its own memory as a file", open("/proc/self/mem", O_RDWR));
  check("its own environment", open("/proc/self/environ", O_RDONLY));
  check("a device", open("/dev/kmsg", O_RDONLY));
  check("a terminal", open("/dev/tty", O_RDWR));
  check("change root", chroot(folder));
  check("mount", mount("none", folder, "tmpfs", 0, NULL));
  check("memory file", memfd_create("x", 0));
}

static void try_processes(void) {
  pid_t parent = getppid();
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/environ", parent);
  check("environment of the parent", open(path, O_RDONLY));
  check("signal to the parent", kill(parent, SIGCONT));
  check("signal to a thread of the parent", syscall(SYS_tgkill, parent, parent, SIGCONT));
  check("signal to its group", kill(0, SIGCONT));
  check("signal by descriptor", syscall(SYS_pidfd_open, parent, 0));
  check("trace", ptrace(PTRACE_ATTACH, parent, NULL, NULL));
  struct iovec piece = {path, 1};
  check("memory of the parent", process_vm_readv(parent, &piece, 1, &piece, 1, 0));
  struct rlimit more = {RLIM_INFINITY, RLIM_INFINITY};
  check("limit of the parent", prlimit(parent, RLIMIT_NOFILE, &more, NULL));
  // A filter could check only the lower half of a pointer.
  struct rlimit *high = mmap((void *)(1UL << 32), 4096, PROT_READ | PROT_WRITE,
    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (high != MAP_FAILED) *high = (struct rlimit){1, 1};
  check("limit of the parent, by a high address",
    high == MAP_FAILED ? 0 : prlimit(parent, RLIMIT_CPU, high, NULL));
  // Unchanged limits: the kernel itself would allow this.
  check("limit of its own, by a high address",
    high == MAP_FAILED || getrlimit(RLIMIT_DATA, high) != 0 ? 0 : prlimit(0, RLIMIT_DATA, high, NULL));
  check("another process' limit is not read", prlimit(parent, RLIMIT_NOFILE, NULL, &more));
  char *arguments[] = {"true", NULL};
  check("run a program", execve("/bin/true", arguments, NULL));
  check("run a descriptor", syscall(SYS_execveat, 3, "", arguments, NULL, AT_EMPTY_PATH));
  pid_t child = fork();
  if (child == 0) _exit(0);
  check("fork", child);
  child = vfork();
  if (child == 0) _exit(0);
  check("vfork", child);
  check("priority", setpriority(PRIO_PROCESS, parent, 5));
}

static void try_itself(void) {
  struct rlimit more = {RLIM_INFINITY, RLIM_INFINITY};
  check("more memory", setrlimit(RLIMIT_DATA, &more));
  check("become another", setuid(getuid() == 0 ? 65534 : 0));
  check("namespace", unshare(CLONE_NEWUSER));
  check("shared memory", mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
    == MAP_FAILED ? -1 : 0);
  check("code that is written",
    mmap(NULL, 4096, PROT_WRITE | PROT_EXEC, MAP_SHARED | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0);
  char *shared = mmap(NULL, 1 << 20, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  check("shared memory made writable",
    shared == MAP_FAILED ? -1 : mprotect(shared, 1 << 20, PROT_READ | PROT_WRITE));
  check("code of one's own that is written",
    mmap(NULL, 4096, PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0);
  check("memory that grows uncounted",
    mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1, 0)
      == MAP_FAILED ? -1 : 0);
  void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  check("memory made code", mprotect(page, 4096, PROT_READ | PROT_EXEC));
  struct io_uring_params ring;
  memset(&ring, 0, sizeof ring);
  check("io_uring", syscall(SYS_io_uring_setup, 4, &ring));
  check("bpf", syscall(SYS_bpf, 0, NULL, 0));
  check("perf", syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0));
  check("keys", syscall(SYS_add_key, "user", "x", "y", 1, -3));
  check("userfaultfd", syscall(SYS_userfaultfd, 0));
  char input = '\n';
  check("type into the terminal", ioctl(2, TIOCSTI, &input));
}

void probe_all(const char *folder, void (*teller)(const char *, int)) {
  tell = teller;
  try_network();
  try_files(folder);
  try_processes();
  try_itself();
}

int probe_read(const char *path) {
  int file = open(path, O_RDONLY);
  char byte;
  if (file < 0 || read(file, &byte, 1) < 0) return errno;
  close(file);
  return 0;
}

static void take(size_t bytes) {
  char *piece = malloc(bytes);
  if (!piece) abort();
  memset(piece, 1, bytes);
}

void probe_hoard(void) {
  for (int count = 0; count < 1024; count++) take(1 << 20);
}

void probe_hoard_at_once(void) { take(1 << 30); }

int probe_fork_bomb(void) {
  for (int count = 0; count < 64; count++) {
    pid_t child = fork();
    if (child < 0) return errno;
    if (child == 0) _exit(0);
  }
  while (wait(NULL) > 0) {}
  return 0;
}

static void *idle(void *argument) { return argument; }

int probe_thread(void) {
  pthread_t thread;
  int problem = pthread_create(&thread, NULL, idle, NULL);
  if (problem == 0) pthread_join(thread, NULL);
  return problem;
}

int probe_descend(int depth) {
  volatile char room[4096];
  room[0] = (char)depth;
  return probe_descend(depth + 1) + room[0];
}

static int prevent_more_layers(void) {
  for (int layer = 0; layer < 16; layer++) {
    uint64_t handled = 1 << 11;  // LANDLOCK_ACCESS_FS_MAKE_BLOCK
    int rules = (int)syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0);
    if (rules < 0 || syscall(SYS_landlock_restrict_self, rules, 0) != 0) return errno;
    close(rules);
  }
  return 0;
}

int probe_prevent(const char *call) {
  static const struct { const char *name; unsigned number; } calls[] = {
    {"capset", SYS_capset},
    {"landlock_add_rule", SYS_landlock_add_rule},
    {"landlock_restrict_self", SYS_landlock_restrict_self},
    {"prlimit64", SYS_prlimit64},
  };
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  if (strcmp(call, "layers") == 0) return prevent_more_layers();
  for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++) {
    if (strcmp(call, calls[i].name) != 0) continue;
    struct sock_filter steps[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[i].number, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {sizeof steps / sizeof *steps, steps};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0 ? 0 : errno;
  }
  return EINVAL;
}
