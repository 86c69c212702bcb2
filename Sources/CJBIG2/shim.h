// jbig2dec, from libjbig2dec0-dev. Only Documents imports it.
#include <stddef.h>
#include <stdint.h>
#include <jbig2.h>
