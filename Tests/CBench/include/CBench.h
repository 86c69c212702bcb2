// Returns the path of the fontconfig file that all tests use (Tests/fonts.conf).
const char *bench_fonts(void);
