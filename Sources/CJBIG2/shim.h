// jbig2dec, as libjbig2dec0-dev installs it. Imported by Documents alone.
#include <stddef.h>
#include <stdint.h>
#include <jbig2.h>
