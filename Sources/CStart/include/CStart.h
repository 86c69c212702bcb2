// What happens before any library of the program does, and what it learned.

#include <sys/types.h>

// The arguments as the kernel gave them. Swift's own CommandLine looks for them in memory, from the
// environment's place on: where a library has set a variable before main, it finds none.
int start_argument_count(void);
const char *start_argument(int index);

// The worker that was forked then, and this side of its socket; 0 and -1: none was.
pid_t start_forked_worker(void);
int start_forked_worker_socket(void);
