// The libraries that `make build` left out of the program's list, as packaging/late-libraries.sh found
// them where it linked: "tiff=libtiff.so.6 zint=libzint.so.2.11". Any other build links them all.
#ifndef AIRPRINT_LATE_LIBRARIES
#define AIRPRINT_LATE_LIBRARIES ""
#endif

static inline const char *late_libraries(void) { return AIRPRINT_LATE_LIBRARIES; }
