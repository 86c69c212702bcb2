// The libraries that `make build` and `make test` remove from the program's dependencies, as
// packaging/late-libraries.sh found them: " tiff=libtiff.so.6 zint=libzint.so.2.11" (Sources/CStart). Other builds link
// all of them.
extern const char airprint_late_libraries[] __attribute__((weak));

static inline const char *late_libraries(void) { return airprint_late_libraries ? airprint_late_libraries : ""; }
