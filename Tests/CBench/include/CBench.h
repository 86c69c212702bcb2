// Returns the path of the fontconfig file that all tests use (Tests/fonts.conf).
const char *bench_fonts(void);

// Called before fsync(2) of `descriptor`, or before a file gets the name `path`. Not 0: that fails, with errno as it is.
typedef int (*bench_disk_step)(void *context, int descriptor, const char *path);
// Watches the disk of the calling thread; NULL: no longer.
void bench_watch_disk(bench_disk_step step, void *context);
