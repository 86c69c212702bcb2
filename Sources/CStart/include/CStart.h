// Code that runs before any library of the program, and its results.

#include <sys/types.h>

// The arguments from the kernel. Swift's CommandLine searches for them in memory, starting at the environment's
// address: if a library has set a variable before main, it finds none.
int start_argument_count(void);
const char *start_argument(int index);

// The worker that was forked, and this process's end of its socket; 0 and -1 if there is none.
pid_t start_forked_worker(void);
int start_forked_worker_socket(void);
