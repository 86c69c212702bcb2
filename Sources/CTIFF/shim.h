// libtiff, as libtiff-dev installs it. Imported by Documents alone.
#include <tiffio.h>
