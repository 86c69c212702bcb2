// The libraries that `make build` removed from the program's dependencies, as packaging/late-libraries.sh found them:
// "tiff=libtiff.so.6 zint=libzint.so.2.11". Other builds link all of them.
#ifndef AIRPRINT_LATE_LIBRARIES
#define AIRPRINT_LATE_LIBRARIES ""
#endif

static inline const char *late_libraries(void) { return AIRPRINT_LATE_LIBRARIES; }
