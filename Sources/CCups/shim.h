// libcups 2.4, as Debian's libcups2-dev installs it. Imported by IPP alone (and by tests, as an oracle).
// Memory that many connections left is given back (malloc_trim), which Swift's Glibc has not.
#include <malloc.h>
#include <cups/cups.h>
#include <cups/pwg.h>
#include <cups/raster.h>
