// libheif, from libheif-dev. Only Documents imports it.
#include <libheif/heif.h>
