// libheif, as libheif-dev installs it. Imported by Documents alone.
#include <libheif/heif.h>
