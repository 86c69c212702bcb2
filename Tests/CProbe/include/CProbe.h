// The attempts of a hostile document, which ConfinementProbe makes.

// Makes every attempt that does not end the process, and prints its name and 0 or errno. `folder` is a folder of the
// test with a file `there` in it.
void probe_all(const char *folder, void (*tell)(const char *name, int problem));

// Reads the file's first byte; returns 0 or errno.
int probe_read(const char *path);

// Allocates and uses a gigabyte in pieces; then ends like a library that can't continue.
void probe_hoard(void);

// The same in one piece.
void probe_hoard_at_once(void);

// Starts processes without end; returns 0 or errno of the first.
int probe_fork_bomb(void);

// Starts a thread and waits for it; returns 0 or the error.
int probe_thread(void);

// Calls itself until the stack is used up.
int probe_descend(int depth);

// Makes a system call fail with EPERM in this process and in those that it starts, as in a container that forbids it;
// `layers`: makes 16 Landlock sandboxes inside each other, after which there can be no other. Returns 0 or errno.
int probe_prevent(const char *call);
