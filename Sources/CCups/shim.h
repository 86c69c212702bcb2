// libcups 2.4, from libcups2-dev. Only IPP imports it (and tests, as a reference).
// malloc.h is for malloc_trim, which returns the memory of closed connections; Swift's Glibc does not have it.
#include <malloc.h>
#include <cups/cups.h>
#include <cups/pwg.h>
#include <cups/raster.h>
