// What a hostile document might have its reader do, for ConfinementProbe to try.

// Tries everything once that does not end the process, and tells of each: its name, and 0 or errno.
// `folder` is one of the test's own, with a file `there` in it.
void probe_all(const char *folder, void (*tell)(const char *name, int problem));

// Reads the file's first byte: 0 or errno.
int probe_read(const char *path);

// Takes a gigabyte, piece by piece, and uses it; then ends as a library does that can't go on.
void probe_hoard(void);

// The same in one piece.
void probe_hoard_at_once(void);

// Starts processes without an end: 0 or errno of the first.
int probe_fork_bomb(void);

// Starts a thread and waits for it: 0 or the error.
int probe_thread(void);

// Calls itself until the stack is used up.
int probe_descend(int depth);
