// jbig2dec, from libjbig2dec0-dev. Only PDFRepair imports it.
#include <stddef.h>
#include <stdint.h>
#include <jbig2.h>
